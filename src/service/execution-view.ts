import type { AttemptStatus, ExecutionOrigin, ExecutionStatus } from '../job/execution/execution.ts'
import type { UnreadableCode } from '../job/execution/unreadable.ts'
import type { Priority } from '../job/rules/priority.ts'

/** An execution as it stands on the wire. */
export interface ExecutionView {
  readonly id: string
  readonly clienteId: string
  readonly jobId: string | null
  /** null where there is no job, or none any more. */
  readonly jobName: string | null
  readonly jobType: string
  readonly executionNumber: number | null
  readonly status: ExecutionStatus
  readonly origin: ExecutionOrigin
  readonly priority: Priority
  readonly createdAt: string
  readonly scheduledAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  /** From its last start to its end. */
  readonly durationMs: number | null
  /** The same in seconds. */
  readonly duration: number | null
  readonly errorMessage: string | null
  readonly error: { readonly name: string; readonly message: string; readonly code?: string | undefined } | null
  /** Attempts but the first. */
  readonly retryCount: number
  readonly nextRetryAt: string | null
  readonly executedBy: string | null
  readonly retryOf: string | null
  readonly progress: number | null
  readonly progressNote: string | null
  readonly misfire: unknown
  readonly divergence: unknown
  readonly attempts: readonly AttemptView[]
}

/** With what it was given and what it gave. */
export interface ExecutionDetailView extends ExecutionView {
  readonly payload: unknown
  /** Why there is no payload to be seen, where there was one; absent for most. */
  readonly payloadError?: UnreadableCode | undefined
  readonly output: unknown
  readonly outputError?: UnreadableCode | undefined
  /** What people should do about its error, in the language of the answer, as mails say it; null where there is none. */
  readonly recommendedAction: string | null
  /** It waits to start, and no active node knows its job type; false if no node is active. */
  readonly isTypeUnknown: boolean
  /** Its log as text, up to a size; null for those who may not see logs, and where it was not asked for. */
  readonly logOutput: string | null
}

export interface AttemptView {
  readonly attempt: number
  readonly status: AttemptStatus
  readonly nodeId: string | null
  readonly startedAt: string
  readonly endedAt: string | null
  readonly errorMessage: string | null
}

/** What a row of a list of jobs tells of an execution. */
export type RecentExecutionView = Pick<ExecutionView, 'id' | 'status' | 'createdAt' | 'durationMs' | 'errorMessage'>
