import { InvalidInputError, quote } from '../../errors.ts'
import { spread } from '../spread.ts'
import type { DayOfMonthField, DayOfWeekField } from './day-set.ts'

/** What a cron field is called, which numbers it takes, and which names stand for them. */
export interface CronField {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
  /** What the field takes beside numbers, as told in messages. */
  readonly forms: string
}

const NUMBERS = '*, lists (1,2), ranges (1-5) and steps (*/5)'
const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

export const SECOND: CronField = { name: 'second', min: 0, max: 59, forms: NUMBERS }
export const MINUTE: CronField = { name: 'minute', min: 0, max: 59, forms: NUMBERS }
export const HOUR: CronField = { name: 'hour', min: 0, max: 23, forms: NUMBERS }

export const DAY_OF_MONTH: CronField = {
  name: 'day-of-month',
  min: 1,
  max: 31,
  forms: `${NUMBERS}, ?, L, L-3, LW, L-3W, 15W`,
}
export const MONTH: CronField = { name: 'month', min: 1, max: 12, names: MONTH_NAMES, forms: `${NUMBERS}, JAN-DEC` }

export const DAY_OF_WEEK: CronField = {
  name: 'day-of-week',
  min: 0,
  max: 7,
  names: WEEKDAY_NAMES,
  forms: `${NUMBERS}, ?, SUN-SAT, 5L, 5#2`,
}

/** Where a field stands, for messages. */
export interface FieldSource {
  readonly expression: string
}

interface FieldValues {
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

function parseValue(field: CronField, value: string, text: string, source: FieldSource): number {
  const parsed = numberOf(field, value)
  if (parsed === undefined) throw invalidField(field, text, source)
  return parsed
}

function parseStep(field: CronField, step: string | undefined, text: string, source: FieldSource): number {
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

/** Two digits or three letters, as a number of the field, or undefined. */
function numberOf(field: CronField, text: string): number | undefined {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : namedValue(field, text)
  return value !== undefined && value >= field.min && value <= field.max ? value : undefined
}

function namedValue(field: CronField, text: string): number | undefined {
  const index = field.names?.indexOf(text.toUpperCase()) ?? -1
  return index < 0 ? undefined : index + field.min
}

const FROM_END = /^L(?:-(\d{1,2}))?(W)?$/i

const NEAREST_WEEKDAY = /^(\d{1,2})W$/i

const LAST_WEEKDAY = /^(\d{1,2}|[A-Z]{3})L$/i

const NTH_WEEKDAY = /^(\d{1,2}|[A-Z]{3})#(\d{1,2})$/i

export function parseDayOfMonth(text: string, source: FieldSource): DayOfMonthField {
  const fromEnd = FROM_END.exec(text)
  if (fromEnd) {
    const offset = Number(fromEnd[1] ?? 0)
    if (offset > 30) throw invalidField(DAY_OF_MONTH, text, source, { case: 'fromEnd', text: 'L-n takes 0-30' })
    return { kind: 'fromEnd', offset, nearestWeekday: fromEnd[2] !== undefined }
  }
  const nearest = NEAREST_WEEKDAY.exec(text)
  if (nearest) {
    return { kind: 'nearestWeekday', day: parseValue(DAY_OF_MONTH, nearest[1] ?? '', text, source) }
  }
  let bits = 0
  for (const day of parseValues(DAY_OF_MONTH, text, source).values) bits |= 1 << (day - 1)
  return { kind: 'set', bits }
}

export function parseDayOfWeek(text: string, source: FieldSource): DayOfWeekField {
  const last = LAST_WEEKDAY.exec(text)
  if (last) return { kind: 'last', weekday: parseWeekday(last[1] ?? '', text, source) }
  const nth = NTH_WEEKDAY.exec(text)
  if (nth) {
    const number = Number(nth[2])
    if (number < 1 || number > 5) {
      throw invalidField(DAY_OF_WEEK, text, source, { case: 'nth', text: 'day#n takes an n of 1-5' })
    }
    return { kind: 'nth', weekday: parseWeekday(nth[1] ?? '', text, source), nth: number }
  }
  let bits = 0
  for (const day of weekdaysOf(text, source)) bits |= 1 << day
  return { kind: 'set', bits }
}

/** The days of the week that a field without `L` and `#` lists, 0 for Sunday. */
export function weekdaysOf(text: string, source: FieldSource = { expression: text }): Set<number> {
  return new Set([...parseValues(DAY_OF_WEEK, text, source).values].map((day) => day % 7))
}

function parseWeekday(value: string, text: string, source: FieldSource): number {
  return parseValue(DAY_OF_WEEK, value, text, source) % 7
}

const SPREAD = /^[hH](?:\((\d{1,2})-(\d{1,2})\))?(?:\/(.*))?$/s

/**
 * A field with each `H`, `H/15`, `H(0-29)` or `H(0-29)/10` in it replaced by values of the identity's own, so that many jobs with
 * one expression do not fire in one instant.
 */
export function spreadField(field: CronField, text: string, identity: string | undefined, source: FieldSource): string {
  if (!/h/i.test(text)) return text
  const elements = text
    .split(',')
    .map((element) => (SPREAD.test(element) ? choose(field, element, identity, source) : element))
  return elements.join(',')
}

function choose(field: CronField, element: string, identity: string | undefined, source: FieldSource): string {
  if (identity === undefined) {
    const text = 'H needs the identity of a job to spread by, and none was given'
    throw invalidField(field, element, source, { case: 'spread', text })
  }
  const [, low, high, stepText] = SPREAD.exec(element) ?? []
  const from = low === undefined ? field.min : parseValue(field, low, element, source)
  const to = high === undefined ? largest(field) : parseValue(field, high, element, source)
  if (to < from) throw invalidField(field, element, source)
  const key = `${identity}/${field.name}`
  if (stepText === undefined) return String(from + spread(key, to - from + 1))
  const step = parseStep(field, stepText, element, source)
  return `${from + spread(key, Math.min(step, to - from + 1))}-${to}/${step}`
}

/** Not every month has a 29th, and Sunday, which has two numbers, is not twice as likely as other days. */
function largest(field: CronField): number {
  if (field === DAY_OF_MONTH) return 28
  return field === DAY_OF_WEEK ? 6 : field.max
}

/** Why a field cannot be understood: for other languages, and in words. */
interface FieldReason {
  readonly case: 'forms' | 'step' | 'fromEnd' | 'nth' | 'spread'
  readonly text: string
}

function invalidField(
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
