import type { StoredSignal } from '../job/history.ts'
import { type StandardSchema, validate } from '../job/standard-schema.ts'
import type { Call, CallPlan } from './call.ts'
import { decodeValue, encodeValue } from './codec.ts'
import type { Run } from './run.ts'

/** Told in place of what a signal brings. */
const TIMED_OUT = encodeValue('timeout', 'Signal')

/** A wait for a message. */
export class SignalWait {
  readonly #run: Run
  readonly #name: string
  readonly #schema: StandardSchema<unknown, unknown> | undefined
  readonly #timeoutMs: number | null
  #stopTaking: () => void = () => {}
  #stopWaiting: () => void = () => {}
  #isOver = false

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
      giveUp: () => this.#end(),
      valueOf: ({ output, details }) => (details === TIMED_OUT ? null : decodeValue(output)),
    }
  }

  async #begin(call: Call): Promise<void> {
    const run = this.#run
    const dueAt = call.recorded?.dueAt ?? (this.#timeoutMs === null ? null : run.host.now() + this.#timeoutMs)
    run.ledger.putBeside(call.entry({ dueAt }))
    await run.needNews()
    if (run.isOver || call.isGivenUp) return
    if (dueAt !== null) this.#expire(call, dueAt, dueAt)
    this.#take(call)
  }

  #take(call: Call): void {
    this.#stopTaking = this.#run.inbox.takeSignal(this.#name, (signal) =>
      this.#run.whenLive(() => void this.#read(call, signal)),
    )
  }

  /** What does not fit is taken out of the inbox, and waited on. */
  async #read(call: Call, signal: StoredSignal): Promise<void> {
    const run = this.#run
    const payload = decodeValue(signal.payload)
    run.enter()
    try {
      const value = this.#schema ? await validate(this.#schema, payload, `Signal "${this.#name}"`) : payload
      if (this.#isOver) return
      this.#end()
      const output = encodeValue(value, `Signal "${this.#name}"`)
      run.settle(call, { status: 'COMPLETED', output, signalId: signal.id })
    } catch (error) {
      run.host.logger.warn('A signal does not fit what is waited for, and is left out', { signal: this.#name, error })
      const answer = await run.host.record([], [signal.id])
      if (answer === 'refused') run.stop({ kind: 'lost' })
      else if (!this.#isOver) this.#take(call)
    } finally {
      run.leave()
    }
  }

  #expire(call: Call, dueAt: number, lookAt: number): void {
    this.#stopWaiting = this.#run.wait(lookAt, () => {
      if (this.#isOver) return
      this.#end()
      const settling = { status: 'COMPLETED', details: TIMED_OUT, dueAt, isTimer: true } as const
      this.#run.settle(call, settling, () => {
        this.#isOver = false
        this.#expire(call, dueAt, this.#run.host.now() + 2)
        this.#take(call)
      })
    })
  }

  #end(): void {
    this.#isOver = true
    this.#stopTaking()
    this.#stopWaiting()
  }
}
