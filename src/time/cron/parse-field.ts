import { InvalidInputError, quote } from '../../errors.ts'
import { type CronField, DAY_OF_WEEK, numberOf } from './field.ts'

/** Where a field stands, for messages. */
export interface FieldSource {
  readonly expression: string
}

export interface FieldValues {
  readonly values: ReadonlySet<number>
  /** Whether it says "every so often" (`*`, a range or a step) and not fixed values. */
  readonly isInterval: boolean
}

const STAR = /^[*?](?:\/(.*))?$/s
const ELEMENT = /^([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?(?:\/(.*))?$/s

/** The values of a field in the forms that all fields share: `*`, numbers, names, lists, ranges and steps. */
export function parseValues(field: CronField, text: string, source: FieldSource): FieldValues {
  const star = STAR.exec(text)
  if (star) {
    const step = parseStep(field, star[1], text, source)
    return { values: range(field, field.min, field.max, step), isInterval: true }
  }
  const values = new Set<number>()
  let isInterval = false
  for (const element of text.split(',')) {
    const parsed = parseElement(field, element, text, source)
    for (const value of parsed.values) values.add(value)
    isInterval ||= parsed.isInterval
  }
  return { values, isInterval }
}

function parseElement(field: CronField, element: string, text: string, source: FieldSource): FieldValues {
  const [, low, high, stepText] = ELEMENT.exec(element) ?? []
  if (low === undefined) throw invalidField(field, text, source)
  const from = parseValue(field, low, text, source)
  if (high === undefined && stepText === undefined) return { values: new Set([from]), isInterval: false }
  const to = high === undefined ? field.max : parseValue(field, high, text, source)
  return { values: range(field, from, to, parseStep(field, stepText, text, source)), isInterval: true }
}

export function parseValue(field: CronField, value: string, text: string, source: FieldSource): number {
  const parsed = numberOf(field, value)
  if (parsed === undefined) throw invalidField(field, text, source)
  return parsed
}

export function parseStep(field: CronField, step: string | undefined, text: string, source: FieldSource): number {
  if (step === undefined) return 1
  const parsed = /^\d{1,2}$/.test(step) ? Number(step) : 0
  if (parsed < 1 || parsed > field.max) throw invalidStep(field, text, source)
  return parsed
}

/** From low to high; where low is the larger, over the end of the field and on from its beginning, keeping the step. */
function range(field: CronField, low: number, high: number, step: number): Set<number> {
  // Sunday has two numbers: over the end of the week it counts once, as 0.
  const size = field.max - field.min + (field === DAY_OF_WEEK ? 0 : 1)
  const from = field === DAY_OF_WEEK && low === 7 && high < 7 ? 0 : low
  const to = high < from ? high + size : high
  const values = new Set<number>()
  for (let value = from; value <= to; value += step) values.add(value > field.max ? value - size : value)
  return values
}

/** Why a field cannot be understood: for other languages, and in words. */
interface FieldReason {
  readonly case: 'forms' | 'step' | 'fromEnd' | 'nth' | 'spread'
  readonly text: string
}

export function invalidField(
  field: CronField,
  received: string,
  source: FieldSource,
  reason: FieldReason = { case: 'forms', text: `it takes ${field.forms}` },
): InvalidInputError {
  return invalid(field, field.name, `${field.min}-${field.max}`, received, source, reason)
}

function invalidStep(field: CronField, received: string, source: FieldSource): InvalidInputError {
  return invalid(field, `${field.name} step`, `1-${field.max}`, received, source, { case: 'step', text: '' })
}

function invalid(
  field: CronField,
  part: string,
  accepted: string,
  received: string,
  source: FieldSource,
  reason: FieldReason,
): InvalidInputError {
  const { expression } = source
  const why = reason.text === '' ? '' : `: ${reason.text}`
  return new InvalidInputError(
    'cron.field_invalid',
    `Cron ${part} must be ${accepted}, got ${quote(received)} in ${quote(expression)}${why}.`,
    { case: reason.case, field: field.name, received, accepted, forms: field.forms, expression },
  )
}
