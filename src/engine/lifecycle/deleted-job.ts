import type { Job } from '../../job/job.ts'
import { requireVerb } from '../../job/job-status.ts'
import { takenAway } from '../firing/missed-occurrences.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { standing, touched } from './standing.ts'

/** How a job is deleted: it never fires again, its name is free, and what is known of it stays. */
export async function deletedJob(around: ScheduleSurroundings, job: Job, by: Author): Promise<JobDecision> {
  requireVerb(job, 'delete')
  const now = around.time.now()
  const details = { ...touched(job.details, by), deletedAt: now, deletedBy: by.userId }
  const change = changeOf(job, {
    ...standing('DELETED'),
    details,
    schedule: { ...job.schedule, nextFireAt: null },
  })
  const told = audited(change, job, 'JOBS_JOB_DELETE', by, { jobName: job.name })
  const ledger = await takenAway(around.store, job, now)
  return { change: { ...told, expectedNextFireAt: job.schedule.nextFireAt, ledger } }
}
