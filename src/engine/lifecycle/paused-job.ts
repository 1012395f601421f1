import { InvalidInputError } from '../../errors.ts'
import type { Job } from '../../job/job.ts'
import { requireVerb } from '../../job/job-status.ts'
import { formatInstant } from '../../time/instant.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { reasonText } from './reason.ts'
import { freeStatus, touched } from './standing.ts'

export interface PauseRequest {
  readonly reason: string | null
  /** When it ends by itself; null: when somebody resumes it. */
  readonly until: number | null
}

/** How a job is paused: it stands still, and what it misses is skipped. */
export function pausedJob(
  { time }: Pick<ScheduleSurroundings, 'time'>,
  job: Job,
  { reason, until }: PauseRequest,
  by: Author,
): JobDecision {
  requireVerb(job, 'pause')
  const now = time.now()
  if (until !== null && until <= now) {
    const message = `Job "${job.name}" cannot be paused until ${formatInstant(until)}, which is past; it is ${formatInstant(now)} now.`
    throw new InvalidInputError('job.pause_in_past', message, { job: job.name, until, now })
  }
  const change = changeOf(job, {
    status: 'PAUSED',
    resumeStatus: job.status === 'FAULTED' ? freeStatus(job) : job.status,
    statusReason: reasonText(reason),
    pausedUntil: until,
    details: touched(job.details, by),
  })
  return { change: audited(change, job, 'JOBS_JOB_PAUSE', by, { pausedAt: formatInstant(now) }) }
}

/** How a pause that would have ended by itself becomes one that somebody has to end. */
export function heldJob(
  { time }: Pick<ScheduleSurroundings, 'time'>,
  job: Job,
  reason: string,
  by: Author,
): JobDecision {
  const change = changeOf(job, {
    statusReason: reasonText(reason),
    pausedUntil: null,
    details: touched(job.details, by),
  })
  return { change: audited(change, job, 'JOBS_JOB_PAUSE', by, { pausedAt: formatInstant(time.now()) }) }
}
