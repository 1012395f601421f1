import type { AuditDraft } from '../access/audit.ts'
import type { Job } from '../job/job.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { Priority } from '../job/priority.ts'
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
  /** Of one tenant, as people look for them; without DELETED ones, unless asked for by status. */
  search(query: JobSearch): Promise<Job[]>
  /** How many jobs a tenant has, by status; DELETED ones are not counted. */
  count(tenant: string): Promise<Readonly<Partial<Record<JobStatus, number>>>>
  /**
   * Jobs that fire by themselves (ACTIVE, APPROVED) and are due, and PAUSED ones whose pause is over, the longest due first. Reads only: to fire or resume
   * them is another verb.
   */
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
  /** What the audit log is told about it, if there is one. */
  readonly audit?: AuditDraft | undefined
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

export interface JobSearch {
  readonly tenant: string
  /** Part of the name or the description, or the whole of a tag; letters may be of either case. */
  readonly text?: string | undefined
  readonly statuses?: readonly JobStatus[] | undefined
  readonly jobTypes?: readonly string[] | undefined
  readonly priorities?: readonly Priority[] | undefined
  readonly tag?: string | undefined
  readonly sort: JobSort
  readonly isDescending: boolean
  readonly limit: number
  /** Continue after the job that has this value in the field sorted by, and this id. Nulls stand last in either direction. */
  readonly after?: { readonly value: string | number | null; readonly id: string } | undefined
}

/** Text in the order of code points; priorities from HIGH to LOW. */
export type JobSort = 'name' | 'status' | 'jobType' | 'priority' | 'nextFireAt' | 'createdAt' | 'updatedAt'
