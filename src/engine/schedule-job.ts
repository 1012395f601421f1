import { decodeValue, encodeValue } from '../durable/codec.ts'
import { InvalidInputError } from '../errors.ts'
import { refuseForDurable } from '../job/durable-rules.ts'
import type { Job, JobDefinition, JobOrigin, JobSchedule } from '../job/job.ts'
import { fires } from '../job/job-status.ts'
import { type AnyJobType, DEFAULT_QUEUE, SCHEDULE_FIELDS, type ScheduleOptions, timeoutOf } from '../job/job-type.ts'
import { requireName } from '../job/name.ts'
import { concurrencyOf, overlapRule } from '../job/overlap.ts'
import { encodePayload, isSamePayload } from '../job/payload.ts'
import { requirePriority } from '../job/priority.ts'
import { type RetryRules, retryRules } from '../job/retry.ts'
import { validate } from '../job/standard-schema.ts'
import { formatInstant } from '../time/instant.ts'
import { misfireRules } from '../time/misfire/policy.ts'
import { requireBoolean, requireOneOf, requireOptions } from '../time/require.ts'
import { initialState } from '../time/trigger-state.ts'
import { triggerFrom } from '../time/triggers/from-json.ts'
import { OnceTrigger } from '../time/triggers/once.ts'
import { requireTrigger } from '../time/triggers/trigger.ts'
import { innermost } from '../time/triggers/wrapped.ts'
import { scheduleOf } from './fire-job.ts'
import { broughtBack, takenAway } from './held-back.ts'
import { loadCalendars } from './job-calendars.ts'
import { changeOf, type JobDecision } from './job-changes.ts'
import type { ScheduleSurroundings } from './schedule-surroundings.ts'

/** What a scheduler holds for jobs that do not say otherwise. */
export interface ScheduleDefaults {
  readonly misfireThresholdMs: number
  readonly retry: RetryRules
}

/** A job's definition from its options: checked, complete, and safe to store. */
export async function defineJob(
  name: string,
  type: AnyJobType | string,
  options: ScheduleOptions,
  defaults: ScheduleDefaults,
  declaredBy: string | null,
): Promise<JobDefinition> {
  const known = typeof type === 'string' ? null : type
  const jobType = known?.id ?? requireName(type, 'Job type id')
  requireOptions(options, `Job "${name}"`, SCHEDULE_FIELDS)
  const thing = `Input of job "${name}"`
  const payload = (known?.isDurable ? encodeValue : encodePayload)(options.input, thing)
  if (known?.schema) await validate(known.schema, decodeValue(payload), thing)
  const retry = options.retry === undefined ? (known?.retry ?? null) : retryRules(options.retry)
  if (known?.isDurable) refuseForDurable(options, ['retry'], `Job "${name}"`)
  const overlap = overlapRule(options.overlap ?? 'allow')
  return {
    jobType,
    trigger: requireTrigger(options.trigger, `Job "${name}": trigger`).toJSON(),
    calendar: options.calendar === undefined ? null : requireName(options.calendar, 'calendar'),
    misfire: misfireRules({
      threshold: defaults.misfireThresholdMs,
      ...requireOptions(options.misfire ?? {}, `Job "${name}": misfire`, ['policy', 'threshold', 'causes', 'catchUp']),
    }),
    quartz: requireBoolean(options.quartz ?? false, 'quartz'),
    payload,
    queue: requireName(options.queue ?? known?.queue ?? DEFAULT_QUEUE, 'queue'),
    priority: requirePriority(options.priority ?? known?.priority ?? 'MEDIUM'),
    timeoutMs: options.timeout === undefined ? null : timeoutOf(options.timeout),
    retry: options.retry === undefined ? null : retry,
    maxAttempts: (retry ?? defaults.retry).retries + 1,
    onFault: requireOneOf(options.onFault ?? 'stop', 'onFault', ['stop', 'continue']),
    overlap,
    concurrency: concurrencyOf(overlap),
    ...(known?.isDurable ? { durable: true } : {}),
    declaredBy,
  }
}

export interface ScheduleRequest {
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
  readonly origin: JobOrigin
}

/** How a job becomes what is asked for: created, changed, or null where it is that already. */
export async function scheduledJob(
  around: ScheduleSurroundings,
  request: ScheduleRequest,
  existing: Job | null,
): Promise<JobDecision | null> {
  const { tenant, name, definition, origin } = request
  const now = around.time.now()
  if (existing && isSameDefinition(existing.definition, definition) && !isRevived(existing, origin)) return null
  const isNewTiming = !existing || !isSameTiming(existing.definition, definition)
  const trigger = triggerFrom(definition.trigger)
  if (isNewTiming) requireFuture(name, trigger, now)
  const calendarOf = await loadCalendars(around.store, [{ tenant, calendar: definition.calendar }])
  const start = scheduleOf(initialState(trigger, now, calendarOf({ tenant, name }, definition.calendar)))
  if (!existing) return { change: { job: newJob(around, request, start), expectedVersion: null, ledger: [] } }

  const back = backFrom(existing, origin)
  const change = changeOf(existing, { ...back, definition, origin })
  const isBack = back !== null && fires(change.job.status)
  if (!isNewTiming) return isBack ? await broughtBack(around, existing, change) : { change }
  const ledger = await takenAway(around.store, existing, now)
  const job = { ...change.job, schedule: start }
  return { change: { ...change, job, expectedNextFireAt: existing.schedule.nextFireAt, ledger } }
}

function newJob({ env, time }: ScheduleSurroundings, request: ScheduleRequest, schedule: JobSchedule): Job {
  const now = time.now()
  return {
    ...request,
    id: env.uuid(now),
    status: 'ACTIVE',
    resumeStatus: null,
    statusReason: null,
    schedule,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

function isSameTiming(a: JobDefinition, b: JobDefinition): boolean {
  return a.calendar === b.calendar && isSamePayload(JSON.stringify(a.trigger), JSON.stringify(b.trigger))
}

/** The status reason of a job that was in the code once. */
export const NOT_IN_CODE = 'not in the code any more'

/** How an edit brings a job back: it ends a fault, and lets one return that was disabled; a pause stays. null: nothing to bring back. */
function backFrom(job: Job, origin: JobOrigin): Pick<Job, 'status' | 'resumeStatus' | 'statusReason'> | null {
  if (job.status === 'FAULTED') return { status: job.resumeStatus ?? 'ACTIVE', resumeStatus: null, statusReason: null }
  if (!isRevived(job, origin)) return null
  const isPaused = job.resumeStatus === 'PAUSED'
  return { status: isPaused ? 'PAUSED' : 'ACTIVE', resumeStatus: isPaused ? 'ACTIVE' : null, statusReason: null }
}

function isRevived({ status, statusReason }: Job, origin: JobOrigin): boolean {
  return status === 'DISABLED' && (origin === 'runtime' || statusReason === NOT_IN_CODE)
}

/** Field by field: the order in which a store keeps them says nothing. */
function isSameDefinition(a: JobDefinition, b: JobDefinition): boolean {
  return isSamePayload(JSON.stringify(a), JSON.stringify(b))
}

function requireFuture(name: string, trigger: ReturnType<typeof triggerFrom>, now: number): void {
  const once = innermost(trigger)
  if (!(once instanceof OnceTrigger) || trigger.next(now) !== null) return
  const at = trigger.previous(now + 1)
  throw new InvalidInputError(
    'job.in_past',
    `Job "${name}" cannot run at ${at === null ? 'no time at all' : formatInstant(at)}, which is past; it is ${formatInstant(now)} now.`,
    { job: name, at, now },
  )
}
