import type { CancelTimer } from '../clock.ts'
import type { ActivityContext, ActivityRules } from '../job/activity/activity.ts'
import type { Logger } from '../logger.ts'
import { errorOf } from './error-of.ts'
import { type ActivityTimeout, ActivityTimeoutError } from './errors.ts'

export interface AttemptFacts {
  readonly executionId: string
  readonly tenant: string
  readonly activityId: string
  readonly sequence: number
  readonly attempt: number
  readonly idempotencyKey: string
  readonly heartbeatDetails: unknown
}

export interface AttemptSurroundings {
  readonly logger: Logger
  after(delayMs: number, call: () => void): CancelTimer
  /** A heartbeat told something. */
  onHeartbeat(details: unknown, attempt: number): void
}

const NEVER: CancelTimer = () => {}

/** One try of an activity: what it is given, and the times it has to keep. */
export class ActivityAttempt implements ActivityContext {
  readonly executionId: string
  readonly tenant: string
  readonly activityId: string
  readonly sequence: number
  readonly attempt: number
  /** May be known only once the input is checked. */
  idempotencyKey: string
  readonly heartbeatDetails: unknown
  readonly #around: AttemptSurroundings
  #controller: AbortController | null = null
  #abortReason: Error | null = null
  #isOver = false
  #heartbeat: ActivityContext['heartbeat'] | null = null
  #heartbeatMs: number | null = null
  #stopTimer: CancelTimer = NEVER
  #stopHeartbeat: CancelTimer = NEVER
  #onTimeout: (error: Error) => void = NEVER

  constructor(facts: AttemptFacts, around: AttemptSurroundings) {
    this.executionId = facts.executionId
    this.tenant = facts.tenant
    this.activityId = facts.activityId
    this.sequence = facts.sequence
    this.attempt = facts.attempt
    this.idempotencyKey = facts.idempotencyKey
    this.heartbeatDetails = facts.heartbeatDetails
    this.#around = around
  }

  /** Made when it is first asked for: most activities do not. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#abortReason) this.#controller.abort(this.#abortReason)
    }
    return this.#controller.signal
  }

  get logger(): Logger {
    return this.#around.logger
  }

  /** Bound, since it is taken out of the context. */
  get heartbeat(): ActivityContext['heartbeat'] {
    this.#heartbeat ??= (details) => {
      if (this.#isOver) return
      this.#around.onHeartbeat(details, this.attempt)
      this.#watchHeart()
    }
    return this.#heartbeat
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason
    this.#controller?.abort(reason)
  }

  /** What the work gives, or the error of the first of its times that it has overrun. `totalMs` is what is left of all of it. */
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
      this.#watchHeart()
      // Not handed to resolve: a promise that follows another cannot be rejected any more.
      this.#start(work).then(resolve, reject)
    })
  }

  end(): void {
    this.#isOver = true
    this.#stopTimer()
    this.#stopHeartbeat()
  }

  /** As few promises as can be: this is what most activities come down to. */
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
    this.#stopTimer = this.#around.after(ms, () => this.#overrun(timeout, limitMs))
  }

  #watchHeart(): void {
    const ms = this.#heartbeatMs
    if (ms === null || this.#isOver) return
    this.#stopHeartbeat()
    this.#stopHeartbeat = this.#around.after(ms, () => this.#overrun('heartbeat', ms))
  }

  #overrun(timeout: ActivityTimeout, limitMs: number): void {
    this.#onTimeout(new ActivityTimeoutError(this.activityId, timeout, limitMs))
  }
}
