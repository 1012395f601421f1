import { storableText } from '../../job/execution/payload.ts'
import type { Job, JobDetails } from '../../job/job.ts'
import { JobConflictError, type JobStatus } from '../../job/job-status.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Author } from './audit.ts'
import type { ChangeDeps } from './change-job.ts'
import { hashDefinition } from './hash-definition.ts'

/** What it takes to decide about a job. */
export interface LifecycleDeps extends ChangeDeps {
  /** Those that are known here: a job type may be sensitive, and then its jobs are. */
  readonly types: ReadonlyMap<string, AnyJobType>
}

export function isSensitiveType({ types }: Pick<LifecycleDeps, 'types'>, jobType: string): boolean {
  return types.get(jobType)?.isSensitive ?? false
}

/** What changes with the status of a job. */
export type Standing = Pick<Job, 'status' | 'resumeStatus' | 'statusReason' | 'pausedUntil'>

/** A status with nothing left of what was before it. */
export function standing(status: JobStatus, statusReason: string | null = null): Standing {
  return { status, resumeStatus: null, statusReason, pausedUntil: null }
}

type Work = Pick<Job, 'name' | 'definition' | 'details'>

/** Whether a second person has said yes to exactly what the job would run now. */
export function isApproved({ name, definition, details }: Work): boolean {
  return details.approval !== null && details.approval.hash === hashDefinition(name, definition)
}

/** Whether a job needs a second person's yes: it says so itself, or its job type does, where that is known here. */
export function isSensitive(deps: Pick<LifecycleDeps, 'types'>, { details, definition }: Work): boolean {
  return details.isSensitive || isSensitiveType(deps, definition.jobType)
}

/** Whether a job may run what it is defined to run: a sensitive one needs a second person's yes to that. */
export function mayRun(deps: Pick<LifecycleDeps, 'types'>, job: Work): boolean {
  return !isSensitive(deps, job) || isApproved(job)
}

/** Throws where a sensitive job has no approval of what it would run. */
export function requireApproval(deps: Pick<LifecycleDeps, 'types'>, job: Job): void {
  if (mayRun(deps, job)) return
  const message = `Job "${job.name}" needs a second person's approval of what it is now before it runs.`
  throw new JobConflictError('job.not_approved', message, { job: job.name, status: job.status })
}

/** What a job is when nothing holds it back. */
export function freeStatus(job: Job): JobStatus {
  if (job.details.isSensitive) return isApproved(job) ? 'APPROVED' : 'PENDING_APPROVAL'
  return job.resumeStatus === 'APPROVED' ? 'APPROVED' : 'ACTIVE'
}

/** Somebody has changed something about a job. */
export function touched(details: JobDetails, by: Author): JobDetails {
  return by.userId === null ? details : { ...details, updatedBy: by.userId }
}

/** Somebody has decided what a job would run: nobody's yes holds any longer, and he cannot be the one to give it. */
export function decidedBy(details: JobDetails, by: Author): JobDetails {
  return {
    ...touched(details, by),
    scheduledBy: by.userId,
    authors: [...new Set([...details.authors, ...by.persons])],
    approval: null,
  }
}

const MAX_REASON_LENGTH = 1_000

/** Why somebody did something, as it is kept. */
export function reasonText(reason: string | null): string | null {
  return reason === null ? null : storableText(reason, MAX_REASON_LENGTH)
}
