import type { CancelTimer } from '../clock.ts'
import type { ActivityContext, ActivityRules } from '../job/activity.ts'
import type { Logger } from '../logger.ts'
import { asActivity } from './activity-scope.ts'
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
  onHeartbeat(details: unknown): void
}

const NEVER: CancelTimer = () => {}

/** One try of an activity: what it is given, and the times it has to keep. */
export class ActivityAttempt implements ActivityContext {
  readonly executionId: string
  readonly tenant: string
  readonly activityId: string
  readonly sequence: number
  readonly attempt: number
  readonly idempotencyKey: string
  readonly heartbeatDetails: unknown
  readonly #around: AttemptSurroundings
  #controller: AbortController | null = null
  #abortReason: Error | null = null
  #isOver = false
  #heartbeatMs: number | null = null
  #stopTimer: CancelTimer = NEVER
  #stopHeartbeat: CancelTimer = NEVER
  #onTimeout: (error: Error) => void = () => {}

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

  readonly heartbeat = (details?: unknown): void => {
    if (this.#isOver) return
    this.#around.onHeartbeat(details)
    this.#watchHeart()
  }

  get wasAborted(): boolean {
    return this.#abortReason !== null
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason
    this.#controller?.abort(reason)
  }

  /** What the work gives, or the error of the first of its times that it has overrun. `totalMs` is what is left of all of it. */
  perform(work: (context: ActivityContext) => unknown, rules: ActivityRules, totalMs: number | null): Promise<unknown> {
    const { attemptMs, heartbeatMs } = rules
    return new Promise((resolve, reject) => {
      this.#onTimeout = (error) => {
        reject(error)
        this.abort(error)
      }
      this.#watch(attemptMs, totalMs, rules)
      this.#heartbeatMs = heartbeatMs
      this.#watchHeart()
      try {
        resolve(asActivity(this.activityId, () => work(this)))
      } catch (error) {
        // As it was thrown: whoever asked looks at its class.
        reject(error as Error)
      }
    })
  }

  end(): void {
    this.#isOver = true
    this.#stopTimer()
    this.#stopHeartbeat()
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
    if (ms === null) return
    this.#stopHeartbeat()
    this.#stopHeartbeat = this.#around.after(ms, () => this.#overrun('heartbeat', ms))
  }

  #overrun(timeout: ActivityTimeout, limitMs: number): void {
    this.#onTimeout(new ActivityTimeoutError(this.activityId, timeout, limitMs))
  }
}
