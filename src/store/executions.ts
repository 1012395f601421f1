import type { Execution, ExecutionBody, ExecutionStatus } from '../job/execution.ts'

export interface ExecutionStore {
  /**
   * Stores executions, ready or delayed. One whose id exists already is left alone, so that a call whose answer was lost can be made again. One whose
   * idempotency key is taken (by tenant and job type) is not stored: its answer names the one that has the key. The answers stand in the
   * order of the executions.
   */
  enqueue(executions: readonly NewExecution[], options?: EnqueueOptions): Promise<EnqueueResult[]>
  /** Unknown ids are left out. */
  find(ids: readonly string[]): Promise<Execution[]>
  /** The newest first. */
  list(filter: ExecutionFilter): Promise<Execution[]>
  /**
   * Ends executions that are queued, waiting or running: CANCELLED. From then on nobody can claim them or record a result. The answers
   * stand in the order of the ids.
   */
  cancel(requests: readonly CancelRequest[]): Promise<CancelResult[]>
  /** Removes executions that ended before an instant, with all that hangs on them, at most `limit`. Returns how many. */
  purge(finishedBefore: number, limit: number): Promise<number>
  /** How many there are now, by status; final ones are not counted. */
  count(): Promise<Readonly<Record<'QUEUED' | 'WAITING' | 'RUNNING', number>>>
}

export interface NewExecution {
  readonly body: ExecutionBody
  /** When it may run; null, or an instant that is past: now. */
  readonly runAt: number | null
  /** How long from now until it may run, where no instant is given: counted by the store's clock. */
  readonly delayMs?: number | undefined
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

export interface ExecutionFilter {
  readonly tenant?: string | undefined
  readonly jobId?: string | undefined
  readonly jobType?: string | undefined
  readonly statuses?: readonly ExecutionStatus[] | undefined
  readonly limit: number
  /** Continue after this id, towards older ones. */
  readonly before?: string | undefined
}

export interface CancelRequest {
  readonly id: string
  /** Why, in words; kept as the error's message. */
  readonly reason: string | null
}

/** `final`: it had ended before. `unknown`: there is none. */
export type CancelResult = 'cancelled' | 'final' | 'unknown'
