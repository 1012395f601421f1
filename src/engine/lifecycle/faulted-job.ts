import type { Job } from '../../job/job.ts'
import { fires } from '../../job/job-status.ts'
import { audited } from './audit-values.ts'
import { NOBODY } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { reasonText } from './reason.ts'
import { freeStatus, standing } from './standing.ts'

/** How a job stops that cannot be decided about. */
export function faultedJob(job: Job, reason: string): JobDecision {
  const resumeStatus = fires(job.status) ? job.status : freeStatus(job)
  const change = changeOf(job, { ...standing('FAULTED', reasonText(reason)), resumeStatus })
  return { change: audited(change, job, 'JOBS_JOB_UPDATE', NOBODY) }
}

/** How a job stops that would run what nobody has approved: its job type has become sensitive, or somebody changed it who knows of no approval. */
export function withdrawnJob(job: Job): JobDecision {
  const details = { ...job.details, isSensitive: true, approval: null }
  const change = changeOf(job, { ...standing('PENDING_APPROVAL', 'what it would run was not approved'), details })
  return { change: audited(change, job, 'JOBS_JOB_UPDATE', NOBODY) }
}
