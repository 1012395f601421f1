import type { Run } from '../../durable/run.ts'
import type { PredecessorResult } from '../../job/execution/execution.ts'
import type { JobContext } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import type { MisfireInfo } from '../../time/misfire/resolution.ts'
import type { AttemptContext } from '../running/attempt-context.ts'

export interface RunContextParts {
  readonly run: Run
  readonly predecessors: readonly PredecessorResult[]
  readonly log: Logger
  /** The context of the attempt that holds the run now. */
  current(): AttemptContext
}

/** The result of `currentExecution()` in a durable job and in its activities. */
export class RunContext implements JobContext {
  readonly executionId: string
  readonly jobType: string
  readonly jobId: string | null
  readonly tenant: string
  readonly attempt: number
  readonly maxAttempts: number
  readonly scheduledAt: number | null
  readonly misfire: MisfireInfo | null
  readonly predecessors: readonly PredecessorResult[]
  readonly idempotencyKey: string
  readonly logger: Logger
  readonly #parts: RunContextParts

  constructor(parts: RunContextParts) {
    const first = parts.current()
    this.#parts = parts
    this.executionId = first.executionId
    this.jobType = first.jobType
    this.jobId = first.jobId
    this.tenant = first.tenant
    this.attempt = first.attempt
    this.maxAttempts = first.maxAttempts
    this.scheduledAt = first.scheduledAt
    this.misfire = first.misfire
    this.predecessors = parts.predecessors
    this.idempotencyKey = first.idempotencyKey
    this.logger = parts.log
  }

  get signal(): AbortSignal {
    return this.#parts.run.abort.signal
  }

  /** Bound, because handlers take it out of the context. */
  readonly progress = (fraction: number, note?: string): void => {
    if (this.#parts.run.phase !== 'replaying') this.#parts.current().progress(fraction, note)
  }

  readonly checkpoint = (state: unknown): Promise<void> => this.#parts.current().checkpoint(state)

  readonly lastCheckpoint = <State = unknown>(): Promise<State | undefined> =>
    this.#parts.current().lastCheckpoint<State>()
}
