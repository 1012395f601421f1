import type { JobDefinition } from '../../../job/job.ts'
import {
  JOB_FIELDS,
  type JobDraft,
  type JobFieldName,
  type JobFields,
  STORED_NAMES,
  type StoredName,
  withField,
} from '../../../job/job-fields.ts'
import { type OverlapRule, overlapRule } from '../../../job/rules/overlap.ts'
import { requirePriority } from '../../../job/rules/priority.ts'
import type { AnyJobType } from '../../../job/type/job-type.ts'
import type { Calendar } from '../../../time/calendars/calendar.ts'
import { misfirePolicy, requirePoliciesFor } from '../../../time/misfire/policy.ts'
import { requireOneOf } from '../../../time/require.ts'
import { triggerFrom } from '../../../time/triggers/from-json.ts'
import { type FieldProblems, FieldRefusal } from '../../field-problems.ts'
import { knownCalendar } from '../../owned.ts'
import type { Scope } from '../../scope.ts'
import { readFlag, readInteger, readList, readText } from '../../sent-values.ts'
import { wireValue } from '../../wire-value.ts'
import { withHidden } from './hidden-values.ts'
import { withRetries } from './job-type.ts'
import { readPayload } from './payload-field.ts'
import { readTriggerFields, type TriggerFields } from './trigger-field.ts'

/** The fields that a request sets. */
export type AskedFields = Readonly<Partial<Record<JobFieldName, unknown>>>

export interface FieldSurroundings {
  readonly now: number
  readonly allowsSeconds: boolean
  /** The job type, where this process knows it. */
  readonly type: AnyJobType | null
  /** Whether there is no job yet, so that what is not said is missing. */
  readonly isNew: boolean
  calendar(name: string): Promise<Calendar | null>
}

/** A job with the fields of a request set, each of them checked; every problem is noted. */
export async function withFields(
  problems: FieldProblems,
  before: JobDraft,
  asked: AskedFields,
  around: FieldSurroundings,
): Promise<JobDraft> {
  const draft = STORED_NAMES.reduce((job, name) => withAsked(problems, job, asked, name, around), before)
  const { definition: was } = before
  const { maxAttempts, calendar } = draft.definition
  const definition: JobDefinition = {
    ...(maxAttempts === was.maxAttempts
      ? draft.definition
      : withRetries(draft.definition, around.type, maxAttempts - 1)),
    trigger: await triggerWith(problems, was, calendar, asked, around),
    payload: await payloadWith(problems, was, asked, around),
  }
  // Both may be new: a policy that only the previous trigger knew is rejected with the new trigger.
  if (around.isNew || asked.misfirePolicy !== undefined || definition.trigger !== was.trigger) {
    problems.read('/misfirePolicy', 'misfire_policy_unknown', () =>
      requirePoliciesFor(triggerFrom(definition.trigger), definition.misfire),
    )
  }
  return { ...draft, definition }
}

function withAsked<Name extends StoredName>(
  problems: FieldProblems,
  job: JobDraft,
  asked: AskedFields,
  name: Name,
  around: FieldSurroundings,
): JobDraft {
  if (asked[name] === undefined) return job
  const { code, read } = PARSERS[name] ?? {}
  const value = problems.read(`/${name}`, code ?? 'format_invalid', () => {
    const found = read ? read(asked[name]) : readAccepted(asked[name], name)
    if (name === 'retryCount' && (job.definition.durable ?? false)) throw durable()
    if (name === 'requiresTwoStepExecution' && found === false && around.type?.isSensitive)
      throw alwaysSensitive(around.type)
    return found
  })
  return value === undefined ? job : withField(job, name, value as JobFields[Name])
}

interface Parser {
  /** The code of an error that the parser throws. */
  readonly code: string
  readonly read: (value: unknown) => unknown
}

/** Fields whose values a rule of the engine parses. */
const PARSERS: { readonly [Name in StoredName]?: Parser } = {
  overlap: { code: 'overlap_invalid', read: (value) => overlapRule(value as OverlapRule) },
  priority: { code: 'priority_invalid', read: requirePriority },
  misfirePolicy: { code: 'misfire_policy_unknown', read: (value) => misfirePolicy(value as string) },
}

/** A value by what the declaration of its field accepts. */
function readAccepted(value: unknown, name: StoredName): unknown {
  const { accepts, isNullable = false } = JOB_FIELDS[name]
  switch (accepts.kind) {
    case 'text': {
      const text = value === null && isNullable ? '' : readText(value, name, accepts)
      return text === '' && isNullable ? null : text
    }
    case 'integer':
      return value === null && isNullable ? null : readInteger(value, name, accepts.min, accepts.max)
    case 'flag':
      return readFlag(value, name)
    case 'list':
      return readList(value, name, accepts.max, (item, each) => readText(item, each, accepts.item))
    case 'word':
      return requireOneOf(value as string, name, accepts.words)
    case 'json':
      return value
  }
}

function durable(): FieldRefusal {
  const message =
    'A durable job is not retried as a whole: each of its activities has its own retries. Leave retryCount out.'
  return new FieldRefusal('durable', message)
}

function alwaysSensitive({ id }: AnyJobType): FieldRefusal {
  const message = `Job type "${id}" is sensitive: its jobs always need an approval.`
  return new FieldRefusal('sensitive_type', message, { jobType: id })
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
