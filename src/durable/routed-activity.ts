import type { ActivityRules, AnyActivity } from '../job/activity/activity.ts'
import type { ChildEnd } from '../job/activity/history.ts'
import type { Call } from './call.ts'
import { endChild, isRefusal } from './child.ts'
import { encodeValue } from './codec.ts'
import { type ActivityTimeout, ActivityTimeoutError, errorOf } from './errors.ts'
import type { Run } from './run.ts'
import { atInstant } from './waits.ts'

export interface RoutedWork {
  readonly activity: AnyActivity
  readonly rules: ActivityRules & { readonly queue: string }
  /** Validates the input and derives the idempotency key from it. */
  readonly key: () => Promise<string>
  /** Encoded. */
  readonly input: string | null
}

/** A call of an activity with a queue of its own: another execution performs it, on a node that serves the queue. */
export class RoutedActivity {
  readonly #run: Run
  readonly #call: Call
  readonly #work: RoutedWork
  /** Its time limits count from here. */
  readonly #startedAt: number

  constructor(run: Run, call: Call, work: RoutedWork) {
    this.#run = run
    this.#call = call
    this.#work = work
    this.#startedAt = call.recorded?.startedAt ?? run.host.now()
  }

  begin(): void {
    const { childId } = this.#call
    if (childId === null) void this.#start()
    else this.#waitFor(childId)
  }

  async #start(): Promise<void> {
    const run = this.#run
    const call = this.#call
    const { activity, rules, input, key } = this.#work
    const { sequence } = call
    const id = run.host.uuid()
    let isSent = false
    run.effects.enter()
    try {
      run.effects.note(call, () => ({ input }))
      const idempotencyKey = await key()
      if (run.isOver || call.isGivenUp) return
      const entries = [...run.effects.takeNotes(sequence), call.entry({ input, childId: id, attempt: 1 })]
      isSent = true
      const child = { id, activity, rules, payload: input, sequence, idempotencyKey }
      if (!(await run.host.startChild(entries, child))) return run.stop({ kind: 'lost' })
      call.childId = id
      if (call.isGivenUp) endChild(run, id)
      else this.#waitFor(id)
    } catch (thrown) {
      const error = errorOf(thrown)
      if (!isSent || isRefusal(error)) this.#fail(error, 0)
      else
        run.effects.breakOff('An activity could not be handed to its queue', { activity: activity.id, sequence, error })
    } finally {
      run.effects.leave()
    }
  }

  #waitFor(id: string): void {
    const run = this.#run
    const { startMs, totalMs } = this.#work.rules
    const stops = [
      run.inbox.takeEnd(id, (end) => run.effects.whenLive(() => this.#end(end))),
      this.#giveUpAfter(startMs, 'start', id),
      this.#giveUpAfter(totalMs, 'total', id),
    ]
    this.#call.stopWaiting = () => {
      for (const stop of stops) stop()
    }
  }

  #giveUpAfter(ms: number | null, timeout: ActivityTimeout, id: string): () => void {
    if (ms === null) return () => {}
    return atInstant(this.#run, this.#startedAt + ms, (again) => void this.#giveUp(ms, timeout, id, again))
  }

  async #giveUp(ms: number, timeout: ActivityTimeout, id: string, again: () => void): Promise<void> {
    const run = this.#run
    const { activity } = this.#work
    if (!this.#call.isOpen) return
    run.effects.enter()
    try {
      const isEnded = await run.host.cancelChild(id, { unlessStarted: timeout === 'start' })
      // If the child has started or ended, its end completes the call.
      if (isEnded) this.#fail(new ActivityTimeoutError(activity.id, timeout, ms), 1)
    } catch (error) {
      run.host.logger.warn('An activity that is out of time could not be cancelled', { activity: activity.id, error })
      again()
    } finally {
      run.effects.leave()
    }
  }

  #end({ executionId, status, output, error, attempt }: ChildEnd): void {
    if (!this.#call.isOpen) return
    if (status !== 'SUCCESS') {
      this.#fail(errorFrom(error, status), attempt)
      return
    }
    this.#call.stopWaiting()
    const ended = { childId: executionId, takesChild: executionId, input: this.#work.input }
    this.#run.effects.settle(this.#call, { status: 'COMPLETED', attempt, output, ...ended })
    this.#run.host.tell('activity.completed', this.#facts(attempt))
  }

  #fail(error: Error, attempt: number): void {
    const call = this.#call
    if (!call.isOpen) return
    call.stopWaiting()
    const takesChild = call.childId ?? undefined
    const text = encodeValue(error, 'Error')
    this.#run.effects.settle(call, { status: 'FAILED', attempt, error: text, input: this.#work.input, takesChild })
    this.#run.host.tell('activity.failed', { ...this.#facts(attempt), error: error.message })
  }

  #facts(attempt: number) {
    return { sequence: this.#call.sequence, activity: this.#call.name, attempt }
  }
}

function errorFrom(failure: ChildEnd['error'], status: string): Error {
  const error = new Error(failure?.message ?? `It ended as ${status}.`)
  if (!failure) return error
  return Object.assign(error, { name: failure.name, ...(failure.code === undefined ? {} : { code: failure.code }) })
}
