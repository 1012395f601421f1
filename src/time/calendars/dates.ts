import { InvalidInputError, quote } from '../../errors.ts'
import { dateOf, dayOf, daysInMonth } from '../civil.ts'

const DATES: Accepted = { case: 'dates', text: 'dates such as "2026-12-25"' }
const MONTH_DAYS: Accepted = { case: 'monthDays', text: 'days of the year such as "12-25"' }
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTH_DAY = /^(\d\d)-(\d\d)$/

/** What is accepted: for other languages, and in words. */
interface Accepted {
  readonly case: 'dates' | 'monthDays' | 'numbers'
  readonly text: string
  readonly min?: number
  readonly max?: number
}

/** The day numbers of a list of `YYYY-MM-DD` dates. */
export function parseDates(values: unknown, name: string): ReadonlySet<number> {
  return parseList(values, name, DATES, parseDate)
}

/** The days of a list of `MM-DD` days of every year, each as month × 100 + day. 29 February is one. */
export function parseMonthDays(values: unknown, name: string): ReadonlySet<number> {
  return parseList(values, name, MONTH_DAYS, parseMonthDay)
}

function parseList(
  values: unknown,
  name: string,
  accepted: Accepted,
  parse: (value: unknown, name: string) => number,
): ReadonlySet<number> {
  if (!Array.isArray(values)) throw invalidDate(values, name, { ...accepted, text: `a list of ${accepted.text}` })
  // A hole in a list is nothing, which is no date.
  return new Set(Array.from(values, (value: unknown) => parse(value, name)))
}

function parseDate(text: unknown, name: string): number {
  const [, year, month, day] = (typeof text === 'string' && DATE.exec(text)) || []
  if (!isDate(Number(year), Number(month), Number(day))) throw invalidDate(text, name, DATES)
  return dayOf(Number(year), Number(month), Number(day))
}

/** Numbers in order, smallest first. */
export function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b)
}

export function formatDate(epochDay: number): string {
  const { year, month, day } = dateOf(epochDay)
  return `${String(year).padStart(4, '0')}-${formatMonthDay(month * 100 + day)}`
}

function parseMonthDay(text: unknown, name: string): number {
  const [, month, day] = (typeof text === 'string' && MONTH_DAY.exec(text)) || []
  if (!isDate(2000, Number(month), Number(day))) throw invalidDate(text, name, MONTH_DAYS)
  return Number(month) * 100 + Number(day)
}

export function formatMonthDay(monthDay: number): string {
  const text = String(monthDay).padStart(4, '0')
  return `${text.slice(0, 2)}-${text.slice(2)}`
}

function isDate(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function invalidDate(received: unknown, name: string, { text: accepted, ...details }: Accepted): InvalidInputError {
  return new InvalidInputError('calendar.invalid', `${name} must be ${accepted}, got ${quote(received)}.`, {
    ...details,
    name,
    received,
    accepted,
  })
}

/** A list of whole numbers within bounds. */
export function requireNumbers(values: unknown, name: string, min: number, max: number): readonly number[] {
  const accepted: Accepted = { case: 'numbers', text: `a list of whole numbers of ${min}-${max}`, min, max }
  if (!Array.isArray(values)) throw invalidDate(values, name, accepted)
  return Array.from(values, (value: unknown) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    throw invalidDate(value, name, accepted)
  })
}
