import { InvalidInputError, PontualError } from '../../errors.ts'
import type { Job, JobDetails } from '../../job/job.ts'
import { fires, firesNow, requireVerb } from '../../job/job-status.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { formatInstant } from '../../time/instant.ts'
import { resumeFromNow, resumeWithCatchUp, skipPast } from '../firing/missed-occurrences.ts'
import { type Author, audited, NOBODY } from './audit.ts'
import { type ChangeDeps, changeJob, changeOf, type JobDecision } from './change-job.ts'
import { freeStatus, reasonText, standing, touched } from './status-fields.ts'

export interface PauseRequest {
  readonly reason: string | null
  /** When it ends by itself; null: when somebody resumes it. */
  readonly until: number | null
}

/** How a job is paused: it stands still, and what it misses is skipped. */
export function pausedJob(
  { time }: Pick<ChangeDeps, 'time'>,
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
export function heldJob({ time }: Pick<ChangeDeps, 'time'>, job: Job, reason: string, by: Author): JobDecision {
  const change = changeOf(job, {
    statusReason: reasonText(reason),
    pausedUntil: null,
    details: touched(job.details, by),
  })
  return { change: audited(change, job, 'JOBS_JOB_PAUSE', by, { pausedAt: formatInstant(time.now()) }) }
}

/** How a job is resumed: what it missed meanwhile is recorded, and it goes on from now, or from when its pause was to end. */
export async function resumedJob(deps: ChangeDeps, job: Job, by: Author): Promise<JobDecision> {
  requireVerb(job, 'resume')
  const now = deps.time.now()
  const status = freeStatus(job)
  const resumed = changeOf(job, { ...standing(status), details: touched(job.details, by) })
  const change = audited(resumed, job, 'JOBS_JOB_RESUME', by, { resumedAt: formatInstant(now) })
  if (!fires(status) || firesNow(job)) return { change }
  // An occurrence at the very end of a pause is not held back, and what nobody fired after it was missed for another reason.
  const { pausedUntil } = job
  return await resumeWithCatchUp(deps, job, change, pausedUntil === null ? now : Math.min(now, pausedUntil - 1))
}

/** Lets a faulted job fire again, if it still is one. */
export async function resumeFaulted(deps: ChangeDeps, jobId: string): Promise<void> {
  const read = async () => (await deps.store.jobs.find([jobId]))[0] ?? null
  if (!(await read())) return
  await changeJob(deps, jobId, read, (job) => (job?.status === 'FAULTED' ? resumedJob(deps, job, NOBODY) : null))
}

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

/** Lets a job go on whose pause was to end by now, if it still is that. */
export async function endPause(deps: ChangeDeps, { id, name }: Job, now: number): Promise<void> {
  const read = async () => (await deps.store.jobs.find([id]))[0] ?? null
  if (!(await read())) return
  await changeJob(deps, name, read, (job) => {
    const isOver = job?.status === 'PAUSED' && job.pausedUntil !== null && job.pausedUntil <= now
    return isOver ? resumedOrFaulted(deps, job) : null
  })
}

/** One that cannot be resumed, such as one whose calendar is gone, must not be tried for ever. */
async function resumedOrFaulted(deps: ChangeDeps, job: Job): Promise<JobDecision> {
  try {
    return await resumedJob(deps, job, NOBODY)
  } catch (error) {
    if (!(error instanceof PontualError) || error instanceof StoreUnavailableError) throw error
    return faultedJob(job, error.message)
  }
}

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
export async function enabledJob(deps: ChangeDeps, job: Job, by: Author): Promise<JobDecision> {
  requireVerb(job, 'enable')
  const { isSensitive } = job.details
  const details = isSensitive ? { ...touched(job.details, by), approval: null } : touched(job.details, by)
  const enabled = changeOf(job, { ...standing(isSensitive ? 'PENDING_APPROVAL' : 'ACTIVE'), details })
  const change = audited(enabled, job, 'JOBS_JOB_UPDATE', by)
  return isSensitive ? { change } : await resumeFromNow(deps.store, job, change, deps.time.now())
}

/** How a job is deleted: it never fires again, its name is free, and what is known of it stays. */
export async function deletedJob(deps: ChangeDeps, job: Job, by: Author): Promise<JobDecision> {
  requireVerb(job, 'delete')
  const now = deps.time.now()
  const details = { ...touched(job.details, by), deletedAt: now, deletedBy: by.userId }
  const change = changeOf(job, {
    ...standing('DELETED'),
    details,
    schedule: { ...job.schedule, nextFireAt: null },
  })
  const told = audited(change, job, 'JOBS_JOB_DELETE', by, { jobName: job.name })
  const ledger = await skipPast(deps.store, job, now)
  return { change: { ...told, expectedNextFireAt: job.schedule.nextFireAt, ledger } }
}
