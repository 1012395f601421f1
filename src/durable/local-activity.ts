import type { ActivityRules } from '../job/activity/activity.ts'
import { isRetryable, retryDelay } from '../job/rules/retry.ts'
import type { Logger } from '../logger.ts'
import { ActivityAttempt, type AttemptSurroundings } from './activity-attempt.ts'
import { asActivity } from './activity-scope.ts'
import type { Call } from './call.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { errorOf } from './error-of.ts'
import { ActivityTimeoutError } from './errors.ts'
import { isHopeless } from './is-hopeless.ts'
import { retryAfterOf } from './retry-after.ts'
import type { Run } from './run.ts'

/** An activity that runs where its run does. */
export interface LocalWork {
  readonly tenant: string
  readonly activityId: string
  readonly rules: ActivityRules
  readonly idempotencyKey: string
  /** Encoded. */
  readonly input: string | null
  /** Resolves to what is to be recorded. */
  readonly perform: (attempt: ActivityAttempt) => unknown
  /** Checks what was given, where there is something to check. */
  readonly check?: ((output: unknown) => Promise<unknown>) | undefined
}

/** All attempts of one call, until it is settled. */
export class LocalActivity implements AttemptSurroundings {
  readonly #run: Run
  readonly #call: Call
  readonly #work: LocalWork
  /** From when its total time counts. */
  readonly #startedAt: number
  /** Encoded: what the last heartbeat told. */
  #details: string | null

  constructor(run: Run, call: Call, work: LocalWork) {
    this.#run = run
    this.#call = call
    this.#work = work
    this.#startedAt = call.recorded?.startedAt ?? run.host.now()
    this.#details = call.recorded?.details ?? null
  }

  get logger(): Logger {
    return this.#run.host.log
  }

  after(delayMs: number, call: () => void): () => void {
    return this.#run.host.after(delayMs, call)
  }

  /** An attempt that nobody heard the end of is made again; it does not count as failed. */
  begin(): void {
    const { recorded } = this.#call
    if (recorded === null) this.#attempt(1)
    else if (recorded.dueAt === null) this.#attempt(Math.max(1, recorded.attempt))
    else this.#attemptAt(recorded.dueAt, recorded.attempt + 1)
  }

  onHeartbeat(details: unknown, attempt: number): void {
    const { activityId, input } = this.#work
    this.#details = encodeValue(details, `Heartbeat of activity "${activityId}"`)
    this.#run.note(this.#call, { attempt, input, dueAt: null, details: this.#details })
  }

  #attemptAt(dueAt: number, attempt: number): void {
    this.#call.stopWaiting = this.#run.gate.wait(dueAt, () => {
      if (!this.#call.isGivenUp) this.#attempt(attempt)
    })
  }

  #attempt(attempt: number): void {
    const sure = this.#run.host.makeSure()
    if (sure) void this.#performOnce(sure, attempt)
    else this.#perform(attempt)
  }

  /** What somebody else has done by now must not be done again. */
  async #performOnce(sure: Promise<void>, attempt: number): Promise<void> {
    const run = this.#run
    run.work.enter()
    try {
      await sure
      run.gate.whenLive(() => {
        if (this.#call.isOpen) this.#perform(attempt)
      })
    } catch (error) {
      run.breakOff('Whether a run is still held could not be found out', { activity: this.#work.activityId, error })
    } finally {
      run.work.leave()
    }
  }

  #perform(attempt: number): void {
    const run = this.#run
    const { activityId, tenant, rules, idempotencyKey, input, perform, check } = this.#work
    const leftMs = this.#leftMs()
    if (leftMs !== null && leftMs <= 0) {
      this.#fail(attempt - 1, this.#totalOverrun())
      return
    }
    const { sequence } = this.#call
    const heartbeatDetails = this.#details === null ? undefined : decodeValue(this.#details)
    const { executionId } = run
    const facts = { executionId, tenant, activityId, sequence, attempt, idempotencyKey, heartbeatDetails }
    const trial = new ActivityAttempt(facts, this)
    run.work.enter(trial)
    run.note(this.#call, { attempt, input, dueAt: null, details: this.#details })
    const told = { activity: activityId, sequence, attempt }
    const work = (given: ActivityAttempt) => asActivity(run, activityId, perform, given)
    const performed = trial.perform((given) => run.host.inActivity(told, () => work(given)), rules, leftMs)
    const checked = check ? performed.then(check) : performed
    checked.then(
      (output) => this.#over(trial, () => this.#complete(attempt, output)),
      (error: unknown) => this.#over(trial, () => this.#failAttempt(attempt, error)),
    )
  }

  #over(trial: ActivityAttempt, settle: () => void): void {
    const run = this.#run
    trial.end()
    try {
      settle()
    } catch (error) {
      run.breakOff('An activity could not be settled', { activity: this.#work.activityId, error })
    }
    run.work.leave(trial)
  }

  #complete(attempt: number, value: unknown): void {
    if (!this.#run.maySettle(this.#call)) return
    let output: string | null
    try {
      output = encodeValue(value, `Output of activity "${this.#work.activityId}"`)
    } catch (error) {
      // The work is done: to do it again would give the same.
      this.#fail(attempt, errorOf(error))
      return
    }
    const { input } = this.#work
    this.#run.settle(this.#call, { status: 'COMPLETED', attempt, input, output, dueAt: null, details: this.#details })
    this.#run.telling.completed(this.#call, attempt)
  }

  #failAttempt(attempt: number, thrown: unknown): void {
    const run = this.#run
    const error = errorOf(thrown)
    const isTimeout = error instanceof ActivityTimeoutError
    // How one that was told to end has ended says nothing about the work.
    if (!run.maySettle(this.#call) || (this.#call.isGivenUp && !isTimeout) || run.gate.isSuspending) return
    const delayMs = this.#delayAfter(attempt, error)
    const leftMs = this.#leftMs()
    const isLast = delayMs === null || (isTimeout && error.timeout === 'total') || this.#call.isGivenUp
    if (isLast || (leftMs !== null && delayMs >= leftMs)) {
      this.#fail(attempt, error)
      return
    }
    const { input } = this.#work
    const dueAt = run.host.now() + delayMs
    run.note(this.#call, { attempt, input, dueAt, error: encodeValue(error, 'Error'), details: this.#details })
    run.telling.retried(this.#call, attempt, error, delayMs)
    this.#attemptAt(dueAt, attempt + 1)
  }

  #fail(attempt: number, error: Error): void {
    const { input } = this.#work
    const text = encodeValue(error, 'Error')
    this.#run.settle(this.#call, { status: 'FAILED', attempt, input, error: text, dueAt: null, details: this.#details })
    this.#run.telling.failed(this.#call, attempt, error)
  }

  /** How long to wait before the next attempt; null where there is none. */
  #delayAfter(attempt: number, error: Error): number | null {
    const { retry } = this.#work.rules
    const { host } = this.#run
    if (isHopeless(error) || !isRetryable(retry, error)) return null
    const delayMs = retryDelay(retry, attempt, () => host.random())
    return delayMs === null ? null : (retryAfterOf(error, host.now()) ?? delayMs)
  }

  /** What is left of the time for all attempts. */
  #leftMs(): number | null {
    const { totalMs } = this.#work.rules
    return totalMs === null ? null : this.#startedAt + totalMs - this.#run.host.now()
  }

  #totalOverrun(): Error {
    return new ActivityTimeoutError(this.#work.activityId, 'total', this.#work.rules.totalMs ?? 0)
  }
}
