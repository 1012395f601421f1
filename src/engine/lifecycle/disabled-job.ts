import type { Job } from '../../job/job.ts'
import type { JobDetails } from '../../job/job-details.ts'
import { requireVerb } from '../../job/job-status.ts'
import { letGo } from '../firing/missed-occurrences.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import { audited } from './audit-values.ts'
import { type Author, NOBODY } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { reasonText } from './reason.ts'
import { standing, touched } from './standing.ts'

/** The status reason of a job that was in the code once. */
export const NOT_IN_CODE = 'not in the code any more'

/** How a job is switched off, until somebody enables it. */
export function disabledJob(job: Job, reason: string | null, by: Author): JobDecision {
  requireVerb(job, 'disable')
  const details = touched(stillSensitive(job), by)
  const change = changeOf(job, { ...standing('DISABLED', reasonText(reason)), details })
  return { change: audited(change, job, 'JOBS_JOB_UPDATE', by) }
}

/** How a job is switched off that the code does not declare any more. Where it does so again, the job is what it was. */
export function vanishedJob(job: Job): JobDecision {
  const was = { resumeStatus: job.status, pausedUntil: job.pausedUntil }
  const change = changeOf(job, { ...standing('DISABLED', NOT_IN_CODE), ...was, details: stillSensitive(job) })
  return { change: audited(change, job, 'JOBS_JOB_UPDATE', NOBODY) }
}

/** One that waits for a yes, also to need none any more, goes on needing it. */
function stillSensitive({ status, details }: Job): JobDetails {
  return status === 'PENDING_APPROVAL' ? { ...details, isSensitive: true } : details
}

/** How a job is switched on again: it goes on from now, a sensitive one after a new yes. */
export async function enabledJob(around: ScheduleSurroundings, job: Job, by: Author): Promise<JobDecision> {
  requireVerb(job, 'enable')
  const { isSensitive } = job.details
  const details = isSensitive ? { ...touched(job.details, by), approval: null } : touched(job.details, by)
  const enabled = changeOf(job, { ...standing(isSensitive ? 'PENDING_APPROVAL' : 'ACTIVE'), details })
  const change = audited(enabled, job, 'JOBS_JOB_UPDATE', by)
  return isSensitive ? { change } : await letGo(around.store, job, change, around.time.now())
}
