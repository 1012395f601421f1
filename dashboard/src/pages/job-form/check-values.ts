import type { JobTypeView } from '../../api/wire.ts'
import { findingsOf } from '../../parts/json-schema-form/check.ts'
import { fieldsOf, readJson } from '../../parts/json-schema-form/value.ts'
import { type FormValues, tagsOf } from './form-values.ts'

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
  | 'retryRange'
  | 'thresholdRange'
  | 'atMostRange'
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
const MOST_TAGS = 20
const LONGEST_TAG = 64
const LONGEST_THRESHOLD = 604_800
const MOST_AT_ONCE = 10_000

/** What is wrong with each field; nothing: it can be sent. The order is that of the form. */
export function checkValues(values: FormValues, around: Circumstances): ReadonlyMap<FieldName, Fault> {
  const faults: readonly (readonly [FieldName, Fault | null])[] = [
    ['name', faultOfName(values.name.trim())],
    ['jobType', values.jobType === '' ? 'jobTypeRequired' : null],
    ['tags', faultOfTags(tagsOf(values.tags))],
    ['cronExpression', values.kind === 'cron' && values.cronExpression.trim() === '' ? 'cronRequired' : null],
    ['trigger', values.kind === 'trigger' && !isTrigger(values.trigger) ? 'triggerInvalid' : null],
    ['timeZone', values.kind === 'cron' && !around.isZone(values.timeZone) ? 'zoneUnknown' : null],
    ['timeoutMinutes', faultOfTimeout(values.timeoutMinutes.trim(), around)],
    ['retryCount', around.type?.isDurable === true ? null : faultOfNumber(values.retryCount, 0, 10, 'retryRange')],
    ['misfireThresholdSeconds', faultOfNumber(values.misfireThresholdSeconds, 0, LONGEST_THRESHOLD, 'thresholdRange')],
    ['atMost', values.overlap === 'atMost' ? faultOfNumber(values.atMost, 1, MOST_AT_ONCE, 'atMostRange') : null],
    ['payload', faultOfPayload(values.payload, around)],
  ]
  return new Map(faults.filter((row): row is readonly [FieldName, Fault] => row[1] !== null))
}

function faultOfName(name: string): Fault | null {
  if (name === '') return 'nameRequired'
  return Array.from(name).length < 3 ? 'nameMinLength' : null
}

function faultOfTags(tags: readonly string[]): Fault | null {
  if (tags.length > MOST_TAGS) return 'tooManyTags'
  return tags.some((tag) => Array.from(tag).length > LONGEST_TAG) ? 'tagTooLong' : null
}

function faultOfTimeout(text: string, { type, hadNoTimeout }: Circumstances): Fault | null {
  if (text === '') return hadNoTimeout || type?.isDurable === true ? null : 'timeoutRequired'
  const minutes = Number(text)
  if (Number.isNaN(minutes)) return 'wholeNumber'
  if (minutes < 5) return 'timeoutMinValue'
  if (minutes > 240) return 'timeoutMaxValue'
  return Number.isInteger(minutes) ? null : 'wholeNumber'
}

function faultOfNumber(text: string, low: number, high: number, range: Fault): Fault | null {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(value)) return 'wholeNumber'
  return value < low || value > high ? range : null
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
