import { MINUTE_MS, SECOND_MS } from '../duration.ts'
import type { MisfirePolicy } from '../time/misfire/policy.ts'
import type { TriggerJson } from '../time/triggers/json.ts'
import type { JobDefinition } from './job-definition.ts'
import { concurrencyOf, type OverlapRule } from './rules/overlap.ts'
import { PRIORITIES, type Priority } from './rules/priority.ts'

/** The fields of a job that a caller sets, as the API sends and accepts them. `JOB_FIELDS` declares the limits, the description and the mapping of each. */
export interface JobFields {
  readonly name: string
  readonly description: string | null
  /** null if the trigger is of another type. */
  readonly cronExpression: string | null
  readonly trigger: TriggerJson
  readonly timeZone: string
  readonly calendar: string | null
  readonly priority: Priority
  /** null: no timeout, which only code and durable job types can declare. */
  readonly timeoutMinutes: number | null
  readonly retryCount: number
  readonly requiresTwoStepExecution: boolean
  readonly payload: unknown
  readonly misfirePolicy: MisfirePolicy
  readonly misfireThresholdSeconds: number
  readonly overlap: OverlapRule
  readonly tags: readonly string[]
}

export type JobFieldName = keyof JobFields

/** The values that a field accepts. `json`: a parser of the service decides. */
export type Accepts =
  | { readonly kind: 'text'; readonly min: number; readonly max: number; readonly hasLines?: true }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly unit?: 'minutes' | 'seconds' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'list'; readonly max: number; readonly item: { readonly min: number; readonly max: number } }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'json' }

/** A field as the API describes it. */
export interface JobField<Value = unknown> {
  readonly description: string
  readonly accepts: Accepts
  /** null is accepted and means none; so does empty text if `min` is 0. */
  readonly isNullable?: true
  /** The value of a new job if the request omits the field and the job type declares none. */
  readonly default?: Value
}

/** A field with a stored value of its own. */
interface StoredField<Value> extends JobField<Value> {
  readonly default: Value
  readonly of: (job: JobDraft) => Value
  readonly with: (job: JobDraft, value: Value) => JobDraft
}

/** The part of a job that its fields decide. */
export interface JobDraft {
  readonly name: string
  readonly definition: JobDefinition
  readonly details: DetailFields & { readonly isSensitive: boolean }
}

/**
 * Fields that do not change what runs: a change of them keeps the approval of a sensitive job. They are stored in `JobDetails` as they are sent, and a job that
 * was stored before the field existed has its default.
 */
const DETAIL_FIELDS = {
  description: {
    description: 'Text for people.',
    accepts: { kind: 'text', min: 0, max: 1_000, hasLines: true },
    isNullable: true,
    default: null,
  },
  tags: {
    description: 'Words to find the job by, each once.',
    accepts: { kind: 'list', max: 20, item: { min: 1, max: 64 } },
    default: [],
  },
} as const satisfies { readonly [Name in JobFieldName]?: JobField<JobFields[Name]> }

export type DetailName = keyof typeof DETAIL_FIELDS
export type DetailFields = Pick<JobFields, DetailName>

export const DETAIL_NAMES = Object.keys(DETAIL_FIELDS) as readonly DetailName[]

/** The details of a job for which nothing is set. */
export const DETAIL_DEFAULTS = Object.freeze(
  Object.fromEntries(DETAIL_NAMES.map((name) => [name, DETAIL_FIELDS[name].default])),
) as unknown as DetailFields

/** The details that an object sets. */
export function detailsIn(given: Partial<DetailFields>): Partial<DetailFields> {
  return Object.fromEntries(DETAIL_NAMES.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]))
}

/** Fields that the trigger and the payload are read from: several of them decide one stored value. */
const COMPOSED_FIELDS = {
  cronExpression: {
    description: 'When the job fires; null if the trigger is of another type. Give either this or `trigger`.',
    accepts: { kind: 'text', min: 1, max: 100 },
    isNullable: true,
  },
  timeZone: {
    description: 'The IANA time zone of the trigger. Default: UTC.',
    accepts: { kind: 'text', min: 0, max: 255 },
  },
  trigger: { description: 'When the job fires.', accepts: { kind: 'json' } },
  payload: {
    description: 'The input of each execution. The schema of the job type decides.',
    accepts: { kind: 'json' },
  },
} as const satisfies { readonly [Name in JobFieldName]?: JobField<JobFields[Name]> }

type ComposedName = keyof typeof COMPOSED_FIELDS
export type StoredName = Exclude<JobFieldName, ComposedName>

/** Fields that decide what runs: a change of them takes the approval of a sensitive job away. */
const WORK_FIELDS: { readonly [Name in Exclude<StoredName, DetailName>]: StoredField<JobFields[Name]> } = {
  name: {
    description: 'Unique within the tenant.',
    accepts: { kind: 'text', min: 3, max: 255 },
    default: '',
    of: ({ name }) => name,
    with: (job, name) => ({ ...job, name }),
  },
  calendar: {
    description: 'The name of a calendar that excludes times.',
    accepts: { kind: 'text', min: 1, max: 255 },
    isNullable: true,
    default: null,
    of: ({ definition }) => definition.calendar,
    with: (job, calendar) => defined(job, { calendar }),
  },
  priority: {
    description: 'Which waiting execution starts first.',
    accepts: { kind: 'word', words: PRIORITIES },
    default: 'MEDIUM',
    of: ({ definition }) => definition.priority,
    with: (job, priority) => defined(job, { priority }),
  },
  timeoutMinutes: {
    description: 'How long an attempt may run.',
    accepts: { kind: 'integer', min: 5, max: 240, unit: 'minutes' },
    default: 30,
    of: ({ definition: { timeoutMs } }) => (timeoutMs === null ? null : timeoutMs / MINUTE_MS),
    with: (job, minutes) => defined(job, { timeoutMs: minutes === null ? null : minutes * MINUTE_MS }),
  },
  retryCount: {
    description: 'How often a failed execution is tried again.',
    accepts: { kind: 'integer', min: 0, max: 10 },
    default: 3,
    of: ({ definition }) => definition.maxAttempts - 1,
    with: (job, retries) => defined(job, { maxAttempts: retries + 1 }),
  },
  misfirePolicy: {
    description: 'smart, ignore, fireNow, fireOnce, fireAll, skipToNext or one of the four that reschedule.',
    accepts: { kind: 'json' },
    default: 'smart',
    of: ({ definition }) => definition.misfire.policy,
    with: (job, policy) => defined(job, { misfire: { ...job.definition.misfire, policy } }),
  },
  misfireThresholdSeconds: {
    description: 'Up to this lateness an occurrence counts as on time.',
    accepts: { kind: 'integer', min: 0, max: 604_800, unit: 'seconds' },
    default: 60,
    of: ({ definition }) => definition.misfire.thresholdMs / SECOND_MS,
    with: (job, seconds) => defined(job, { misfire: { ...job.definition.misfire, thresholdMs: seconds * SECOND_MS } }),
  },
  overlap: {
    description: 'What happens to an occurrence that is due before the previous run has finished.',
    accepts: { kind: 'json' },
    default: 'allow',
    of: ({ definition }) => definition.overlap,
    with: (job, overlap) => defined(job, { overlap, concurrency: concurrencyOf(overlap) }),
  },
  requiresTwoStepExecution: {
    description: 'Whether the job runs only after a second person has approved its definition.',
    accepts: { kind: 'flag' },
    default: false,
    of: ({ details }) => details.isSensitive,
    with: (job, isSensitive) => ({ ...job, details: { ...job.details, isSensitive } }),
  },
}

function defined(job: JobDraft, change: Partial<JobDefinition>): JobDraft {
  return { ...job, definition: { ...job.definition, ...change } }
}

export const JOB_FIELDS: { readonly [Name in JobFieldName]: JobField<JobFields[Name]> } = {
  ...WORK_FIELDS,
  ...COMPOSED_FIELDS,
  ...DETAIL_FIELDS,
}

export const JOB_FIELD_NAMES = Object.keys(JOB_FIELDS) as readonly JobFieldName[]
export const STORED_NAMES = JOB_FIELD_NAMES.filter((name): name is StoredName => !(name in COMPOSED_FIELDS))

/** The value of each field of a new job if neither the request nor the job type sets it. */
export const STORED_DEFAULTS = Object.freeze(
  Object.fromEntries(STORED_NAMES.map((name) => [name, JOB_FIELDS[name].default])),
) as unknown as Pick<JobFields, StoredName> & { readonly timeoutMinutes: number }

/** Whether a change of a field of a sensitive job needs an approval, and who may make it needs `jobs:schedule`. */
export function needsApproval(field: string): boolean {
  return !(field in DETAIL_FIELDS)
}

function fieldOf<Name extends StoredName>(job: JobDraft, name: Name): JobFields[Name] {
  return storedField(name).of(job)
}

export function withField<Name extends StoredName>(job: JobDraft, name: Name, value: JobFields[Name]): JobDraft {
  return storedField(name).with(job, value)
}

function storedField<Name extends StoredName>(name: Name): StoredField<JobFields[Name]> {
  const field = name in DETAIL_FIELDS ? storedDetail(name as DetailName) : WORK_FIELDS[name as keyof typeof WORK_FIELDS]
  return field as unknown as StoredField<JobFields[Name]>
}

function storedDetail(name: DetailName): Pick<StoredField<unknown>, 'of' | 'with'> {
  return {
    of: ({ details }) => details[name],
    with: (job, value) => ({ ...job, details: { ...job.details, [name]: value } }),
  }
}

/** All fields that have a stored value of their own. */
export function fieldsOf(job: JobDraft): Pick<JobFields, StoredName> {
  return Object.fromEntries(STORED_NAMES.map((name) => [name, fieldOf(job, name)])) as Pick<JobFields, StoredName>
}
