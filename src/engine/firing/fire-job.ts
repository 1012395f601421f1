import type { ExecutionBody, ExecutionOptions } from '../../job/execution/execution.ts'
import type { Job, JobDefinition, JobSchedule } from '../../job/job.ts'
import type { OverlapResolution } from '../../job/rules/resolve-overlap.ts'
import type { Firing } from '../../store/occurrences.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { DEFAULT_THRESHOLD_MS, isHeldBack, type MisfireCause } from '../../time/misfire/policy.ts'
import type { FiredOccurrence, Resolution } from '../../time/misfire/resolution.ts'
import { resolveMisfires } from '../../time/misfire/resolve.ts'
import { SearchTooLongError, withinSteps } from '../../time/search-steps.ts'
import { nextFireTime, type TriggerState } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { uuidInPlaceOf } from '../../uuid.ts'
import { displacedBy, MOST_STEPS } from './overlap.ts'

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
