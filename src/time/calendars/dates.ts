import { InvalidInputError, quote } from '../../errors.ts'
import { dateOf, dayOf, daysInMonth } from '../civil.ts'

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTH_DAY = /^(\d\d)-(\d\d)$/

/** The day number of a `YYYY-MM-DD` date. */
export function parseDate(text: string, name: string): number {
  const [, year, month, day] = (typeof text === 'string' && DATE.exec(text)) || []
  if (!isDate(Number(year), Number(month), Number(day))) throw invalidDate(text, name, 'dates such as "2026-12-25"')
  return dayOf(Number(year), Number(month), Number(day))
}

export function formatDate(epochDay: number): string {
  const { year, month, day } = dateOf(epochDay)
  return `${String(year).padStart(4, '0')}-${formatMonthDay(month * 100 + day)}`
}

/** A `MM-DD` day of every year, as month × 100 + day. 29 February is one. */
export function parseMonthDay(text: string, name: string): number {
  const [, month, day] = (typeof text === 'string' && MONTH_DAY.exec(text)) || []
  if (!isDate(2000, Number(month), Number(day))) throw invalidDate(text, name, 'days of the year such as "12-25"')
  return Number(month) * 100 + Number(day)
}

export function formatMonthDay(monthDay: number): string {
  const text = String(monthDay).padStart(4, '0')
  return `${text.slice(0, 2)}-${text.slice(2)}`
}

function isDate(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function invalidDate(received: unknown, name: string, accepted: string): InvalidInputError {
  return new InvalidInputError('calendar.invalid', `${name} must be ${accepted}, got ${quote(received)}.`, {
    name,
    received,
    accepted,
  })
}

/** A list of whole numbers within bounds. */
export function requireNumbers(values: readonly number[], name: string, min: number, max: number): readonly number[] {
  const wrong = Array.isArray(values)
    ? values.find((value) => !(Number.isInteger(value) && value >= min && value <= max))
    : values
  if (wrong === undefined && Array.isArray(values)) return values
  throw invalidDate(wrong, name, `a list of whole numbers of ${min}-${max}`)
}
