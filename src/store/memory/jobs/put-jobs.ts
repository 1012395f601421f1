import type { Job } from '../../../job/job.ts'
import { faultReason, fires } from '../../../job/job-status.ts'
import type { LedgerEntry } from '../../../time/misfire/resolve.ts'
import type { JobChange, JobPutResult } from '../../jobs.ts'
import { frozenCopy } from '../schema/frozen.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'

/** Writes a job if it still is what the writer saw. */
export function putJob(tables: Tables, change: JobChange, now: number): JobPutResult {
  const { job, expectedNextFireAt, ledger, audit } = change
  const stored = tables.jobs.get(job.id)
  if (!isAsSeen(stored, change)) return 'conflict'
  if (isNameTaken(tables, job)) return 'nameTaken'
  tables.jobs.put(
    frozenCopy({
      id: job.id,
      tenant: job.tenant,
      name: job.name,
      status: job.status,
      resumeStatus: job.resumeStatus,
      statusReason: job.statusReason,
      pausedUntil: job.pausedUntil,
      origin: job.origin,
      definition: job.definition,
      details: job.details,
      schedule: stored && expectedNextFireAt === undefined ? stored.schedule : job.schedule,
      version: job.version,
      createdAt: stored?.createdAt ?? now,
      updatedAt: now,
    }),
  )
  recordMissed(tables, job.id, ledger, now)
  if (audit) tables.audit.write({ ...audit, tenant: job.tenant }, now)
  return 'stored'
}

function isAsSeen(stored: Job | undefined, { expectedVersion, expectedNextFireAt }: JobChange): boolean {
  if (!stored || expectedVersion === null) return !stored && expectedVersion === null
  if (stored.version !== expectedVersion) return false
  return expectedNextFireAt === undefined || stored.schedule.nextFireAt === expectedNextFireAt
}

function isNameTaken(tables: Tables, job: Job): boolean {
  if (job.status === 'DELETED') return false
  const holder = tables.jobsByName.group(keyOf(job.tenant, job.name))?.first
  return holder !== undefined && holder.id !== job.id
}

/** Keeps what was decided about occurrences that were not fired; the same range is kept once. */
export function recordMissed(tables: Tables, jobId: string, ledger: readonly LedgerEntry[], now: number): void {
  for (const { from, to, count, decision, cause } of ledger) {
    if (decision === 'firedLate') continue
    tables.missedByJob.add(Object.freeze({ jobId, from, to, count, decision, cause, recordedAt: now }))
  }
}

/** Marks a job that fires by itself as FAULTED; its definition says whether it continues to fire. */
export function faultJob(tables: Tables, jobId: string | null, executionId: string, now: number): void {
  const job = jobId === null ? undefined : tables.jobs.get(jobId)
  if (!job || !fires(job.status)) return
  changeStatus(
    tables,
    job,
    {
      status: 'FAULTED',
      resumeStatus: job.status,
      statusReason: faultReason(executionId),
    },
    now,
  )
}

/** Ends the fault of a job. */
export function healJob(tables: Tables, jobId: string | null, now: number): void {
  const job = jobId === null ? undefined : tables.jobs.get(jobId)
  if (job?.status !== 'FAULTED') return
  changeStatus(tables, job, { status: job.resumeStatus ?? 'ACTIVE', resumeStatus: null, statusReason: null }, now)
  tables.audit.noteHealed(job.id)
}

function changeStatus(
  tables: Tables,
  job: Job,
  change: Pick<Job, 'status' | 'resumeStatus' | 'statusReason'>,
  now: number,
): void {
  tables.jobs.put(Object.freeze({ ...job, ...change, version: job.version + 1, updatedAt: now }))
}
