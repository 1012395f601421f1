import type { ActivityRules, AnyActivity } from '../job/activity.ts'
import type { ChildEnd } from '../job/history.ts'
import type { Call } from './call.ts'
import { encodeValue } from './codec.ts'
import { type ActivityTimeout, ActivityTimeoutError } from './errors.ts'
import type { Run } from './run.ts'

export interface RoutedWork {
  readonly activity: AnyActivity
  readonly rules: ActivityRules & { readonly queue: string }
  readonly idempotencyKey: string
  /** Encoded. */
  readonly input: string | null
}

/** An activity with a queue of its own: another execution does it, on a node that serves the queue, and this one waits for its end. */
export class RoutedActivity {
  readonly #run: Run
  readonly #call: Call
  readonly #work: RoutedWork
  readonly #cancelWaits: (() => void)[] = []
  #isSettled = false

  constructor(run: Run, call: Call, work: RoutedWork) {
    this.#run = run
    this.#call = call
    this.#work = work
  }

  begin(): void {
    const { childId } = this.#call.recorded ?? {}
    if (childId) this.#waitFor(childId)
    else void this.#start()
  }

  async #start(): Promise<void> {
    const run = this.#run
    const { activity, rules, input, idempotencyKey } = this.#work
    const { sequence } = this.#call
    const id = run.host.uuid()
    const entry = this.#call.entry({ input, childId: id, attempt: 1 })
    run.enter()
    try {
      const entries = [...run.ledger.takeBeside(), entry]
      const child = { id, activity, rules, payload: input, sequence, idempotencyKey }
      if (await run.host.startChild(entries, child)) this.#waitFor(id)
      else run.stop({ kind: 'lost' })
    } catch (error) {
      // Whether it was stored is not known: whoever takes the run up next finds out.
      run.host.logger.error('An activity could not be handed to its queue', { activity: activity.id, sequence, error })
      run.stop({ kind: 'suspended' })
    } finally {
      run.leave()
    }
  }

  #waitFor(id: string): void {
    const { startMs, totalMs } = this.#work.rules
    this.#cancelWaits.push(this.#run.inbox.takeEnd(id, (end) => this.#end(end)))
    if (startMs !== null) this.#giveUpAt(startMs, 'start', id)
    if (totalMs !== null) this.#giveUpAt(totalMs, 'total', id)
  }

  #giveUpAt(ms: number, timeout: ActivityTimeout, id: string): void {
    const run = this.#run
    const cancel = run.wait(this.#call.startedAt + ms, () => void this.#giveUp(ms, timeout, id))
    this.#cancelWaits.push(cancel)
  }

  async #giveUp(ms: number, timeout: ActivityTimeout, id: string): Promise<void> {
    const run = this.#run
    if (this.#isSettled) return
    run.enter()
    try {
      const isEnded = await run.host.cancelChild(id, { unlessStarted: timeout === 'start' })
      // Where it has begun, or ended by itself, its end tells.
      if (isEnded) this.#fail(id, new ActivityTimeoutError(this.#work.activity.id, timeout, ms))
    } finally {
      run.leave()
    }
  }

  #end({ executionId, status, output, error, attempt }: ChildEnd): void {
    if (this.#isSettled) return
    if (status !== 'SUCCESS') return this.#fail(executionId, errorFrom(error, status), attempt)
    this.#isSettled = true
    this.#stopWaiting()
    this.#run.settle(this.#call, {
      status: 'COMPLETED',
      attempt,
      output,
      childId: executionId,
      input: this.#work.input,
      takesChild: executionId,
    })
  }

  #fail(id: string, error: Error, attempt = 1): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#stopWaiting()
    const text = encodeValue(error, 'Error')
    this.#run.settle(this.#call, {
      status: 'FAILED',
      attempt,
      error: text,
      childId: id,
      input: this.#work.input,
      takesChild: id,
    })
  }

  #stopWaiting(): void {
    for (const cancel of this.#cancelWaits) cancel()
  }
}

function errorFrom(failure: ChildEnd['error'], status: string): Error {
  const error = new Error(failure?.message ?? `It ended as ${status}.`)
  if (failure)
    Object.assign(error, { name: failure.name, ...(failure.code === undefined ? {} : { code: failure.code }) })
  return error
}
