import { parseDuration } from '../duration.ts'
import type { ActivityContext, ActivityRules } from '../job/activity.ts'
import { NonRetryableError } from '../job/failure.ts'
import { isRetryable, retryDelay } from '../job/retry.ts'
import { InvalidPayloadError } from '../job/standard-schema.ts'
import { ActivityAttempt } from './activity-attempt.ts'
import type { Call } from './call.ts'
import { decodeValue, encodeValue, UnstorableValueError } from './codec.ts'
import { ActivityTimeoutError } from './errors.ts'
import type { Run } from './run.ts'
import { errorOf } from './unwinding.ts'

/** An activity that runs where its run does. */
export interface LocalWork {
  readonly tenant: string
  readonly activityId: string
  readonly rules: ActivityRules
  readonly idempotencyKey: string
  /** Encoded. */
  readonly input: string | null
  /** Resolves to what is to be recorded. */
  perform(context: ActivityContext): unknown
  /** Checks what was given, where there is something to check. */
  readonly check?: ((output: unknown) => Promise<unknown>) | undefined
}

/** All attempts of one call, until it is settled. */
export class LocalActivity {
  readonly #run: Run
  readonly #call: Call
  readonly #work: LocalWork
  /** Encoded: what the last heartbeat told. */
  #details: string | null

  constructor(run: Run, call: Call, work: LocalWork) {
    this.#run = run
    this.#call = call
    this.#work = work
    this.#details = call.recorded?.details ?? null
  }

  /** An attempt that nobody heard the end of is made again; it does not count as failed. */
  begin(): void {
    const { recorded } = this.#call
    if (recorded === null) this.#attempt(1)
    else if (recorded.dueAt === null) this.#attempt(Math.max(1, recorded.attempt))
    else this.#attemptAt(recorded.dueAt, recorded.attempt + 1)
  }

  #attemptAt(dueAt: number, attempt: number): void {
    this.#run.wait(dueAt, () => {
      if (!this.#call.isGivenUp) this.#attempt(attempt)
    })
  }

  #attempt(attempt: number): void {
    const run = this.#run
    const { sequence } = this.#call
    const { activityId, tenant, rules, idempotencyKey, input } = this.#work
    const leftMs = this.#leftMs()
    if (leftMs !== null && leftMs <= 0) return this.#fail(attempt - 1, this.#totalOverrun())
    const { executionId, host } = run
    const heartbeatDetails = decodeValue(this.#details)
    const trial = new ActivityAttempt(
      { executionId, tenant, activityId, sequence, attempt, idempotencyKey, heartbeatDetails },
      {
        logger: host.logger,
        after: (delayMs, call) => host.after(delayMs, call),
        onHeartbeat: (details) => this.#noteHeartbeat(attempt, details),
      },
    )
    run.enter(trial)
    run.ledger.putBeside(this.#call.entry({ attempt, input, dueAt: null, details: this.#details }))
    trial
      .perform(this.#work.perform, rules, leftMs)
      .then((output) => (this.#work.check ? this.#work.check(output) : output))
      .then(
        (output) => this.#complete(attempt, output),
        (error: unknown) => this.#failAttempt(trial, error),
      )
      .finally(() => {
        trial.end()
        run.leave(trial)
      })
  }

  #complete(attempt: number, value: unknown): void {
    let output: string | null
    try {
      output = encodeValue(value, `Output of activity "${this.#work.activityId}"`)
    } catch (error) {
      // The work is done: to do it again would give the same.
      return this.#fail(attempt, errorOf(error))
    }
    const { sequence } = this.#call
    const { input, activityId } = this.#work
    const { host } = this.#run
    this.#run.settle(this.#call, { status: 'COMPLETED', attempt, input, output, dueAt: null, details: this.#details })
    host.logger.debug('Activity completed', { activity: activityId, sequence, attempt })
    if (host.hears('activity.completed')) host.tell('activity.completed', { sequence, activity: activityId, attempt })
  }

  #failAttempt(trial: ActivityAttempt, thrown: unknown): void {
    const run = this.#run
    const { attempt } = trial
    const error = errorOf(thrown)
    const isTimeout = error instanceof ActivityTimeoutError
    // How one that was told to end has ended says nothing about the work.
    if (run.isOver || (this.#call.isGivenUp && !isTimeout) || run.isSuspending) return
    const delayMs = this.#delayAfter(attempt, error)
    const leftMs = this.#leftMs()
    if (delayMs === null || (isTimeout && error.timeout === 'total')) return this.#fail(attempt, error)
    if (leftMs !== null && delayMs >= leftMs) return this.#fail(attempt, error)
    const { activityId, input } = this.#work
    const { sequence } = this.#call
    const dueAt = run.host.now() + delayMs
    run.ledger.putBeside(
      this.#call.entry({ attempt, input, dueAt, error: encodeValue(error, 'Error'), details: this.#details }),
    )
    run.host.logger.warn('An attempt of an activity failed', {
      activity: activityId,
      sequence,
      attempt,
      delayMs,
      error,
    })
    if (run.host.hears('activity.retried')) {
      run.host.tell('activity.retried', { sequence, activity: activityId, attempt, error: error.message, delayMs })
    }
    this.#attemptAt(dueAt, attempt + 1)
  }

  #fail(attempt: number, error: Error): void {
    const { activityId, input } = this.#work
    const { sequence } = this.#call
    const { host } = this.#run
    const text = encodeValue(error, 'Error')
    this.#run.settle(this.#call, { status: 'FAILED', attempt, input, error: text, dueAt: null, details: this.#details })
    host.logger.warn('Activity failed', { activity: activityId, sequence, attempt, error })
    if (host.hears('activity.failed')) {
      host.tell('activity.failed', { sequence, activity: activityId, attempt, error: error.message })
    }
  }

  /** How long to wait before the next attempt; null where there is none. */
  #delayAfter(attempt: number, error: Error): number | null {
    const { retry } = this.#work.rules
    const isHopeless =
      error instanceof NonRetryableError ||
      error instanceof InvalidPayloadError ||
      error instanceof UnstorableValueError
    if (isHopeless || !isRetryable(retry, error)) return null
    const delayMs = retryDelay(retry, attempt, () => this.#run.host.random())
    return delayMs === null ? null : (retryAfterOf(error, this.#run.host.now()) ?? delayMs)
  }

  #noteHeartbeat(attempt: number, details: unknown): void {
    const { activityId, input } = this.#work
    this.#details = encodeValue(details, `Heartbeat of activity "${activityId}"`)
    this.#run.ledger.putBeside(this.#call.entry({ attempt, input, dueAt: null, details: this.#details }))
  }

  /** What is left of the time for all attempts. */
  #leftMs(): number | null {
    const { totalMs } = this.#work.rules
    return totalMs === null ? null : this.#call.startedAt + totalMs - this.#run.host.now()
  }

  #totalOverrun(): Error {
    return new ActivityTimeoutError(this.#work.activityId, 'total', this.#work.rules.totalMs ?? 0)
  }
}

/** When an error itself says to try again: `retryAfter`, as a duration, or as an instant. */
function retryAfterOf(error: Error, now: number): number | null {
  const after: unknown = Reflect.get(error, 'retryAfter')
  if (after instanceof Date) return Math.max(0, after.getTime() - now)
  if (typeof after !== 'number' && typeof after !== 'string') return null
  try {
    return parseDuration(after as `${number}s`, 'retryAfter')
  } catch {
    return null
  }
}
