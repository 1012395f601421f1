import { MINUTE_MS } from '../../../duration.ts'
import { activityOf } from '../../../job/activity/activity-type.ts'
import type { JobDefinition } from '../../../job/job.ts'
import { concurrencyOf, type OverlapRule, overlapRule } from '../../../job/rules/overlap.ts'
import { requirePriority } from '../../../job/rules/priority.ts'
import type { AnyJobType } from '../../../job/type/job-type.ts'
import { didYouMean, nearest } from '../../../nearest.ts'
import type { Calendar } from '../../../time/calendars/calendar.ts'
import { misfirePolicy, requirePoliciesFor } from '../../../time/misfire/policy.ts'
import { triggerFrom } from '../../../time/triggers/from-json.ts'
import { type FieldProblems, FieldRefusal } from '../../field-problems.ts'
import type { JobView, NewJobFields } from '../../job-view.ts'
import { knownCalendar } from '../../known-calendar.ts'
import type { Scope } from '../../scope.ts'
import { readFlag, readInteger, readList, readText } from '../../visible-text.ts'
import { wireValue } from '../../wire-value.ts'
import { withHidden } from './hidden-values.ts'
import { type JobDraft, withRetries } from './job-draft.ts'
import { readPayload } from './payload-field.ts'
import { readTriggerFields, type TriggerFields } from './trigger-field.ts'

/** The fields that people may set, but the job type, which is settled for good when the job is made. */
export const SETTABLE_FIELDS = [
  'name',
  'description',
  'cronExpression',
  'trigger',
  'timeZone',
  'calendar',
  'priority',
  'timeoutMinutes',
  'retryCount',
  'requiresTwoStepExecution',
  'payload',
  'misfirePolicy',
  'misfireThresholdSeconds',
  'overlap',
  'tags',
] as const satisfies readonly (keyof NewJobFields & keyof JobView)[]

/** What somebody asks of a job's fields: only those that are to be set. */
export type AskedFields = Readonly<Partial<Record<(typeof SETTABLE_FIELDS)[number], unknown>>>

export interface FieldSurroundings {
  readonly now: number
  readonly allowsSeconds: boolean
  /** The job type, where this process knows it. */
  readonly type: AnyJobType | null
  /** Whether there is no job yet, so that what is not said is missing. */
  readonly isNew: boolean
  calendar(name: string): Promise<Calendar | null>
}

const NAME_RULES = { min: 3, max: 255 }
const DESCRIPTION_RULES = { min: 0, max: 1_000, hasLines: true }
const TAG_RULES = { min: 1, max: 64 }
const CALENDAR_RULES = { min: 1, max: 255 }
const MAX_TAGS = 20
const TIMEOUT_MINUTES = [5, 240] as const
const RETRIES = [0, 10] as const
const MAX_THRESHOLD_SECONDS = 604_800

/** A job with some fields set, each of them checked; whatever is wrong with them is noted. */
export async function withFields(
  problems: FieldProblems,
  draft: JobDraft,
  asked: AskedFields,
  around: FieldSurroundings,
): Promise<JobDraft> {
  const set = <Value>(
    field: keyof AskedFields,
    code: string,
    current: Value,
    read: (value: unknown) => Value,
  ): Value => {
    const value = asked[field] === undefined ? undefined : problems.read(`/${field}`, code, () => read(asked[field]))
    return value === undefined ? current : value
  }
  return {
    name: set('name', 'name_invalid', draft.name, (value) => readText(value, 'name', NAME_RULES)),
    description: set('description', 'description_invalid', draft.description, readDescription),
    tags: set('tags', 'tags_invalid', draft.tags, readTags),
    isSensitive: set('requiresTwoStepExecution', 'type_invalid', draft.isSensitive, (value) =>
      readSensitive(value, around.type),
    ),
    definition: await definitionWith(problems, draft.definition, asked, around, set),
  }
}

type Setter = <Value>(field: keyof AskedFields, code: string, current: Value, read: (value: unknown) => Value) => Value

async function definitionWith(
  problems: FieldProblems,
  before: JobDefinition,
  asked: AskedFields,
  around: FieldSurroundings,
  set: Setter,
): Promise<JobDefinition> {
  const { misfire } = before
  const overlap = set<OverlapRule>('overlap', 'overlap_invalid', before.overlap, (value) =>
    overlapRule(value as OverlapRule),
  )
  const retries = set('retryCount', 'retry_invalid', before.maxAttempts - 1, (value) =>
    readRetries(value, before.durable ?? false),
  )
  const calendar = set('calendar', 'calendar_invalid', before.calendar, readCalendarName)
  const definition: JobDefinition = {
    ...before,
    calendar,
    overlap,
    concurrency: concurrencyOf(overlap),
    priority: set('priority', 'priority_invalid', before.priority, requirePriority),
    timeoutMs: set('timeoutMinutes', 'timeout_invalid', before.timeoutMs, readTimeout),
    misfire: {
      ...misfire,
      policy: set('misfirePolicy', 'misfire_policy_unknown', misfire.policy, (value) => misfirePolicy(value as string)),
      thresholdMs: set('misfireThresholdSeconds', 'threshold_invalid', misfire.thresholdMs, readThreshold),
    },
    trigger: await triggerWith(problems, before, calendar, asked, around),
    payload: await payloadWith(problems, before, asked, around),
  }
  // Both may be new: a policy that only the trigger before knew is refused with the trigger after it.
  if (around.isNew || asked.misfirePolicy !== undefined || definition.trigger !== before.trigger) {
    problems.read('/misfirePolicy', 'misfire_policy_unknown', () =>
      requirePoliciesFor(triggerFrom(definition.trigger), definition.misfire),
    )
  }
  return retries === before.maxAttempts - 1 ? definition : withRetries(definition, around.type, retries)
}

async function triggerWith(
  problems: FieldProblems,
  before: JobDefinition,
  calendarName: string | null,
  asked: AskedFields,
  around: FieldSurroundings,
): Promise<JobDefinition['trigger']> {
  const { cronExpression, trigger, timeZone } = asked
  const isNewCalendar = calendarName !== before.calendar
  const calendar = calendarName === null ? null : await around.calendar(calendarName)
  if (calendarName !== null && calendar === null && isNewCalendar) {
    problems.add('/calendar', 'calendar_unknown', `There is no calendar "${calendarName}".`, { calendar: calendarName })
  }
  const isAsked = cronExpression !== undefined || trigger !== undefined || timeZone !== undefined
  if (!around.isNew && !isAsked && !isNewCalendar) return before.trigger
  // Under another calendar what fired before may never fire.
  const fields: TriggerFields = around.isNew || isAsked ? asked : { trigger: before.trigger }
  const current = around.isNew ? null : before.trigger
  return readTriggerFields(problems, fields, current, { ...around, calendar }) ?? before.trigger
}

async function payloadWith(
  problems: FieldProblems,
  before: JobDefinition,
  asked: AskedFields,
  { type, isNew }: FieldSurroundings,
): Promise<string | null> {
  if (asked.payload === undefined && !isNew) return before.payload
  const taker = { schema: type?.schema ?? null, isDurable: before.durable ?? false }
  const given = isNew ? { payload: asked.payload } : payloadSent(problems, before, asked.payload)
  const text = given && (await readPayload(problems, given.payload, taker))
  return text === undefined ? before.payload : text
}

function payloadSent(problems: FieldProblems, { jobType, payload }: JobDefinition, sent: unknown) {
  const read = () => ({ payload: withHidden(jobType, sent, () => wireValue(payload)) })
  return problems.read('/payload', 'payload_invalid', read)
}

function readDescription(value: unknown): string | null {
  const text = value === null ? '' : readText(value, 'description', DESCRIPTION_RULES)
  return text === '' ? null : text
}

function readTags(value: unknown): readonly string[] {
  return readList(value, 'tags', MAX_TAGS, (tag, name) => readText(tag, name, TAG_RULES))
}

function readCalendarName(value: unknown): string | null {
  return value === null ? null : readText(value, 'calendar', CALENDAR_RULES)
}

function readTimeout(value: unknown): number {
  return readInteger(value, 'timeoutMinutes', ...TIMEOUT_MINUTES) * MINUTE_MS
}

function readThreshold(value: unknown): number {
  return readInteger(value, 'misfireThresholdSeconds', 0, MAX_THRESHOLD_SECONDS) * 1_000
}

function readRetries(value: unknown, isDurable: boolean): number {
  const retries = readInteger(value, 'retryCount', ...RETRIES)
  if (!isDurable) return retries
  const message =
    'A durable job is not retried as a whole: each of its activities has its own retries. Leave retryCount out.'
  throw new FieldRefusal('durable', message)
}

function readSensitive(value: unknown, type: AnyJobType | null): boolean {
  const isSensitive = readFlag(value, 'requiresTwoStepExecution')
  if (isSensitive || !type?.isSensitive) return isSensitive
  throw new FieldRefusal('sensitive_type', `Job type "${type.id}" is sensitive: its jobs always need an approval.`, {
    jobType: type.id,
  })
}

/** Throws unless jobs of this type may be made: it is known here, or to a node that lives. Gives it where it is known here. */
export function requireJobType(
  jobType: unknown,
  types: ReadonlyMap<string, AnyJobType>,
  elsewhere: ReadonlySet<string>,
  isReserved: (jobType: string) => boolean,
): AnyJobType | null {
  const id = readText(jobType, 'jobType', { min: 1, max: 100 })
  const type = isReserved(id) ? undefined : types.get(id)
  if (type && activityOf(type) === null) return type
  if (!type && elsewhere.has(id) && !isReserved(id) && !id.startsWith('activity:')) return null
  const known = [...types.keys(), ...elsewhere].filter((each) => !each.startsWith('activity:') && !isReserved(each))
  throw new FieldRefusal('job_type_unknown', `There is no job type "${id}".${didYouMean(id, known)}`, {
    jobType: id,
    suggestion: nearest(id, known),
  })
}

/** What the fields of a job are checked against. */
export async function fieldSurroundings(
  scope: Scope,
  type: AnyJobType | null,
  isNew: boolean,
): Promise<FieldSurroundings> {
  const { settings } = await scope.settings()
  return {
    now: scope.now(),
    allowsSeconds: settings.allowsSeconds,
    type,
    isNew,
    calendar: (name) => knownCalendar(scope, name),
  }
}
