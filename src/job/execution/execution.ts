import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import type { Divergence } from '../activity/divergence.ts'
import type { Priority } from '../rules/priority.ts'
import type { RetryRules } from '../rules/retry.ts'

/** One run of a job type, from creation to a final status. */
export type ExecutionStatus = 'QUEUED' | 'RUNNING' | 'WAITING' | 'DIVERGED' | FinalStatus

/** How an execution has ended. */
export type FinalStatus = 'SUCCESS' | 'FAILED' | 'TIMEOUT' | 'CANCELLED'

/** One try of an execution by one node; LOST when that node died. */
export type AttemptStatus = 'RUNNING' | 'LOST' | FinalStatus

export const FINAL_STATUSES: readonly FinalStatus[] = Object.freeze<FinalStatus[]>([
  'SUCCESS',
  'FAILED',
  'TIMEOUT',
  'CANCELLED',
])

export const EXECUTION_STATUSES: readonly ExecutionStatus[] = Object.freeze<ExecutionStatus[]>([
  'QUEUED',
  'RUNNING',
  'WAITING',
  'DIVERGED',
  ...FINAL_STATUSES,
])

export function isFinal(status: ExecutionStatus): status is FinalStatus {
  return (FINAL_STATUSES as readonly ExecutionStatus[]).includes(status)
}

/** What brought an execution about. */
export type ExecutionOrigin = 'enqueue' | 'schedule' | 'manual' | 'retry'

/** What an execution has beside what every execution has; absent where the job type's own rules hold. */
export interface ExecutionOptions {
  readonly timeoutMs?: number | undefined
  readonly retry?: RetryRules | undefined
  /** What was missed, where a misfire caused the run. */
  readonly misfire?: MisfireInfo | undefined
  /** How long an occurrence may wait for a slot before its job's policy decides about it, where that is not a minute. */
  readonly lateAfterMs?: number | undefined
  /** How many of its job may run at once, where the job has such a limit when it is asked for; the limit that holds is the job's own. */
  readonly concurrency?: number | undefined
  /** Its job was FAULTED as it fired: a success ends that. */
  readonly heals?: boolean | undefined
  /** It runs also where the result of an equal run is kept. */
  readonly fresh?: boolean | undefined
  /** It stands behind others: what they gave is read before it runs. */
  readonly isFollower?: boolean | undefined
  /** The execution this one repeats. */
  readonly retryOf?: string | undefined
  /** What it does is recorded step by step, and replayed after a crash: its job type is durable. */
  readonly durable?: boolean | undefined
  /** The durable execution that started it and waits for its end. */
  readonly parent?: string | undefined
  /** The call of its parent that it performs, where it is an activity with a queue of its own. */
  readonly activity?: ActivityCall | undefined
  /** Its history began as a copy of that of another. */
  readonly isForked?: boolean | undefined
  /** What its chance begins from, where that is not its id: what it follows was drawn from there. */
  readonly seed?: string | undefined
  /** Who asked for it, where that was a person or a key. */
  readonly requestedBy?: string | undefined
  /** The span that sent it, as the headers of W3C Trace Context. */
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

/** Which call of a durable execution an activity performs. */
export interface ActivityCall {
  readonly sequence: number
  readonly idempotencyKey: string
  /** How long one attempt may take, and how long it may be silent; null for any time. */
  readonly attemptMs: number | null
  readonly heartbeatMs: number | null
}

/** The body of an execution: written once, never changed. */
export interface ExecutionBody {
  readonly id: string
  readonly tenant: string
  /** The job whose occurrence it is; null where someone enqueued it. */
  readonly jobId: string | null
  readonly jobType: string
  readonly queue: string
  readonly priority: Priority
  readonly origin: ExecutionOrigin
  /** As stored: JSON text, preceded by `T` if it contains tags for types that JSON lacks; null for none. */
  readonly payload: string | null
  /** The occurrence it stands for; null where there is none. */
  readonly scheduledAt: number | null
  /** Counted at claim: a run that kills its process uses one up too. */
  readonly maxAttempts: number
  readonly idempotencyKey: string | null
  readonly options: ExecutionOptions | null
  readonly createdAt: number
}

/** How an execution has to end for another one to run after it: `end` is any end, also a cancellation. */
export type ChainCondition = 'success' | 'failure' | 'end'

/** An execution that another one stands behind. */
export interface Predecessor {
  readonly id: string
  readonly on: ChainCondition
}

/** How an execution ended that the one that runs stood behind. */
export interface PredecessorResult {
  readonly executionId: string
  /** null where it was removed meanwhile. */
  readonly jobType: string | null
  readonly status: FinalStatus
  /** What it returned; undefined where it returned nothing, or did not succeed. */
  readonly output: unknown
  readonly error: Failure | null
}

/** An error as it is kept. */
export interface Failure {
  readonly name: string
  readonly message: string
  readonly code?: string | undefined
  readonly stack?: string | undefined
}

/** What is kept of an attempt. */
export interface AttemptRecord {
  readonly attempt: number
  readonly status: AttemptStatus
  readonly nodeId: string | null
  readonly startedAt: number
  /** null while it runs. */
  readonly endedAt: number | null
  readonly error: Failure | null
}

/** What is known of an execution. */
export interface Execution extends ExecutionBody {
  readonly status: ExecutionStatus
  /** Which of its job's it is, counted from 1 in the order of their ends; null until it has ended, and where there is no job or no audit log. */
  readonly number: number | null
  /** The executions it stands behind, in the order given; it is WAITING until each of them has ended. */
  readonly after: readonly Predecessor[]
  /** How many attempts were begun. */
  readonly attempt: number
  readonly epoch: number
  /** When it may run: a delay, or the wait before a retry. null once it may, or did. */
  readonly dueAt: number | null
  /** When the last attempt began. */
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly nodeId: string | null
  /** As stored, like `payload`. */
  readonly output: string | null
  /** The execution whose result this one was given in place of a run; null where it ran. */
  readonly cachedFrom: string | null
  readonly error: Failure | null
  /** Why it is DIVERGED, as data; null where it is not. */
  readonly divergence: Divergence | null
  /** From 0 to 1, as the handler last said. */
  readonly progress: number | null
  readonly progressNote: string | null
  /** All attempts, the first one first. */
  readonly attempts: readonly AttemptRecord[]
}
