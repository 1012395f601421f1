import type { StoredSignal } from '../job/activity/history.ts'
import { type StandardSchema, validate } from '../job/type/standard-schema.ts'
import type { Call, CallPlan } from './call.ts'
import { decodeValue, encodeValue } from './codec.ts'
import type { Run } from './run.ts'
import { atInstant } from './waits.ts'

/** Recorded instead of a payload. */
const TIMED_OUT = encodeValue('timeout', 'Signal')

/** A wait for a signal, with an optional timeout. */
export class SignalWait {
  readonly #run: Run
  readonly #name: string
  readonly #schema: StandardSchema<unknown, unknown> | undefined
  readonly #timeoutMs: number | null
  #stopTaking: () => void = () => {}
  #stopTimer: () => void = () => {}

  constructor(run: Run, name: string, schema: StandardSchema<unknown, unknown> | undefined, timeoutMs: number | null) {
    this.#run = run
    this.#name = name
    this.#schema = schema
    this.#timeoutMs = timeoutMs
  }

  plan(): CallPlan {
    return {
      kind: 'signal',
      name: this.#name,
      verb: 'signal',
      begin: (call) => void this.#begin(call),
      valueFrom: ({ output, details }) => (details === TIMED_OUT ? null : decodeValue(output)),
    }
  }

  async #begin(call: Call): Promise<void> {
    const run = this.#run
    const { host } = run
    const dueAt =
      call.recorded?.dueAt ?? (this.#timeoutMs === null ? null : host.now() + this.#timeoutMs + host.marginMs)
    run.effects.note(call, () => ({ dueAt }))
    await run.effects.needNews()
    if (run.isOver || !call.isOpen) return
    call.stopWaiting = () => {
      this.#stopTaking()
      this.#stopTimer()
    }
    if (dueAt !== null) this.#stopTimer = atInstant(run, dueAt, (onEarly) => this.#expire(call, dueAt, onEarly))
    this.#take(call)
  }

  #take(call: Call): void {
    this.#stopTaking = this.#run.inbox.takeSignal(this.#name, (signal) =>
      this.#run.effects.whenLive(() => void this.#read(call, signal)),
    )
  }

  async #read(call: Call, signal: StoredSignal): Promise<void> {
    const run = this.#run
    run.effects.enter()
    const read = await this.#valueOf(signal)
    if (!call.isOpen) run.inbox.putBack(signal)
    else if (!read) this.#leaveOut(call, signal)
    else {
      call.stopWaiting()
      run.effects.settle(call, { status: 'COMPLETED', output: read.output, signalId: signal.id })
    }
    run.effects.leave()
  }

  /** null if the payload does not fit the schema. */
  async #valueOf(signal: StoredSignal): Promise<{ readonly output: string | null } | null> {
    const thing = `Signal "${this.#name}"`
    try {
      const payload = decodeValue(signal.payload)
      const value = this.#schema ? await validate(this.#schema, payload, thing) : payload
      return { output: encodeValue(value, thing) }
    } catch (error) {
      const message = 'A signal does not fit what is waited for, and is left out'
      this.#run.host.logger.warn(message, { signal: this.#name, error })
      return null
    }
  }

  /** Removes a signal that does not fit from the inbox and waits for the next one. */
  #leaveOut(call: Call, signal: StoredSignal): void {
    this.#run.effects.discard(signal.id, () => {
      if (call.isOpen) this.#take(call)
    })
  }

  #expire(call: Call, dueAt: number, onEarly: () => void): void {
    if (!call.isOpen) return
    this.#stopTaking()
    this.#run.effects.settle(call, { status: 'COMPLETED', details: TIMED_OUT, dueAt, isTimer: true }, () => {
      if (call.isGivenUp) return
      onEarly()
      this.#take(call)
    })
  }
}
