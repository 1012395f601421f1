import { PontualError } from '../errors.ts'
import type {
  ChainCondition,
  Execution,
  ExecutionBody,
  ExecutionStatus,
  Failure,
  FinalStatus,
  Predecessor,
} from '../job/execution/execution.ts'
import type { WhereToLook } from './archive.ts'
import type { FailureRecord, FailuresQuery, SeriesBucket, SeriesQuery } from './series.ts'

export interface ExecutionStore {
  /**
   * Stores executions, ready, delayed, or waiting for others. One whose id exists already is left alone, so that a call whose answer was lost can be made again. One whose
   * idempotency key is taken (by tenant and job type) is not stored: its answer names the one that has the key. The answers stand in the
   * order of the executions.
   *
   * One that stands behind others waits until each of them has ended as asked. As soon as one of them has ended otherwise it ends as CANCELLED,
   * which is an end for those behind it too. A predecessor is stored already, or stands before it in the list, and has the same tenant;
   * else an {@link UnknownPredecessorError} is thrown, and nothing is stored. Nor is anything of a list with such a one where a key in it is taken
   * by one with another input: then an `IdempotencyError` is thrown.
   */
  enqueue(executions: readonly NewExecution[], options?: EnqueueOptions): Promise<EnqueueResult[]>
  /** Unknown ids are left out, and so are those in the archive, unless they are asked for. */
  find(ids: readonly string[], where?: WhereToLook): Promise<Execution[]>
  /** The newest first. */
  list(filter: ExecutionFilter): Promise<Execution[]>
  /** Of one tenant, as people look for them; the newest first. */
  search(query: ExecutionSearch): Promise<Execution[]>
  /** Jobs of a tenant that have such an execution, in any order. */
  ran(query: RanQuery): Promise<string[]>
  /** The last executions of each of some jobs, in short; the newest first. */
  recent(query: RecentQuery): Promise<RecentExecution[]>
  /**
   * Ends executions that are queued, waiting or running: CANCELLED. From then on nobody can claim them or record a result. A durable execution that has begun,
   * and is not DIVERGED, is asked to end itself, where that is not forced. The answers stand in the order of the ids.
   */
  cancel(requests: readonly CancelRequest[]): Promise<CancelResult[]>
  /** How the executions ended that one stands behind, in the order given. Those that have not ended are left out. */
  predecessors(id: string): Promise<PredecessorRecord[]>
  /** All executions that hang together with one, before and behind it, at most `limit`, and the links between them; null where there is no such execution. */
  chain(id: string, limit: number): Promise<ChainRecord | null>
  /**
   * Removes executions that ended before an instant, with all that hangs on them, at most `limit`. One that another stands behind which has
   * not ended is kept. Returns how many. With a tenant: only its own.
   */
  purge(finishedBefore: number, limit: number, tenant?: string): Promise<number>
  /** How many there are now, by status; final ones are not counted. */
  count(tenant?: string): Promise<Readonly<Record<'QUEUED' | 'WAITING' | 'RUNNING' | 'DIVERGED', number>>>
  /** How many executions of a tenant may be claimed now, by queue, in the order of queues; those without any are left out. */
  queues(tenant: string): Promise<QueueLength[]>
  /** How the executions of a tenant, or of one of its jobs, have ended. */
  statistics(query: StatisticsQuery): Promise<Statistics>
  /** What is measured of the executions of a tenant, or of all. */
  measure(query: MeasureQuery): Promise<Measures>
  /** The same of a tenant by when they ended, the oldest bucket first; those in which nothing ended are left out. */
  series(query: SeriesQuery): Promise<SeriesBucket[]>
  /** What FAILED or timed out of a tenant's, the latest first. */
  failures(query: FailuresQuery): Promise<FailureRecord[]>
  /** When the execution was created, or due, that is the oldest of those of a tenant that may be claimed now; null where there is none. */
  oldestQueuedAt(tenant: string): Promise<number | null>
}

export interface QueueLength {
  readonly queue: string
  readonly queued: number
}

export interface StatisticsQuery {
  readonly tenant: string
  /** Only those of this job. */
  readonly jobId?: string | undefined
  /** Only those that ended at or after this instant. */
  readonly since: number
  /** At most the newest so many. Of a job, one that outlasted more than so many later ones may be left out. */
  readonly limit: number
}

/** Durations are those of the last attempt, of executions that ran; null where there is none. */
export interface Statistics {
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
  readonly cancelled: number
  /** Of all of them, those with more than one attempt. */
  readonly retried: number
  readonly meanDurationMs: number | null
  readonly p50DurationMs: number | null
  readonly p95DurationMs: number | null
  readonly p99DurationMs: number | null
  /** From when an execution was created, or due, to its last start. */
  readonly meanQueueMs: number | null
  /** The last one that FAILED or timed out. */
  readonly lastFailure: { readonly executionId: string; readonly at: number; readonly error: Failure | null } | null
  readonly lastSuccessAt: number | null
}

export interface MeasureQuery {
  /** null: of all tenants. */
  readonly tenant: string | null
  /** Only what ended at or after this instant. */
  readonly since: number
  /** At most the newest so many. */
  readonly limit: number
}

export interface Measures {
  readonly now: number
  /** The instant asked for; where more have ended than are measured, when the oldest of those was created or due. */
  readonly measuredSince: number
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
  readonly cancelled: number
  /** Of all of them, those with more than one attempt. */
  readonly retried: number
  /** How many FAILED or timed out after the last one that succeeded. */
  readonly consecutiveFailures: number
  /** Of the last attempts; null where none ran. */
  readonly meanDurationMs: number | null
  /** From when an execution was created, or due, to its last start; null where none ran. */
  readonly meanQueueMs: number | null
  /** How long attempts have held a slot since the instant: all of what has ended, and those that run. */
  readonly busyMs: number
  readonly lateness: LatenessMeasures
}

/** From when an occurrence was due to the start of its first attempt, also where it was missed and made up for. */
interface LatenessMeasures {
  /** How many started. */
  readonly count: number
  /** Of these, how many within a second. */
  readonly onTime: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  readonly maxMs: number | null
}

export interface NewExecution {
  readonly body: ExecutionBody
  /** When it may run; null, or an instant that is past: now. */
  readonly runAt: number | null
  /** How long from now until it may run, where no instant is given: counted by the store's clock. */
  readonly delayMs?: number | undefined
  /** What it stands behind; then it has neither instant nor delay. */
  readonly after?: readonly Predecessor[] | undefined
  /** Where it is not needed it is removed without a trace, in place of being CANCELLED. Such a one has no idempotency key. */
  readonly isDeclared?: boolean | undefined
}

/** How a predecessor ended. */
export interface PredecessorRecord {
  readonly executionId: string
  /** null where it was removed. */
  readonly jobType: string | null
  /** One that was removed counts as CANCELLED. */
  readonly status: FinalStatus
  /** As stored. */
  readonly output: string | null
  readonly error: Failure | null
}

/** Executions that hang together, and how. */
export interface ChainRecord {
  /** The oldest first. */
  readonly executions: readonly ChainMember[]
  readonly links: readonly ChainLink[]
}

/** An execution of a chain. */
export interface ChainMember {
  readonly id: string
  readonly jobType: string
  readonly status: ExecutionStatus
}

/** `to` stands behind `from`, and runs once that has ended as `on` says. */
export interface ChainLink {
  readonly from: string
  readonly to: string
  readonly on: ChainCondition
}

/** An execution was to stand behind one that does not exist. */
export class UnknownPredecessorError extends PontualError {
  constructor(predecessorId: string, tenant: string) {
    super(
      'execution.predecessor_unknown',
      `There is no execution "${predecessorId}" of tenant "${tenant}" that another could run after.`,
      { predecessorId, tenant },
    )
  }
}

export interface EnqueueOptions {
  /** The caller's own transaction: whatever has a `query(text, values)` that ends up in it. */
  readonly transaction?: TransactionClient | undefined
}

/** A client of the same database in a transaction: `pg`'s client, or a wrapper of another library around it. */
export interface TransactionClient {
  query(text: string, values: unknown[]): Promise<unknown>
}

export interface EnqueueResult {
  /** The id of the execution: the one asked for, or the one that has the key. */
  readonly id: string
  readonly isNew: boolean
  /** The payload of the one that has the key; null for a new one. */
  readonly payload: string | null
}

export interface ExecutionFilter extends WhereToLook {
  readonly tenant?: string | undefined
  readonly jobId?: string | undefined
  readonly jobType?: string | undefined
  readonly statuses?: readonly ExecutionStatus[] | undefined
  /** Only those created at or after this instant, which their ids tell. */
  readonly since?: number | undefined
  readonly limit: number
  /** Continue after this id, towards older ones. */
  readonly before?: string | undefined
}

export interface ExecutionSearch extends WhereToLook {
  readonly tenant: string
  readonly statuses?: readonly ExecutionStatus[] | undefined
  readonly jobTypes?: readonly string[] | undefined
  /** Only those of one of these jobs. */
  readonly jobIds?: readonly string[] | undefined
  /** Part of the error's message; the letters A to Z may be of either case. Only what failed, timed out, was cancelled or is DIVERGED has one. */
  readonly errorText?: string | undefined
  /** Only those created at or after this instant, which their ids tell. */
  readonly since?: number | undefined
  readonly limit: number
  /** Continue after this id, towards older ones. */
  readonly before?: string | undefined
}

export interface RanQuery {
  readonly tenant: string
  /** Default: any. */
  readonly statuses?: readonly ExecutionStatus[] | undefined
  /** Only executions created at or after this instant, and before the other one, which their ids tell. */
  readonly since: number
  readonly until?: number | undefined
}

export interface RecentQuery {
  readonly tenant: string
  readonly jobIds: readonly string[]
  /** At most so many of each. */
  readonly limit: number
  /** Only those created at or after this instant. */
  readonly since: number
}

/** What a row of a list tells of an execution. */
export type RecentExecution = Pick<Execution, 'id' | 'status' | 'createdAt' | 'startedAt' | 'finishedAt' | 'error'> & {
  readonly jobId: string
}

export interface CancelRequest {
  readonly id: string
  /** Why, in words; kept as the error's message. */
  readonly reason: string | null
  /** Ends a durable execution at once, without what it does to clean up. Default: false. */
  readonly force?: boolean | undefined
  /** Who asked for it, for the audit log; null or absent: Pontual itself. */
  readonly by?: string | null | undefined
}

/** `cancelling`: a durable execution cleans up, and then ends. `final`: it had ended before. `unknown`: there is none. */
export type CancelResult = 'cancelled' | 'cancelling' | 'final' | 'unknown'
