import type { Job } from '../job/job.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { LedgerEntry } from '../time/misfire/resolution.ts'

export interface JobStore {
  /**
   * Writes each job if it still is what the writer saw. A name is unique within a tenant among jobs that are not DELETED. The answers stand
   * in the order of the changes. Missed occurrences in `ledger` are recorded together with the change.
   */
  put(changes: readonly JobChange[]): Promise<JobPutResult[]>
  /** Jobs by id, in any status; unknown ids are left out. */
  find(ids: readonly string[]): Promise<Job[]>
  /** Jobs of one tenant by name, in any status but DELETED; unknown names are left out. */
  findByName(tenant: string, names: readonly string[]): Promise<Job[]>
  /** In the order of tenant and name; without DELETED ones, unless asked for by status. */
  list(filter: JobFilter): Promise<Job[]>
  /** Jobs that fire by themselves (ACTIVE, APPROVED) and are due, the longest due first. Reads only: to fire them is another verb. */
  due(limit: number): Promise<{ readonly now: number; readonly jobs: Job[] }>
  /**
   * Removes jobs and all that hangs on them: occurrences, executions in every state with attempts, results and logs. Returns how many
   * jobs there were.
   */
  remove(ids: readonly string[]): Promise<number>
}

export interface JobChange {
  /** As it shall be; `version` is the new one, `createdAt` and `updatedAt` are the store's business. */
  readonly job: Job
  /** The version the writer saw; null when the job must not exist yet. */
  readonly expectedVersion: number | null
  /**
   * The next fire time the writer saw, where the change was computed from it: a job that fired meanwhile is a conflict. Absent: firing does not
   * matter, and the stored schedule is kept as it is.
   */
  readonly expectedNextFireAt?: number | null | undefined
  readonly ledger: readonly LedgerEntry[]
}

/** `conflict`: it changed meanwhile, or is gone. `nameTaken`: another job of the tenant has this name. */
export type JobPutResult = 'stored' | 'conflict' | 'nameTaken'

export interface JobFilter {
  readonly tenant?: string | undefined
  readonly statuses?: readonly JobStatus[] | undefined
  readonly jobType?: string | undefined
  readonly limit: number
  /** Continue after this job. */
  readonly after?: { readonly tenant: string; readonly name: string } | undefined
}
