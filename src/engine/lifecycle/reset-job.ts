import type { Job } from '../../job/job.ts'
import { requireVerb } from '../../job/job-status.ts'
import type { Author } from './author.ts'
import type { JobDecision } from './change-job.ts'
import { redefinedJob } from './redefined-job.ts'
import type { LifecycleSurroundings } from './surroundings.ts'

/** How a job becomes again what the code declares; null where it is. */
export async function resetJob(around: LifecycleSurroundings, job: Job, by: Author): Promise<JobDecision | null> {
  requireVerb(job, 'update')
  const { name, origin, details } = job
  if (details.declared === null) return null
  const after = { name, origin, definition: details.declared, details: { ...details, declared: null } }
  return await redefinedJob(around, job, after, by)
}
