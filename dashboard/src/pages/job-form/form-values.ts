import {
  JOB_FIELDS,
  type JobFields,
  needsApproval,
  STORED_DEFAULTS,
  STORED_NAMES,
  type StoredName,
} from '../../../../src/job/job-fields.ts'
import type { JobTypeView, JobView } from '../../api/wire.ts'
import { isSameData } from '../../parts/diff-lines.ts'
import { jsonText, readJson } from '../../parts/json-schema-form/value.ts'

type TypedName = Exclude<StoredName, 'overlap'>

/** The fields whose control follows from their declaration: numbers as they are typed, lists with commas between the items. */
type TypedValues = { readonly [Name in TypedName]: JobFields[Name] extends boolean ? boolean : string }

/** A job as a form holds it. */
export interface FormValues extends TypedValues {
  readonly jobType: string
  /** `trigger`: of another kind than cron, as JSON. */
  readonly kind: 'cron' | 'trigger'
  readonly cronExpression: string
  readonly trigger: string
  readonly timeZone: string
  /** undefined: none. */
  readonly payload: unknown
  readonly overlap: 'allow' | 'queue' | 'skip' | 'replace' | 'atMost'
  readonly atMost: string
}

/** What the server takes. */
export type JobBody = Readonly<Record<string, unknown>>

export const TYPED_NAMES = STORED_NAMES.filter((name): name is TypedName => name !== 'overlap')

/** A new job, before anybody has said anything about it; what the server would take where nothing is said is shown. */
export function blankValues(timeZone: string): FormValues {
  return {
    ...typedValues(STORED_DEFAULTS),
    jobType: '',
    kind: 'cron',
    cronExpression: '',
    trigger: '',
    timeZone,
    payload: undefined,
    overlap: 'allow',
    atMost: '1',
  }
}

export function valuesOf(job: JobView): FormValues {
  const isCron = job.cronExpression !== null
  return {
    ...typedValues(job),
    jobType: job.jobType,
    kind: isCron ? 'cron' : 'trigger',
    cronExpression: job.cronExpression ?? '',
    trigger: isCron ? '' : jsonText(job.trigger),
    timeZone: job.timeZone,
    payload: job.payload ?? undefined,
    overlap: typeof job.overlap === 'string' ? job.overlap : 'atMost',
    atMost: typeof job.overlap === 'string' ? '1' : String(job.overlap.atMost),
  }
}

function typedValues(fields: Pick<JobFields, TypedName>): TypedValues {
  const typed = (value: JobFields[TypedName]) => {
    if (typeof value === 'boolean') return value
    return typeof value === 'object' && value !== null ? value.join(', ') : String(value ?? '')
  }
  return Object.fromEntries(TYPED_NAMES.map((name) => [name, typed(fields[name])])) as unknown as TypedValues
}

/** All fields as the server takes them. Of a durable job each activity has retries of its own. */
export function bodyOf(values: FormValues, type: Pick<JobTypeView, 'isDurable'> | undefined): JobBody {
  const isLeftOut = (name: TypedName) =>
    (name === 'timeoutMinutes' && values.timeoutMinutes.trim() === '') ||
    (name === 'retryCount' && type?.isDurable === true)
  return {
    ...Object.fromEntries(
      TYPED_NAMES.filter((name) => !isLeftOut(name)).map((name) => [name, sentValue(name, values[name])]),
    ),
    ...(values.kind === 'cron'
      ? { cronExpression: values.cronExpression.trim(), timeZone: values.timeZone }
      : { trigger: parsed(values.trigger) }),
    payload: values.payload ?? null,
    overlap: values.overlap === 'atMost' ? { atMost: Number(values.atMost) } : values.overlap,
  }
}

function sentValue(name: TypedName, value: string | boolean): unknown {
  const { accepts, isNullable } = JOB_FIELDS[name]
  if (typeof value === 'boolean') return value
  if (accepts.kind === 'integer') return Number(value)
  if (accepts.kind === 'list') return tagsOf(value)
  const text = accepts.kind === 'text' && accepts.hasLines ? value : value.trim()
  return text === '' && isNullable ? null : text
}

/** Only what is not as it was: what somebody else changes meanwhile is not put back. */
export function changesOf(
  before: FormValues,
  after: FormValues,
  type: Pick<JobTypeView, 'isDurable'> | undefined,
): JobBody {
  const was = bodyOf(before, type)
  return Object.fromEntries(
    Object.entries(bodyOf(after, type)).filter(([field, value]) => !isSameData(was[field], value)),
  )
}

export function losesApproval(changes: JobBody): boolean {
  return Object.keys(changes).some(needsApproval)
}

/** The tags of a text, each once. */
export function tagsOf(text: string): readonly string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

function parsed(text: string): unknown {
  const read = readJson(text)
  return 'value' in read ? read.value : undefined
}
