import type { Job } from '../../job/job.ts'
import { JobConflictError } from '../../job/job-status.ts'
import type { JobDecision } from './change-job.ts'

/** Decides about a job only as it was when it was first read: who says yes or no to something means what was there then. */
export function asFirstSeen(
  decide: (job: Job) => Promise<JobDecision> | JobDecision,
): (job: Job) => Promise<JobDecision> {
  let version: number | null = null
  return async (job) => {
    version ??= job.version
    if (job.version === version) return await decide(job)
    const message = `Job "${job.name}" was changed by somebody else at the same time; look at it again.`
    throw new JobConflictError('job.changed_meanwhile', message, { job: job.name, status: job.status })
  }
}
