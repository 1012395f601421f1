import type { AuditDraft } from '../../../access/audit.ts'
import type { ExecutionBody } from '../../../job/execution/execution.ts'
import type { Job } from '../../../job/job.ts'
import { faultReason } from '../../../job/job-status.ts'
import { compareIds } from '../schema/compare.ts'
import type { ResultRow } from '../schema/rows.ts'
import { figureKey } from '../schema/service-tables.ts'
import type { Tables } from '../schema/tables.ts'

/** The longest error message that the log keeps. */
const MESSAGE_LENGTH = 2_000

/** Writes the entry of each execution that a statement has ended, and numbers those of a job. */
export function tellEnds(tables: Tables, now: number): void {
  const { ends, healed } = tables.audit.takeEnds()
  if (ends.length === 0) return
  followJobs(tables, ends)
  for (const row of ends.toSorted((a, b) => compareIds(a.body.id, b.body.id))) {
    const { id, tenant, jobId, jobType } = row.body
    // Where several might have, it is the oldest.
    const heals = row.status === 'SUCCESS' && jobId !== null && healed.delete(jobId)
    const draft = draftOf(tables, row, heals)
    const newValues = jobId === null ? { jobType, ...draft.newValues } : draft.newValues
    tables.audit.write({ ...draft, newValues, tenant, jobId, executionId: id }, now)
    if (jobId !== null) tables.audit.number(id, jobId)
    tables.audit.cancellers.delete(id)
    if (row.status === 'FAILED' || row.status === 'TIMEOUT') tellFailure(tables, row.body, now)
  }
}

function draftOf(tables: Tables, row: ResultRow, heals: boolean): Omit<AuditDraft, 'jobId' | 'executionId'> {
  const { body, status, error, startedAt, finishedAt, attempt } = row
  const job = tables.jobs.get(body.jobId ?? '')
  const userId = body.options?.requestedBy ?? null
  switch (status) {
    case 'SUCCESS': {
      const ran =
        startedAt === null ? {} : { executionTime: wireInstant(startedAt), durationMs: finishedAt - startedAt }
      return {
        operation: 'JOBS_JOB_EXECUTE',
        userId,
        oldValues: heals ? { status: 'FAULTED' } : null,
        newValues: { ...ran, ...(heals && { status: job?.status }) },
      }
    }
    case 'FAILED':
    case 'TIMEOUT': {
      const faults = hasFaulted(job, body.id)
      const told = { errorMessage: messageOf(error?.message), retryCount: Math.max(0, attempt - 1) }
      return {
        operation: 'JOBS_JOB_FAIL',
        userId,
        oldValues: faults ? { status: job.resumeStatus } : null,
        newValues: faults ? { ...told, status: job.status } : told,
      }
    }
    case 'CANCELLED':
      return {
        operation: 'JOBS_JOB_CANCEL',
        userId: row.endedBy ?? tables.audit.cancellers.get(body.id) ?? null,
        oldValues: null,
        newValues: { reason: messageOf(error?.message) },
      }
  }
}

function hasFaulted(job: Job | undefined, executionId: string): job is Job {
  return job?.status === 'FAULTED' && job.statusReason === faultReason(executionId)
}

function wireInstant(at: number): string {
  return new Date(at).toISOString()
}

/** As PostgreSQL holds it: without NUL and halves of surrogate pairs. */
function messageOf(message: string | undefined): string | null {
  if (message === undefined) return null
  const short = message.length > MESSAGE_LENGTH ? Array.from(message).slice(0, MESSAGE_LENGTH).join('') : message
  return short.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Posts the notification of an execution that failed for good, in the statement that records the failure. */
function tellFailure(tables: Tables, { id, tenant, jobId }: ExecutionBody, now: number): void {
  const facts = { jobId, executionId: id }
  tables.service.notifications.post([{ id, tenant, kind: 'job.failed', at: now, facts }])
}

/** Opens the alerts of jobs of which an execution has failed, and closes those of jobs whose last end is a success. */
function followJobs({ service: { alerts } }: Tables, ends: readonly ResultRow[]): void {
  const lastOf = new Map<string, ResultRow>()
  for (const row of ends.toSorted((a, b) => compareIds(a.body.id, b.body.id))) {
    const { id, jobId, tenant } = row.body
    if (jobId === null || row.status === 'CANCELLED') continue
    lastOf.set(jobId, row)
    const rule = alerts.rules.get(figureKey({ tenant, scope: 'tenant', kind: 'jobFailed' }))
    if (row.status === 'SUCCESS' || alerts.openOfJob.has(jobId) || rule?.isEnabled === false) continue
    alerts.open({
      id,
      tenant,
      scope: 'tenant',
      kind: 'jobFailed',
      jobId,
      executionId: id,
      value: null,
      threshold: null,
      since: row.finishedAt,
      openedAt: row.finishedAt,
      closedAt: null,
      outcome: null,
    })
  }
  for (const [jobId, { status, finishedAt }] of lastOf) {
    const open = alerts.openOfJob.get(jobId)
    if (open !== undefined && status === 'SUCCESS') alerts.close(open, finishedAt, 'recovered')
  }
}
