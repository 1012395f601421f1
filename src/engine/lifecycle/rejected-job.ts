import type { Job } from '../../job/job.ts'
import { requireVerb } from '../../job/job-status.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { reasonText } from './reason.ts'
import { standing, touched } from './standing.ts'

export interface RejectRequest {
  readonly reason: string
}

/** How a job gets a no: it is DISABLED, and needs a yes as before. Whoever scheduled it may take it back himself in this way. */
export function rejectedJob(job: Job, { reason }: RejectRequest, by: Author): JobDecision {
  requireVerb(job, 'reject')
  const change = changeOf(job, {
    ...standing('DISABLED', reasonText(reason)),
    details: { ...touched(job.details, by), isSensitive: true, approval: null },
  })
  return { change: audited(change, job, 'JOBS_JOB_REJECT', by) }
}
