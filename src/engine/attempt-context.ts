import type { JobContext } from '../job/job-type.ts'
import type { Logger } from '../logger.ts'
import type { ClaimedExecution } from '../store/leases.ts'
import type { MisfireInfo } from '../time/misfire/resolution.ts'
import { ExecutionLog, type ExecutionLogOptions } from './execution-log.ts'
import type { ProgressReporter } from './progress-reporter.ts'

export interface AttemptContextParts {
  readonly claimed: ClaimedExecution
  readonly misfire: MisfireInfo | null
  readonly progress: ProgressReporter
  readonly log: Omit<ExecutionLogOptions, 'held' | 'attempt' | 'facts'>
}

/** What a handler is given. Signal and log are made when they are first asked for: most handlers ask for neither. */
export class AttemptContext implements JobContext {
  readonly executionId: string
  readonly jobType: string
  readonly jobId: string | null
  readonly tenant: string
  readonly attempt: number
  readonly maxAttempts: number
  readonly scheduledAt: number | null
  readonly misfire: MisfireInfo | null
  readonly idempotencyKey: string
  readonly #parts: AttemptContextParts
  #controller: AbortController | null = null
  #abortReason: Error | null = null
  #log: ExecutionLog | null = null

  constructor(parts: AttemptContextParts) {
    const { body, attempt } = parts.claimed
    this.executionId = body.id
    this.jobType = body.jobType
    this.jobId = body.jobId
    this.tenant = body.tenant
    this.attempt = attempt
    this.maxAttempts = body.maxAttempts
    this.scheduledAt = body.scheduledAt
    this.misfire = parts.misfire
    this.idempotencyKey = body.idempotencyKey ?? body.id
    this.#parts = parts
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#abortReason) this.#controller.abort(this.#abortReason)
    }
    return this.#controller.signal
  }

  get logger(): Logger {
    this.#log ??= this.#openLog()
    return this.#log.logger
  }

  readonly progress = (fraction: number, note?: string): void => {
    this.#parts.progress.report(this.#parts.claimed, fraction, note)
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason
    this.#controller?.abort(reason)
  }

  /** Waits until what the handler said is kept: after its end an execution takes neither lines nor progress. */
  async flush(): Promise<void> {
    await this.#log?.flush()
    await this.#parts.progress.flush(this.#parts.claimed)
  }

  #openLog(): ExecutionLog {
    const { claimed, log } = this.#parts
    const { executionId, jobType, attempt } = this
    return new ExecutionLog({ ...log, held: claimed, attempt, facts: { executionId, jobType, attempt } })
  }
}
