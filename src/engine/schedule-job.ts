import type { Env } from '../clock.ts'
import { InvalidInputError } from '../errors.ts'
import type { Job, JobDefinition, JobOrigin } from '../job/job.ts'
import { type AnyJobType, DEFAULT_QUEUE, type ScheduleOptions, timeoutOf } from '../job/job-type.ts'
import { requireName } from '../job/name.ts'
import { encodePayload, isSamePayload } from '../job/payload.ts'
import { requirePriority } from '../job/priority.ts'
import { type RetryRules, retryRules } from '../job/retry.ts'
import { validate } from '../job/standard-schema.ts'
import type { JobChange } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { formatInstant } from '../time/instant.ts'
import { misfireRules } from '../time/misfire/policy.ts'
import { requireBoolean, requireOneOf, requireOptions } from '../time/require.ts'
import { initialState } from '../time/trigger-state.ts'
import { triggerFrom } from '../time/triggers/from-json.ts'
import { OnceTrigger } from '../time/triggers/once.ts'
import { requireTrigger } from '../time/triggers/trigger.ts'
import { innermost } from '../time/triggers/wrapped.ts'
import { scheduleOf } from './fire-job.ts'
import { loadCalendars } from './job-calendars.ts'
import { resolveHeldBack } from './job-changes.ts'
import type { StoreTime } from './store-time.ts'

/** What a scheduler holds for jobs that do not say otherwise. */
export interface ScheduleDefaults {
  readonly misfireThresholdMs: number
  readonly retry: RetryRules
}

export const SCHEDULE_FIELDS = [
  'trigger',
  'calendar',
  'misfire',
  'quartz',
  'input',
  'priority',
  'queue',
  'timeout',
  'retry',
  'onFault',
] as const satisfies readonly (keyof ScheduleOptions)[]

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
  if (known?.schema) await validate(known.schema, options.input, thing)
  const retry = options.retry === undefined ? (known?.retry ?? null) : retryRules(options.retry)
  return {
    jobType,
    trigger: requireTrigger(options.trigger, `Job "${name}": trigger`).toJSON(),
    calendar: options.calendar === undefined ? null : requireName(options.calendar, 'calendar'),
    misfire: misfireRules({ threshold: defaults.misfireThresholdMs, ...options.misfire }),
    quartz: requireBoolean(options.quartz ?? false, 'quartz'),
    payload: encodePayload(options.input, thing),
    queue: requireName(options.queue ?? known?.queue ?? DEFAULT_QUEUE, 'queue'),
    priority: requirePriority(options.priority ?? known?.priority ?? 'MEDIUM'),
    timeoutMs: options.timeout === undefined ? null : timeoutOf(options.timeout),
    retry: options.retry === undefined ? null : retry,
    maxAttempts: (retry ?? defaults.retry).retries + 1,
    onFault: requireOneOf(options.onFault ?? 'stop', 'onFault', ['stop', 'continue']),
    declaredBy,
  }
}

export interface ScheduleRequest {
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
  readonly origin: JobOrigin
}

export interface ScheduleSurroundings {
  readonly env: Env
  readonly store: Store
  readonly time: StoreTime
}

/** How a job becomes what is asked for: created, changed, or null where it is that already. */
export async function scheduledJob(
  { env, store, time }: ScheduleSurroundings,
  { tenant, name, definition, origin }: ScheduleRequest,
  existing: Job | null,
): Promise<JobChange | null> {
  const now = time.now()
  if (existing && isSameDefinition(existing.definition, definition) && !isRevived(existing, origin)) return null
  const calendarOf = await loadCalendars(store, [{ tenant, calendar: definition.calendar }])
  const trigger = triggerFrom(definition.trigger)
  const isNewTiming =
    !existing ||
    JSON.stringify(existing.definition.trigger) !== JSON.stringify(definition.trigger) ||
    existing.definition.calendar !== definition.calendar
  if (isNewTiming) requireFuture(name, trigger, now)
  const start = { ...scheduleOf(initialState(trigger, now, calendarOf({ tenant, name }, definition.calendar))) }
  if (!existing) {
    const job: Job = {
      id: env.uuid(now),
      tenant,
      name,
      status: 'ACTIVE',
      resumeStatus: null,
      statusReason: null,
      origin,
      definition,
      schedule: start,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    return { job, expectedVersion: null, ledger: [] }
  }
  // An edit ends a fault, and brings back what had vanished from the code; a pause stays.
  const isBack = existing.status === 'FAULTED' || isRevived(existing, origin)
  const status = isBack ? (existing.resumeStatus ?? 'ACTIVE') : existing.status
  const job: Job = {
    ...existing,
    ...(isBack ? { status, resumeStatus: null, statusReason: null } : {}),
    definition,
    origin,
    version: existing.version + 1,
  }
  const isDue = existing.schedule.nextFireAt !== null && existing.schedule.nextFireAt <= now
  if (!isNewTiming && !(isBack && isDue)) return { job, expectedVersion: existing.version, ledger: [] }
  const { ledger, state } = await resolveHeldBack(store, existing, now, isNewTiming ? 'edited' : 'faulted')
  return {
    job: { ...job, schedule: isNewTiming ? start : scheduleOf(state) },
    expectedVersion: existing.version,
    expectedNextFireAt: existing.schedule.nextFireAt,
    ledger,
  }
}

/** The status reason of a job that was in the code once. */
export const NOT_IN_CODE = 'not in the code any more'

function isRevived({ status, statusReason }: Job, origin: JobOrigin): boolean {
  return origin === 'code' && status === 'DISABLED' && statusReason === NOT_IN_CODE
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
