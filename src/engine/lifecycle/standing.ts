import type { Job } from '../../job/job.ts'
import type { JobDetails } from '../../job/job-details.ts'
import { JobConflictError, type JobStatus } from '../../job/job-status.ts'
import type { Author } from './author.ts'
import { hashDefinition } from './hash-definition.ts'
import { isSensitiveType, type LifecycleSurroundings } from './surroundings.ts'

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
export function isSensitive(around: Pick<LifecycleSurroundings, 'types'>, { details, definition }: Work): boolean {
  return details.isSensitive || isSensitiveType(around, definition.jobType)
}

/** Whether a job may run what it is defined to run: a sensitive one needs a second person's yes to that. */
export function mayRun(around: Pick<LifecycleSurroundings, 'types'>, job: Work): boolean {
  return !isSensitive(around, job) || isApproved(job)
}

/** Throws where a sensitive job has no approval of what it would run. */
export function requireApproval(around: Pick<LifecycleSurroundings, 'types'>, job: Job): void {
  if (mayRun(around, job)) return
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
