import { DAY_MS } from '../duration.ts'
import { InvalidInputError, quote } from '../errors.ts'
import { FIRST_DAY, LAST_DAY } from './civil.ts'

/** A point in time at the public edge: epoch milliseconds, a `Date`, or RFC 3339 text with an offset. Inside: milliseconds. */
export type Instant = number | string | Date

const FIRST_INSTANT = FIRST_DAY * DAY_MS
const LAST_INSTANT = (LAST_DAY + 1) * DAY_MS - 1

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const ACCEPTED =
  'epoch milliseconds, a Date, or RFC 3339 text with an offset such as "2026-03-08T02:30:00Z", in years 1 to 9999'

/** The epoch milliseconds of an instant; refuses what is none, naming it. */
export function instantOf(instant: Instant, name: string): number {
  const milliseconds = toMilliseconds(instant)
  if (milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT) return milliseconds
  throw new InvalidInputError('instant.invalid', `${name} must be ${ACCEPTED}, got ${quote(instant)}.`, {
    name,
    received: instant,
    accepted: ACCEPTED,
  })
}

function toMilliseconds(instant: Instant): number {
  if (typeof instant === 'number') return Number.isInteger(instant) ? instant : Number.NaN
  if (instant instanceof Date) return instant.getTime()
  const date = typeof instant === 'string' ? RFC_3339.exec(instant) : null
  if (!date) return Number.NaN
  // `Date.parse` takes 30 February for 1 March.
  const day = new Date(`${date[1]}-${date[2]}-${date[3]}T00:00:00Z`)
  return day.getUTCDate() === Number(date[3]) ? Date.parse(date[0]) : Number.NaN
}

/** An instant as it is stored and sent: RFC 3339 in UTC. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString()
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.:](\d{3}))?)?$/

const TIME_OF_DAY_FORMS = '"HH:MM", "HH:MM:SS" or "HH:MM:SS.mmm" from 00:00 to 23:59:59.999'

/** Milliseconds since midnight on the wall. */
export function parseTimeOfDay(text: string, name: string): number {
  const parts = typeof text === 'string' ? TIME_OF_DAY.exec(text) : null
  if (!parts) {
    throw new InvalidInputError('time_of_day.invalid', `${name} must be ${TIME_OF_DAY_FORMS}, got ${quote(text)}.`, {
      name,
      received: text,
      accepted: TIME_OF_DAY_FORMS,
    })
  }
  const [, hour, minute, second = '0', millisecond = '0'] = parts
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(millisecond)
}

/** The shortest form that is read back as the same: `08:00`, `08:00:30`, `08:00:30.250`. */
export function formatTimeOfDay(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString().slice(11, 23)
  return text.replace(/\.000$/, '').replace(/^(\d\d:\d\d):00$/, '$1')
}
