import type { Job } from '../../job/job.ts'
import { firesNow, type JobStatus } from '../../job/job-status.ts'
import type { JobChange } from '../../store/jobs.ts'
import type { OccurrenceRecord } from '../../store/occurrences.ts'
import type { TenantStore } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import type { MisfireCause } from '../../time/misfire/policy.ts'
import type { LedgerEntry, Resolution } from '../../time/misfire/resolve.ts'
import { type ChangeDeps, changeJob, changeOf, type JobDecision } from '../lifecycle/change-job.ts'
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

/** The cause that is recorded for the occurrences that a job misses in a status. */
function causeOfStatus(status: JobStatus): MisfireCause {
  return status === 'FAULTED' ? 'faulted' : 'paused'
}

/** Decides how a job resumes, and which of its missed occurrences fire, as its misfire policy says. */
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
  // One write carries the whole decision: a rejected write changes nothing.
  if (resolution.fire.length === 0) {
    return { change: movedOn(change, before, resolution), policy, displaced: displacedBy(before, overlap) }
  }
  // Fired before the status changes, so that no scheduler takes the missed occurrences for an outage.
  const firing = { ...firingOf(before, overlap, now, () => env.uuid(now)), status: before.status }
  return { change, firing, policy, replaced: replacedBy(overlap) }
}

/**
 * Records the missed occurrences of a faulted job and computes its next fire time, so that a successful run may clear the fault. Returns false if
 * some of them have to run: then the job has to be resumed.
 */
export async function recordMissed(deps: ChangeDeps, jobId: string): Promise<boolean> {
  const { store, time } = deps
  let isSettled = true
  const read = async () => (await store.jobs.find([jobId]))[0] ?? null
  // Most successful runs belong to jobs that are not faulted: one read is enough for them.
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
 * Decides how a job resumes from now on, whatever its misfire policy says: no missed occurrence fires, and all of them are recorded. A trigger that fires
 * only once stays due, and fires after the change is stored.
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

/** Decides about the occurrences that were due while a job did not fire. */
async function resolveMissed(store: TenantStore, job: Job, now: number, cause: MisfireCause): Promise<Resolution> {
  return resolveJob(job, await loadCalendar(store, job), now, cause)
}

async function loadCalendar(store: TenantStore, job: Job): Promise<Calendar | null> {
  const { calendar } = job.definition
  return (await loadCalendars(store, [{ tenant: job.tenant, calendar }]))(job, calendar)
}

/** The record of the occurrences that an edit or a deletion removes: none of them fires, whatever the misfire policy says. */
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

/** The same job with the policy `skipToNext` for one cause. */
function strictly(job: Job, cause: MisfireCause): Job {
  const { misfire } = job.definition
  const causes = { ...misfire.causes, [cause]: 'skipToNext' }
  return { ...job, definition: { ...job.definition, misfire: { ...misfire, causes } } }
}

/** The same job without its calendar if that was removed: its missed occurrences are then counted without it. */
async function withKnownCalendar(store: TenantStore, job: Job): Promise<Job> {
  const { calendar } = job.definition
  if (calendar === null || (await store.calendars.find([{ tenant: job.tenant, name: calendar }])).length > 0) return job
  return { ...job, definition: { ...job.definition, calendar: null } }
}

function movedOn(change: JobChange, before: Job, { state, ledger }: Resolution): JobChange {
  const job = { ...change.job, schedule: scheduleOf(state) }
  return { ...change, job, expectedNextFireAt: before.schedule.nextFireAt, ledger }
}

/**
 * The occurrences that a job in a status that does not fire has missed up to an instant. They are recorded when the job is resumed; until then they are computed
 * for each read, with the same result.
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
