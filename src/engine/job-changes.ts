import type { Clock } from '../clock.ts'
import { PontualError } from '../errors.ts'
import type { Job } from '../job/job.ts'
import { fires, type JobStatus, requireVerb } from '../job/job-status.ts'
import type { JobChange } from '../store/jobs.ts'
import type { Firing } from '../store/occurrences.ts'
import type { Store } from '../store/store.ts'
import type { MisfireCause } from '../time/misfire/policy.ts'
import type { Resolution } from '../time/misfire/resolution.ts'
import { firingOf, resolveJob, scheduleOf } from './fire-job.ts'
import { loadCalendars } from './job-calendars.ts'

/** There is no such job. */
export class UnknownJobError extends PontualError {
  constructor(name: string) {
    super('job.unknown', `There is no job "${name}".`, { job: name })
  }
}

/** Why a job in a status does not fire; the cause under which what it misses is recorded. */
export function heldBackBy(status: JobStatus): MisfireCause {
  return status === 'FAULTED' ? 'faulted' : 'paused'
}

const TRIES = 20

/** Reads a job, decides how it shall be, and writes it if nobody changed it meanwhile; otherwise decides anew. null: leave it. */
export async function changeJob<Found extends Job | null>(
  store: Store,
  read: () => Promise<Found>,
  decide: (job: Found) => Promise<JobChange | null> | JobChange | null,
): Promise<Job> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const job = await read()
    const change = await decide(job)
    if (change === null && job !== null) return job
    if (change === null) break
    const [result] = await store.jobs.put([change])
    if (result === 'stored') return (await store.jobs.find([change.job.id]))[0] ?? change.job
  }
  throw new PontualError('job.contended', 'The job was changed by others again and again; try again.')
}

/** How a job is paused: it stands still, and what it misses is skipped. */
export function pausedJob(job: Job, reason: string | null): JobChange {
  requireVerb(job, 'pause')
  const resumeStatus = job.status === 'FAULTED' ? (job.resumeStatus ?? 'ACTIVE') : job.status
  return changeOf(job, { status: 'PAUSED', resumeStatus, statusReason: reason })
}

/**
 * How a job is resumed: what it missed meanwhile is recorded, and it goes on from now. Where something of it is to run after all, by the job's own rule
 * or because it fires only once, the job goes on from where it stood, and the firing comes along.
 */
export async function resumedJob(store: Store, job: Job, now: number, makeId: () => string): Promise<Resumed> {
  requireVerb(job, 'resume')
  const resolution = await resolveHeldBack(store, job, now, heldBackBy(job.status))
  const back = changeOf(job, { status: job.resumeStatus ?? 'ACTIVE', resumeStatus: null, statusReason: null })
  if (resolution.fire.length > 0) return { change: back, firing: firingOf(back.job, resolution, now, makeId) }
  return { change: movedOn(back, job, resolution), firing: null }
}

export interface Resumed {
  readonly change: JobChange
  /** To be fired once the change is stored. */
  readonly firing: Firing | null
}

/** Records what a job that does not fire by itself has missed, and moves it on; its status stays. */
export async function settleMissed(store: Store, jobId: string, time: Clock, cause: MisfireCause): Promise<void> {
  const read = async () => {
    const [job] = await store.jobs.find([jobId])
    if (!job) throw new UnknownJobError(jobId)
    return job
  }
  await changeJob(store, read, async (job) => {
    const now = time.now()
    const { nextFireAt } = job.schedule
    if (fires(job.status) || nextFireAt === null || nextFireAt > now) return null
    const resolution = await resolveHeldBack(store, job, now, cause)
    return resolution.fire.length > 0 ? null : movedOn(changeOf(job, {}), job, resolution)
  })
}

/** What becomes of occurrences that were due while a job was held back. */
export async function resolveHeldBack(store: Store, job: Job, now: number, cause: MisfireCause): Promise<Resolution> {
  const calendarOf = await loadCalendars(store, [{ tenant: job.tenant, calendar: job.definition.calendar }])
  return resolveJob(job, calendarOf(job, job.definition.calendar), now, cause)
}

function movedOn(change: JobChange, before: Job, { state, ledger }: Resolution): JobChange {
  const job = { ...change.job, schedule: scheduleOf(state) }
  return { ...change, job, expectedNextFireAt: before.schedule.nextFireAt, ledger }
}

function changeOf(job: Job, change: Partial<Job>): JobChange {
  return { job: { ...job, ...change, version: job.version + 1 }, expectedVersion: job.version, ledger: [] }
}
