import type { Job } from '../../job/job.ts'
import { fires, firesNow, requireVerb } from '../../job/job-status.ts'
import { formatInstant } from '../../time/instant.ts'
import { broughtBack } from '../firing/missed-occurrences.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import { audited } from './audit-values.ts'
import { type Author, NOBODY } from './author.ts'
import { changeJob, changeOf, type JobDecision } from './change-job.ts'
import { freeStatus, standing, touched } from './standing.ts'

/** How a job is resumed: what it missed meanwhile is recorded, and it goes on from now, or from when its pause was to end. */
export async function resumedJob(around: ScheduleSurroundings, job: Job, by: Author): Promise<JobDecision> {
  requireVerb(job, 'resume')
  const now = around.time.now()
  const status = freeStatus(job)
  const resumed = changeOf(job, { ...standing(status), details: touched(job.details, by) })
  const change = audited(resumed, job, 'JOBS_JOB_RESUME', by, { resumedAt: formatInstant(now) })
  if (!fires(status) || firesNow(job)) return { change }
  // An occurrence at the very end of a pause is not held back, and what nobody fired after it was missed for another reason.
  const { pausedUntil } = job
  return await broughtBack(around, job, change, pausedUntil === null ? now : Math.min(now, pausedUntil - 1))
}

/** Lets a faulted job fire again, if it still is one. */
export async function resumeFaulted(around: ScheduleSurroundings, jobId: string): Promise<void> {
  const read = async () => (await around.store.jobs.find([jobId]))[0] ?? null
  if (!(await read())) return
  await changeJob(around, jobId, read, (job) => (job?.status === 'FAULTED' ? resumedJob(around, job, NOBODY) : null))
}
