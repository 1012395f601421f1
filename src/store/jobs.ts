import type { AuditDraft } from '../access/audit.ts'
import type { Job } from '../job/job.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { Priority } from '../job/rules/priority.ts'
import type { LedgerEntry } from '../time/misfire/resolve.ts'

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
  /** Those that would be found, by id and status only, in the order of their ids. */
  select(selection: JobSelection, limit: number): Promise<SelectedJob[]>
  /** Where the triggers stand of a tenant's jobs that fire by themselves (ACTIVE, APPROVED, and FAULTED ones that continue), in the order of their names. */
  schedules(query: ScheduleQuery): Promise<ScheduledJob[]>
  /** How many jobs a tenant has, by status; DELETED ones are not counted. */
  count(tenant: string): Promise<Readonly<Partial<Record<JobStatus, number>>>>
  /** How many jobs a tenant has of which job type, in the order of job types; DELETED ones are not counted. */
  countTypes(tenant: string): Promise<JobTypeCount[]>
  /**
   * Jobs that fire by themselves (ACTIVE, APPROVED) and are due, and PAUSED ones whose pause is over, the longest due first. Reads only: to fire or resume
   * them is another verb.
   */
  due(limit: number): Promise<DueJobs>
  /**
   * Removes jobs and all that hangs on them: occurrences, executions in every state with attempts, results and logs. Returns how many
   * jobs there were.
   */
  remove(ids: readonly string[]): Promise<number>
}

interface DueJobs {
  readonly now: number
  readonly jobs: Job[]
  /** Those tenants among theirs that are suspended: what is due of them does not fire. */
  readonly suspended: readonly string[]
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

export interface ScheduleQuery {
  readonly tenant: string
  readonly limit: number
  /** Continue after this name. */
  readonly after?: string | undefined
}

/** As much of a job as tells when it fires. */
export interface ScheduledJob extends Pick<Job, 'id' | 'name' | 'schedule'> {
  readonly calendar: string | null
}

export interface JobTypeCount {
  readonly jobType: string
  readonly count: number
}

/** Which jobs are asked for; absent: any. */
export interface JobFilter {
  readonly tenant?: string | undefined
  readonly statuses?: readonly JobStatus[] | undefined
  readonly jobType?: string | undefined
  /** Whether each needs an approval, by its own setting: a sensitive job type sets it for its jobs. */
  readonly isSensitive?: boolean | undefined
  readonly limit: number
  /** Continue after this job. */
  readonly after?: { readonly tenant: string; readonly name: string } | undefined
}

/** Jobs of one tenant that fit all of what is said. Without DELETED ones, unless asked for by status. */
export interface JobSelection {
  readonly tenant: string
  /** Part of the name or the description, or the whole of a tag; letters may be of either case. */
  readonly text?: string | undefined
  /** Part of the name, any of these; letters may be of either case. */
  readonly names?: readonly string[] | undefined
  readonly statuses?: readonly JobStatus[] | undefined
  readonly jobTypes?: readonly string[] | undefined
  readonly priorities?: readonly Priority[] | undefined
  readonly tag?: string | undefined
  /** The whole of a tag, any of these; letters may be of either case. */
  readonly tags?: readonly string[] | undefined
  /** In one of these statuses, or one of these jobs. */
  readonly either?: { readonly statuses: readonly JobStatus[]; readonly ids: readonly string[] } | undefined
}

export interface SelectedJob {
  readonly id: string
  readonly status: JobStatus
}

export interface JobSearch extends JobSelection {
  readonly sort: JobSort
  readonly isDescending: boolean
  readonly limit: number
  /** Continue after the job that has this value in the field sorted by, and this id. Nulls stand last in either direction. */
  readonly after?: { readonly value: string | number | null; readonly id: string } | undefined
}

/** Text in the order of code points; priorities from HIGH to LOW. */
export type JobSort = 'name' | 'status' | 'jobType' | 'priority' | 'nextFireAt' | 'createdAt' | 'updatedAt'

/** Whether somebody asks for jobs that are DELETED, which are left out otherwise. */
export function isDeletedWanted({ statuses, either }: JobSelection): boolean {
  return [...(statuses ?? []), ...(either?.statuses ?? [])].includes('DELETED')
}

const PAGE = 500

/** Every job that matches a filter, read page by page. */
export async function* everyJob(
  jobs: Pick<JobStore, 'list'>,
  filter: Omit<JobFilter, 'limit' | 'after'>,
): AsyncGenerator<Job> {
  let after: JobFilter['after']
  for (;;) {
    const page = await jobs.list({ ...filter, limit: PAGE, after })
    yield* page
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = { tenant: last.tenant, name: last.name }
  }
}
