import type { Job } from '../../job/job.ts'
import { firesNow, type JobStatus } from '../../job/job-status.ts'
import type { JobChange } from '../../store/jobs.ts'
import type { OccurrenceRecord } from '../../store/occurrences.ts'
import type { TenantStore } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import type { MisfireCause } from '../../time/misfire/policy.ts'
import type { LedgerEntry, Resolution } from '../../time/misfire/resolution.ts'
import type { ChangeDeps } from '../lifecycle/change-job.ts'
import { changeJob, changeOf, type JobDecision } from '../lifecycle/change-job.ts'
import {
  displacedBy,
  firingOf,
  loadCalendars,
  loadStanding,
  meetOverlap,
  replacedBy,
  resolveJob,
  scheduleOf,
} from './fire-job.ts'

/** Why a job in a status does not fire: the cause under which what it misses is recorded. */
export function causeOfStatus(status: JobStatus): MisfireCause {
  return status === 'FAULTED' ? 'faulted' : 'paused'
}

/** A change that lets a job fire again that was held back, and what is to be fired before of all that it missed. */
export async function resumeWithCatchUp(
  { env, store }: Pick<ChangeDeps, 'env' | 'store'>,
  before: Job,
  change: JobChange,
  now: number,
): Promise<JobDecision> {
  const calendar = await loadCalendar(store, before)
  const missed = resolveJob(before, calendar, now, causeOfStatus(before.status))
  const standingOf = await loadStanding(store, missed.fire.length === 0 ? [] : [before])
  const overlap = meetOverlap(before, calendar, missed, standingOf(before), now)
  const { resolution } = overlap
  const { policy } = resolution
  // One write tells all: what is refused leaves everything as it was.
  if (resolution.fire.length === 0) {
    return { change: movedOn(change, before, resolution), policy, displaced: displacedBy(before, overlap) }
  }
  // Fired while the job is still held back, so that no scheduler can take it for an outage.
  const firing = { ...firingOf(before, overlap, now, () => env.uuid(now)), status: before.status }
  return { change, firing, policy, replaced: replacedBy(overlap) }
}

/**
 * Records what a faulted job has missed, and moves it on, so that a success may make it well again. False where something of it is to run after
 * all: then it has to be resumed.
 */
export async function recordMissed(deps: ChangeDeps, jobId: string): Promise<boolean> {
  const { store, time } = deps
  let isSettled = true
  const read = async () => (await store.jobs.find([jobId]))[0] ?? null
  // Most that succeed are of jobs that are well: of those one look is enough.
  const found = await read()
  if (!found || firesNow(found)) return true
  await changeJob(deps, jobId, read, async (job) => {
    const now = time.now()
    if (!job || firesNow(job) || job.schedule.nextFireAt === null || job.schedule.nextFireAt > now) return null
    const resolution = await resolveMissed(store, job, now, causeOfStatus(job.status))
    isSettled = resolution.fire.length === 0
    return isSettled ? { change: movedOn(changeOf(job, {}), job, resolution), policy: resolution.policy } : null
  })
  return isSettled
}

/**
 * A change that lets a job fire from now on, whatever its rules say: nothing that it missed fires, and that is recorded. What fires only once is due still, and
 * runs when the change is stored: not before, as nobody knows whether it will be.
 */
export async function resumeFromNow(
  store: TenantStore,
  before: Job,
  change: JobChange,
  now: number,
): Promise<JobDecision> {
  const cause = causeOfStatus(before.status)
  const resolution = await resolveMissed(store, strictly(before, cause), now, cause)
  return resolution.fire.length > 0 ? { change } : { change: movedOn(change, before, resolution) }
}

/** What becomes of occurrences that were due while a job was held back. */
export async function resolveMissed(
  store: TenantStore,
  job: Job,
  now: number,
  cause: MisfireCause,
): Promise<Resolution> {
  return resolveJob(job, await loadCalendar(store, job), now, cause)
}

async function loadCalendar(store: TenantStore, job: Job): Promise<Calendar | null> {
  const { calendar } = job.definition
  return (await loadCalendars(store, [{ tenant: job.tenant, calendar }]))(job, calendar)
}

/** What an edit takes away: nothing of the past fires, whatever the job's rules say, and all of it is recorded. */
export async function skipPast(store: TenantStore, before: Job, now: number): Promise<readonly LedgerEntry[]> {
  const job = await withKnownCalendar(store, before)
  const { fire, ledger } = await resolveMissed(store, strictly(job, 'edited'), now, 'edited')
  // A trigger that fires only once is never skipped by a policy, but it can be replaced.
  return fire.length === 0
    ? ledger
    : fire.map(({ scheduledAt }) => ({
        from: scheduledAt,
        to: scheduledAt,
        count: 1,
        decision: 'skipped',
        cause: 'edited',
      }))
}

/** A job that makes up for nothing it missed for this reason. */
function strictly(job: Job, cause: MisfireCause): Job {
  const { misfire } = job.definition
  const causes = { ...misfire.causes, [cause]: 'skipToNext' }
  return { ...job, definition: { ...job.definition, misfire: { ...misfire, causes } } }
}

/** A job whose calendar is gone counts its occurrences without it, where that only tells what was missed. */
export async function withKnownCalendar(store: TenantStore, job: Job): Promise<Job> {
  const { calendar } = job.definition
  if (calendar === null || (await store.calendars.find([{ tenant: job.tenant, name: calendar }])).length > 0) return job
  return { ...job, definition: { ...job.definition, calendar: null } }
}

function movedOn(change: JobChange, before: Job, { state, ledger }: Resolution): JobChange {
  const job = { ...change.job, schedule: scheduleOf(state) }
  return { ...change, job, expectedNextFireAt: before.schedule.nextFireAt, ledger }
}

/**
 * What a job that does not fire by itself has missed up to an instant and nobody has written down yet: that happens once, when it is resumed, but whoever asks
 * before is told the same.
 */
export async function pendingEntries(
  store: TenantStore,
  job: Job,
  upTo: number,
  recordedAt: number,
): Promise<OccurrenceRecord[]> {
  const { nextFireAt } = job.schedule
  if (firesNow(job) || nextFireAt === null || nextFireAt > upTo) return []
  const { ledger } = await resolveMissed(store, await withKnownCalendar(store, job), upTo, causeOfStatus(job.status))
  return ledger.map((entry) => ({ ...entry, executionId: null, misfire: null, recordedAt }))
}
