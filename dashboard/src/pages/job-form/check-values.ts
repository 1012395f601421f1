import { JOB_FIELDS, type JobFieldName } from '../../../../src/job/job-fields.ts'
import type { JobTypeView } from '../../api/wire.ts'
import { findingsOf } from '../../parts/json-schema-form/check.ts'
import { fieldsOf, readJson } from '../../parts/json-schema-form/value.ts'
import { type FormValues, TYPED_NAMES, tagsOf } from './form-values.ts'

export type FieldName = keyof FormValues

/** What can be wrong with a field before it is sent. */
export type Fault =
  | 'nameRequired'
  | 'nameMinLength'
  | 'jobTypeRequired'
  | 'cronRequired'
  | 'triggerInvalid'
  | 'zoneUnknown'
  | 'timeoutRequired'
  | 'timeoutMinValue'
  | 'timeoutMaxValue'
  | 'wholeNumber'
  | 'range'
  | 'tooManyTags'
  | 'tagTooLong'
  | 'payloadInvalid'
  | 'payloadHidden'

interface Circumstances {
  readonly isNew: boolean
  readonly type: JobTypeView | undefined
  readonly isZone: (name: string) => boolean
  /** Whether some text of the payload is no JSON. */
  readonly isPayloadBroken: boolean
  /** Whether the job had no timeout when the form was opened: it may stay without. */
  readonly hadNoTimeout: boolean
}

const HIDDEN = '***'
/** The numbers that a field of the form accepts. */
export function limitsOf(field: FieldName): { readonly min: number; readonly max: number } | null {
  if (field === 'atMost') return { min: 1, max: 10_000 }
  const accepts = field in JOB_FIELDS ? JOB_FIELDS[field as JobFieldName].accepts : null
  return accepts?.kind === 'integer' ? accepts : null
}

/** What is wrong with each field; nothing: it can be sent. The order is that of the form. */
export function checkValues(values: FormValues, around: Circumstances): ReadonlyMap<FieldName, Fault> {
  const faults: readonly (readonly [FieldName, Fault | null])[] = [
    ['name', faultOfName(values.name.trim())],
    ['jobType', values.jobType === '' ? 'jobTypeRequired' : null],
    ...TYPED_NAMES.map((name) => [name, faultOfList(name, values[name])] as const),
    ['cronExpression', values.kind === 'cron' && values.cronExpression.trim() === '' ? 'cronRequired' : null],
    ['trigger', values.kind === 'trigger' && !isTrigger(values.trigger) ? 'triggerInvalid' : null],
    ['timeZone', values.kind === 'cron' && !around.isZone(values.timeZone) ? 'zoneUnknown' : null],
    ['timeoutMinutes', faultOfTimeout(values.timeoutMinutes.trim(), around)],
    ...TYPED_NAMES.filter((name) => name !== 'timeoutMinutes' && !isIgnored(name, around)).map(
      (name) => [name, faultOfNumber(name, values[name])] as const,
    ),
    ['atMost', values.overlap === 'atMost' ? faultOfNumber('atMost', values.atMost) : null],
    ['payload', faultOfPayload(values.payload, around)],
  ]
  return new Map(faults.filter((row): row is readonly [FieldName, Fault] => row[1] !== null))
}

function faultOfName(name: string): Fault | null {
  if (name === '') return 'nameRequired'
  return Array.from(name).length < 3 ? 'nameMinLength' : null
}

function faultOfList(name: JobFieldName, text: string | boolean): Fault | null {
  const { accepts } = JOB_FIELDS[name]
  if (accepts.kind !== 'list' || typeof text !== 'string') return null
  const items = tagsOf(text)
  if (items.length > accepts.max) return 'tooManyTags'
  return items.some((item) => Array.from(item).length > accepts.item.max) ? 'tagTooLong' : null
}

/** A missing timeout is in the words of RF-112. */
function faultOfTimeout(text: string, { type, hadNoTimeout }: Circumstances): Fault | null {
  if (text === '') return hadNoTimeout || type?.isDurable === true ? null : 'timeoutRequired'
  const limits = limitsOf('timeoutMinutes')
  const minutes = Number(text)
  if (Number.isNaN(minutes) || limits === null) return 'wholeNumber'
  if (minutes < limits.min) return 'timeoutMinValue'
  if (minutes > limits.max) return 'timeoutMaxValue'
  return Number.isInteger(minutes) ? null : 'wholeNumber'
}

/** Of a durable job each activity has retries of its own. */
function isIgnored(name: FieldName, { type }: Circumstances): boolean {
  return name === 'retryCount' && type?.isDurable === true
}

function faultOfNumber(field: FieldName, text: string | boolean): Fault | null {
  const limits = limitsOf(field)
  if (limits === null || typeof text !== 'string') return null
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(value)) return 'wholeNumber'
  return value < limits.min || value > limits.max ? 'range' : null
}

function isTrigger(text: string): boolean {
  const read = readJson(text)
  return 'value' in read && typeof fieldsOf(read.value)['type'] === 'string'
}

function faultOfPayload(payload: unknown, { isNew, type, isPayloadBroken }: Circumstances): Fault | null {
  if (isPayloadBroken) return 'payloadInvalid'
  // What is hidden is put back by the server only where there is a job that has it.
  if (isNew && hasHidden(payload)) return 'payloadHidden'
  const schema = type?.inputSchema ?? null
  return schema !== null && findingsOf(schema, payload ?? undefined).length > 0 ? 'payloadInvalid' : null
}

function hasHidden(value: unknown): boolean {
  if (typeof value === 'string') return value === HIDDEN || value.endsWith(`?${HIDDEN}`)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHidden)
}
