import { PontualError } from '../../errors.ts'
import type { ExecutionBody, ExecutionOptions } from '../../job/execution/execution.ts'
import type { Job, JobDefinition, JobSchedule } from '../../job/job.ts'
import type { OverlapRule } from '../../job/rules/overlap.ts'
import { type OverlapResolution, resolveOverlap, type Standing } from '../../job/rules/resolve-overlap.ts'
import type { CancelRequest } from '../../store/executions.ts'
import type { Firing, WaitingChange } from '../../store/occurrences.ts'
import type { TenantStore } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { calendarFrom } from '../../time/calendars/from-json.ts'
import { formatInstant } from '../../time/instant.ts'
import { DEFAULT_THRESHOLD_MS, isHeldBack, type MisfireCause } from '../../time/misfire/policy.ts'
import { type FiredOccurrence, type Resolution, resolveMisfires } from '../../time/misfire/resolve.ts'
import { SearchTooLongError, withinSteps } from '../../time/search.ts'
import { nextFireTime, type TriggerState } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { uuidInPlaceOf } from '../../uuid.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** The calendar of a job, or null where it has none; throws where it names one that does not exist. */
export type CalendarOf = (job: Pick<Job, 'tenant' | 'name'>, calendar: string | null) => Calendar | null

/** Reads the calendars that jobs name, each once. */
export async function loadCalendars(
  store: TenantStore,
  wanted: readonly { readonly tenant: string; readonly calendar: string | null }[],
): Promise<CalendarOf> {
  const keys = new Map<string, { tenant: string; name: string }>()
  for (const { tenant, calendar } of wanted) {
    if (calendar !== null) keys.set(calendarKeyOf(tenant, calendar), { tenant, name: calendar })
  }
  const found = keys.size === 0 ? [] : await store.calendars.find([...keys.values()])
  const definitions = new Map(found.map(({ tenant, name, definition }) => [calendarKeyOf(tenant, name), definition]))
  return (job, calendar) => {
    if (calendar === null) return null
    const definition = definitions.get(calendarKeyOf(job.tenant, calendar))
    // Read here, so that one that cannot be read is the trouble of its own jobs only.
    if (definition) return calendarFrom(definition)
    throw new PontualError(
      'calendar.unknown',
      `Job "${job.name}" names calendar "${calendar}", which does not exist.`,
      {
        job: job.name,
        calendar,
      },
    )
  }
}

function calendarKeyOf(tenant: string, name: string): string {
  return JSON.stringify([tenant, name])
}

/** For the next of a job whose past was too hard. */
const FEW_STEPS = 100_000

/**
 * What becomes of a job's due occurrences. Where they are too hard to work out, an outage is a SearchTooLongError; a job that was held back goes on from now,
 * and all of them stand in the ledger as one, since nobody can count them.
 */
export function resolveJob(job: Job, calendar: Calendar | null, now: number, cause: MisfireCause): Resolution {
  const { misfire, quartz } = job.definition
  const state = stateOf(job.schedule)
  try {
    return withinSteps(MOST_STEPS, () => resolveMisfires({ state, rules: misfire, calendar, quartz }, now, cause))
  } catch (error) {
    if (!(error instanceof SearchTooLongError && isHeldBack(cause))) throw error
    const ledger = [{ from: state.nextFireAt ?? now, to: now, count: 1, decision: 'dropped', cause } as const]
    return {
      fire: [],
      ledger,
      policy: 'skipToNext',
      state: { ...state, nextFireAt: nextSearched(state, now, calendar) },
    }
  }
}

/** null also where that takes too long: a search that has found nothing after as many steps is taken never to find anything. */
function nextSearched(state: TriggerState, now: number, calendar: Calendar | null): number | null {
  try {
    return withinSteps(FEW_STEPS, () => nextFireTime(state, now, calendar))
  } catch (error) {
    if (error instanceof SearchTooLongError) return null
    throw error
  }
}

/** A resolution as the store takes it: every occurrence that fires becomes an execution, and may supersede others. */
export function firingOf(job: Job, overlap: OverlapResolution, now: number, makeId: () => string): Firing {
  const { resolution } = overlap
  const place = firstPlaceOf(overlap)
  return {
    jobId: job.id,
    version: job.version,
    nextFireAt: job.schedule.nextFireAt ?? now,
    schedule: scheduleOf(resolution.state),
    fired: resolution.fire.map((occurrence) => ({
      body: bodyOf(job, occurrence, now, place === undefined ? makeId() : uuidInPlaceOf(place, makeId())),
      runAt: occurrence.runAt > now ? occurrence.runAt : null,
    })),
    ledger: resolution.ledger,
    displaced: displacedBy(job, overlap),
  }
}

/**
 * The id of the superseded execution that is first in the queue. The occurrence that fires inherits its position: at the tail it would be superseded again
 * before its turn whenever the wait for a slot is longer than the interval.
 */
function firstPlaceOf({ consolidated }: OverlapResolution): string | undefined {
  return consolidated.map(({ executionId }) => executionId).toSorted()[0]
}

function bodyOf(job: Job, { scheduledAt, misfire }: FiredOccurrence, now: number, id: string): ExecutionBody {
  return {
    ...executionOf(job, now, id),
    origin: 'schedule',
    scheduledAt,
    options: optionsOf(job, {
      ...(job.status === 'FAULTED' ? { heals: true } : {}),
      ...latenessOf(job.definition),
      ...(misfire ? { misfire } : {}),
    }),
  }
}

/** A run of a job as it is defined now. */
export function executionOf(job: Job, now: number, id: string): ExecutionBody {
  const { jobType, queue, priority, payload, maxAttempts } = job.definition
  return {
    id,
    tenant: job.tenant,
    jobId: job.id,
    jobType,
    queue,
    priority,
    origin: 'manual',
    payload,
    scheduledAt: null,
    maxAttempts,
    idempotencyKey: null,
    options: optionsOf(job, {}),
    createdAt: now,
  }
}

function optionsOf({ definition }: Job, more: ExecutionOptions): ExecutionOptions | null {
  const options: ExecutionOptions = {
    ...(definition.timeoutMs === null ? {} : { timeoutMs: definition.timeoutMs }),
    ...(definition.retry === null ? {} : { retry: definition.retry }),
    ...turnOf(definition),
    ...(definition.durable ? { durable: true } : {}),
    ...more,
  }
  return Object.keys(options).length > 0 ? options : null
}

/** The options of an execution that repeats one: it has neither its parent nor its history. Whether it waits for its turn is the job's to say, as it is defined now. */
export function optionsOfAnother(options: ExecutionOptions | null, job: Job | undefined): ExecutionOptions {
  const { concurrency: _, parent: _parent, isForked: _isForked, seed: _seed, ...own } = options ?? {}
  return { ...own, ...(job ? turnOf(job.definition) : {}) }
}

/** Known at the claim, so that nobody has to ask for the job there. */
function latenessOf({ misfire }: JobDefinition): Pick<ExecutionOptions, 'lateAfterMs'> {
  return misfire.thresholdMs === DEFAULT_THRESHOLD_MS ? {} : { lateAfterMs: misfire.thresholdMs }
}

function turnOf({ concurrency }: JobDefinition): Pick<ExecutionOptions, 'concurrency'> {
  return concurrency === null ? {} : { concurrency }
}

export function stateOf({ currentTrigger, nextFireAt, previousFireAt, timesTriggered }: JobSchedule): TriggerState {
  return { trigger: triggerFrom(currentTrigger), nextFireAt, previousFireAt, timesTriggered }
}

export function scheduleOf({ trigger, nextFireAt, previousFireAt, timesTriggered }: TriggerState): JobSchedule {
  return { currentTrigger: trigger.toJSON(), nextFireAt, previousFireAt, timesTriggered }
}

/** Some tenths of a second for the decision about one job, so that it can't hold up the others. A year of minutes that move from weekends to workdays takes fewer. */
const MOST_STEPS = 500_000

/** What of a job has not ended. */
export type StandingOf = (job: Job) => Standing

const NOTHING: Standing = { isBusy: false, occurrences: [] }

/** Of jobs whose rule depends on it, what has not ended. */
export async function loadStanding(store: TenantStore, jobs: readonly Job[]): Promise<StandingOf> {
  const ids = jobs.filter(({ definition }) => looksBack(definition.overlap)).map(({ id }) => id)
  if (ids.length === 0) return () => NOTHING
  const standing = new Map((await store.occurrences.standing(ids)).map((each) => [each.jobId, each]))
  return ({ id }) => standing.get(id) ?? NOTHING
}

/** Whether a rule depends on what has not ended; how many may run at once is the claim's business. */
export function looksBack(rule: OverlapRule): boolean {
  return rule === 'queue' || rule === 'skip' || rule === 'replace'
}

/** What becomes of a job's due occurrences, and of those before them. */
export function meetOverlap(
  job: Job,
  calendar: Calendar | null,
  resolution: Resolution,
  standing: Standing,
  now: number,
): OverlapResolution {
  const { overlap, misfire } = job.definition
  return withinSteps(MOST_STEPS, () => resolveOverlap(resolution, standing, overlap, misfire, now, calendar))
}

/** What becomes of occurrences that waited, of which those that fire take the place. */
export function displacedBy(job: Job, { consolidated, carrier }: OverlapResolution): WaitingChange[] {
  const changes = consolidated.map(({ executionId, scheduledAt }): WaitingChange => {
    return { executionId, jobId: job.id, scheduledAt, epoch: null, decision: 'consolidated', cause: 'overlap' }
  })
  if (carrier) {
    const { executionId, scheduledAt } = carrier.occurrence
    changes.push({ executionId, jobId: job.id, scheduledAt, misfire: carrier.misfire })
  }
  return changes
}

/** What is to make way for the newest, and may be running: to be cancelled when that has fired. */
export function replacedBy({ replaced, resolution }: OverlapResolution): CancelRequest[] {
  const newest = resolution.fire.at(-1)?.scheduledAt
  const reason = newest === undefined ? 'Replaced.' : `Replaced by the occurrence of ${formatInstant(newest)}.`
  return replaced.map(({ executionId }) => ({ id: executionId, reason }))
}

/**
 * Cancels what others have taken the place of. May be done again: what has ended stays as it is. Where it is never done, because the node is gone, what was to
 * be cancelled runs first, and the next that fires takes the place of both. Returns whether something was cancelled that may have been running.
 */
export async function cancelReplaced(
  { store, telemetry }: { readonly store: TenantStore; readonly telemetry: Telemetry },
  replaced: readonly CancelRequest[],
): Promise<boolean> {
  if (replaced.length === 0) return false
  const answers = await store.executions.cancel(replaced)
  const cancelled = replaced.filter((_, index) => answers[index] === 'cancelled').map(({ id }) => id)
  tellCancelled(telemetry, cancelled)
  return cancelled.length > 0 || answers.includes('cancelling')
}

export function tellCancelled(telemetry: Telemetry, executionIds: readonly string[]): void {
  for (const executionId of executionIds) telemetry.tell('execution.cancelled', { executionId })
}
