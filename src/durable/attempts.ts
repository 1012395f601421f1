import type { CancelTimer } from '../clock.ts'
import type { ActivityContext, ActivityRules, CompensationContext } from '../job/activity/activity.ts'
import type { EntryKind } from '../job/activity/divergence.ts'
import type { NewEntry } from '../job/activity/history.ts'
import { NonRetryableError } from '../job/execution/failure.ts'
import { isRetryable, retryDelay } from '../job/rules/retry.ts'
import { InvalidPayloadError } from '../job/type/standard-schema.ts'
import type { Logger } from '../logger.ts'
import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import {
  type ActivityTimeout,
  ActivityTimeoutError,
  errorOf,
  MisplacedCallError,
  UnstorableValueError,
} from './errors.ts'
import { LazyAbort } from './lazy-abort.ts'
import type { Run } from './run.ts'

/** A call that is attempted until it succeeds or has no retry left: an activity or a transaction. */
export abstract class AttemptedCall implements CallPlan {
  readonly kind: EntryKind
  readonly name: string
  abstract readonly verb: string
  protected readonly run: Run
  protected readonly rules: ActivityRules
  /** Set when it begins. */
  protected call!: Call

  constructor(run: Run, kind: EntryKind, name: string, rules: ActivityRules) {
    this.run = run
    this.kind = kind
    this.name = name
    this.rules = rules
  }

  protected abstract attempt(attempt: number): void

  /** The fields that every entry of the call contains. */
  protected abstract fields(): Partial<NewEntry>

  /** An attempt without a known end is repeated; it does not count as failed. */
  begin(call: Call): void {
    this.call = call
    const { recorded } = call
    if (recorded && recorded.dueAt !== null) this.#attemptAt(recorded.dueAt, recorded.attempt + 1)
    else this.attempt(Math.max(1, recorded?.attempt ?? 1))
  }

  /** The delay before the next attempt; null if there is none. */
  protected delayAfter(attempt: number, error: Error): number | null {
    const { retry } = this.rules
    if (isHopeless(error) || !isRetryable(retry, error)) return null
    return retryDelay(retry, attempt, () => this.run.host.random())
  }

  protected noteAttempt(attempt: number, change?: Partial<NewEntry>): void {
    this.run.effects.note(this.call, () => ({ ...this.fields(), attempt, dueAt: null, ...change }))
  }

  protected retryAfter(delayMs: number, attempt: number, error: Error): void {
    const { host } = this.run
    const dueAt = host.now() + delayMs
    this.noteAttempt(attempt, { dueAt, error: encodeValue(error, 'Error') })
    host.tell('activity.retried', { ...this.facts(attempt), error: error.message, delayMs })
    this.#attemptAt(dueAt, attempt + 1)
  }

  protected fail(attempt: number, error: Error): void {
    const { effects, host } = this.run
    const text = encodeValue(error, 'Error')
    effects.settle(this.call, { ...this.fields(), status: 'FAILED', attempt, error: text, dueAt: null })
    host.tell('activity.failed', { ...this.facts(attempt), error: error.message })
  }

  protected facts(attempt: number) {
    return { sequence: this.call.sequence, activity: this.name, attempt }
  }

  #attemptAt(dueAt: number, attempt: number): void {
    const { call } = this
    call.stopWaiting = this.run.effects.wait(dueAt, () => {
      if (!call.isGivenUp) this.attempt(attempt)
    })
  }
}

/** True if another attempt would fail in the same way, whatever the rules say. */
function isHopeless(error: Error): boolean {
  return (
    error instanceof NonRetryableError ||
    error instanceof InvalidPayloadError ||
    error instanceof UnstorableValueError ||
    error instanceof MisplacedCallError
  )
}

export interface AttemptFacts {
  readonly executionId: string
  readonly tenant: string
  readonly activityId: string
  readonly sequence: number
  readonly attempt: number
  readonly idempotencyKey: string
  readonly heartbeatDetails: unknown
}

export interface AttemptDeps {
  readonly logger: Logger
  after(delayMs: number, call: () => void): CancelTimer
  onHeartbeat(details: unknown, attempt: number): void
}

const NEVER: CancelTimer = () => {}

/** One attempt of an activity: its context and its time limits. */
export class ActivityAttempt implements CompensationContext<unknown> {
  readonly executionId: string
  readonly tenant: string
  readonly activityId: string
  readonly sequence: number
  readonly attempt: number
  /** May be known only after the input is validated. */
  idempotencyKey: string
  readonly heartbeatDetails: unknown
  /** The output of the activity that is compensated. */
  output: unknown
  readonly #deps: AttemptDeps
  readonly #abort = new LazyAbort()
  #isOver = false
  #heartbeat: ActivityContext['heartbeat'] | null = null
  #heartbeatMs: number | null = null
  #stopTimer: CancelTimer = NEVER
  #stopHeartbeat: CancelTimer = NEVER
  #onTimeout: (error: Error) => void = NEVER

  constructor(facts: AttemptFacts, deps: AttemptDeps) {
    this.executionId = facts.executionId
    this.tenant = facts.tenant
    this.activityId = facts.activityId
    this.sequence = facts.sequence
    this.attempt = facts.attempt
    this.idempotencyKey = facts.idempotencyKey
    this.heartbeatDetails = facts.heartbeatDetails
    this.#deps = deps
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get logger(): Logger {
    return this.#deps.logger
  }

  /** Bound, because activities take it out of the context. */
  get heartbeat(): ActivityContext['heartbeat'] {
    this.#heartbeat ??= (details) => {
      if (this.#isOver) return
      this.#deps.onHeartbeat(details, this.attempt)
      this.#watchHeartbeat()
    }
    return this.#heartbeat
  }

  abort(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** The result of the work, or the error of the first time limit that it exceeds. `totalMs` is the rest of the time for all attempts. */
  perform(work: (context: ActivityAttempt) => unknown, rules: ActivityRules, totalMs: number | null): Promise<unknown> {
    const { attemptMs, heartbeatMs } = rules
    if (attemptMs === null && heartbeatMs === null && totalMs === null) {
      return this.#start(work)
    }
    return new Promise((resolve, reject) => {
      this.#onTimeout = (error) => {
        reject(error)
        this.abort(error)
      }
      this.#watch(attemptMs, totalMs, rules)
      this.#heartbeatMs = heartbeatMs
      this.#watchHeartbeat()
      // Not passed to resolve: a promise that follows another one cannot be rejected any more.
      this.#start(work).then(resolve, reject)
    })
  }

  end(): void {
    this.#isOver = true
    this.#stopTimer()
    this.#stopHeartbeat()
  }

  /** Most activities take this path, so it creates as few promises as possible. */
  #start(work: (context: ActivityAttempt) => unknown): Promise<unknown> {
    try {
      const result = work(this)
      return result instanceof Promise ? result : Promise.resolve(result)
    } catch (error) {
      return Promise.reject(errorOf(error))
    }
  }

  #watch(attemptMs: number | null, totalMs: number | null, rules: ActivityRules): void {
    const isTotalSooner = totalMs !== null && (attemptMs === null || totalMs < attemptMs)
    const ms = isTotalSooner ? totalMs : attemptMs
    if (ms === null) return
    const [timeout, limitMs] = isTotalSooner ? (['total', rules.totalMs ?? ms] as const) : (['attempt', ms] as const)
    this.#stopTimer = this.#deps.after(ms, () => this.#expire(timeout, limitMs))
  }

  #watchHeartbeat(): void {
    const ms = this.#heartbeatMs
    if (ms === null || this.#isOver) return
    this.#stopHeartbeat()
    this.#stopHeartbeat = this.#deps.after(ms, () => this.#expire('heartbeat', ms))
  }

  #expire(timeout: ActivityTimeout, limitMs: number): void {
    this.#onTimeout(new ActivityTimeoutError(this.activityId, timeout, limitMs))
  }
}
