import { InvalidInputError, quote } from './errors.ts'

/** Milliseconds, or text such as `'5m'`, `'2 hours'`, `'1h 30m'`; a year is 365 days. Text exists only at the public edge. */
export type Duration = number | string

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 604_800_000,
  y: 31_536_000_000,
}

const UNIT_OF: Readonly<Record<string, string>> = {
  ms: 'ms',
  millisecond: 'ms',
  s: 's',
  sec: 's',
  second: 's',
  m: 'm',
  min: 'm',
  minute: 'm',
  h: 'h',
  hour: 'h',
  d: 'd',
  day: 'd',
  w: 'w',
  week: 'w',
  y: 'y',
  year: 'y',
}

const PART = /\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)/gy
const ACCEPTED = 'a number of milliseconds, or text such as "500ms", "30s", "5m", "2 hours", "1h 30m", "7d"'
const MAX_LENGTH = 64

/** The milliseconds a duration stands for. A fraction of a millisecond is refused, and so is a negative duration. */
export function parseDuration(duration: Duration, name = 'duration'): number {
  const milliseconds = typeof duration === 'number' ? duration : sumParts(duration)
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) throw invalid(name, duration)
  return milliseconds
}

function sumParts(text: unknown): number {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return Number.NaN
  const trimmed = text.trim()
  PART.lastIndex = 0
  let sum = 0
  let end = 0
  for (let match = PART.exec(trimmed); match; match = PART.exec(trimmed)) {
    const unit = unitOf(match[2] ?? '')
    if (unit === undefined) return Number.NaN
    // 1.005 s is 1005 ms, whatever binary fractions make of it.
    sum += Number((Number(match[1]) * unit).toFixed(6))
    end = PART.lastIndex
  }
  return end > 0 && end === trimmed.length ? sum : Number.NaN
}

function unitOf(word: string): number | undefined {
  // A short unit stands as it is: many read a capital M as months.
  const lower = word.length > 2 ? word.toLowerCase() : word
  const singular = lower.length > 2 && lower.endsWith('s') ? lower.slice(0, -1) : lower
  if (!Object.hasOwn(UNIT_OF, singular)) return undefined
  return UNIT_MS[UNIT_OF[singular] ?? '']
}

function invalid(name: string, received: unknown): InvalidInputError {
  return new InvalidInputError('duration.invalid', `${name} must be ${ACCEPTED}, got ${quote(received)}.`, {
    name,
    received,
    accepted: ACCEPTED,
  })
}
