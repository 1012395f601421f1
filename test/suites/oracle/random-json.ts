import { DAY_MS } from '../../../src/duration.ts'
import type { CalendarJson, TriggerJson, Weekday } from '../../../src/time.ts'
import { ODD_CHANGES } from './cron-sweep.ts'
import { type Chance, EXPRESSIONS } from './expressions.ts'
import { wallClock } from './wall-clock.ts'

/** A zone, and an instant within days of an odd change of its clock. */
export interface Place {
  readonly zone: string
  readonly at: number
}

export function randomPlace(chance: Chance): Place {
  const [zone, date] = pick(chance, ODD_CHANGES)
  return { zone, at: Date.parse(`${date}T00:00:00Z`) + (chance(6 * 86_400) - 3 * 86_400) * 1000 }
}

function pick<T>(chance: Chance, choices: readonly T[]): T {
  return choices[chance(choices.length)] as T
}

/** Some of a list, in its order; at least one. */
function some<T>(chance: Chance, choices: readonly T[], most: number): T[] {
  const chosen = new Set(Array.from({ length: 1 + chance(most) }, () => pick(chance, choices)))
  return choices.filter((choice) => chosen.has(choice))
}

const CALENDAR_CRONS = [
  '* 0-7 * * *',
  '* * * * SAT,SUN',
  '*/2 * * * *',
  '30 * * * * *',
  '0-29 30 2 * * *',
  '* 22-3 * * *',
  '* * L * *',
  '* 2 * * 0',
  '* * * 2-5 * 1-5',
]

/** A calendar of any kind, by chance with a base, that has to do with the days around a place. */
export function randomCalendar(chance: Chance, place: Place, depth = 0): CalendarJson {
  const dates = Array.from({ length: 25 }, (_, index) => isoDate(place.at + (index - 12) * DAY_MS))
  const shared = {
    timeZone: chance(4) === 0 ? pick(chance, ['UTC', 'Pacific/Apia', 'America/New_York']) : place.zone,
    ...(depth < 3 && chance(2) === 0 && { base: randomCalendar(chance, place, depth + 1) }),
  }
  const days = { ...shared, ...(chance(3) === 0 && { includes: some(chance, dates, 3) }) }
  switch (chance(6)) {
    case 0:
      return { type: 'holiday', dates: some(chance, dates, 8), ...days }
    case 1:
      return { type: 'annual', days: [...new Set(some(chance, dates, 8).map((date) => date.slice(5)))].sort(), ...days }
    case 2:
      return { type: 'monthly', days: some(chance, numbers(1, 31), 8), ...days }
    case 3:
      return { type: 'weekly', weekdays: some(chance, numbers(0, 6), 3), ...days }
    case 4:
      return {
        type: 'daily',
        from: timeOfDay(chance),
        to: timeOfDay(chance),
        ...(chance(2) === 0 && { invert: true }),
        ...shared,
      }
    default:
      return { type: 'cron', expression: pick(chance, CALENDAR_CRONS), ...shared }
  }
}

function timeOfDay(chance: Chance): string {
  return pick(chance, [
    '00:00',
    '00:30',
    '01:00',
    '02:00',
    '02:30',
    '03:00:01',
    '06:15',
    '12:00',
    '22:00',
    '23:59:59.999',
  ])
}

/** A cron trigger that fires a few times a day at most. */
export function randomCron(chance: Chance, { zone }: Place): TriggerJson {
  const sparse = EXPRESSIONS.filter((each) => each.split(' ').length === 5 && !/^[*]|^[^ ]*[-/]/.test(each))
  const expression = pick(chance, [...sparse, '0 0 * * *', '30 2 * * *', '0 */6 * * *', '0 12 * * *'])
  const gap = pick(chance, [undefined, 'shift', 'skip'] as const)
  const overlap = pick(chance, [undefined, 'first', 'last', 'both'] as const)
  return { type: 'cron', expression, timeZone: zone, ...(gap && { gap }), ...(overlap && { overlap }) }
}

export function randomSimple(chance: Chance, { at }: Place): TriggerJson {
  const intervalMs = pick(chance, [1, 999, 60_000, 3_600_000, 86_400_000, 12_345_678]) * (1 + chance(3))
  const isShort = intervalMs < 60_000
  const startAt = iso(at + chance(1000) - (isShort ? chance(10_000) : chance(5 * DAY_MS)))
  const repeatCount = isShort ? 1 + chance(2000) : pick(chance, [-1, 0, 1, 7, 1000])
  return { type: 'simple', startAt, intervalMs, repeatCount, ...end(chance, at) }
}

export function randomInterval(chance: Chance, place: Place): TriggerJson {
  const unit = pick(chance, ['second', 'minute', 'hour', 'day', 'day', 'day', 'week', 'month', 'year'] as const)
  const every =
    unit === 'second' ? 600 + chance(3000) : unit === 'minute' ? 10 + chance(200) : 1 + chance(unit === 'hour' ? 30 : 3)
  const reach = { second: 1, minute: 3, hour: 30, day: 120, week: 700, month: 2000, year: 6000 }[unit] * DAY_MS
  const startAt = iso(startOf(chance, place, reach))
  const gap = pick(chance, [undefined, 'skip'] as const)
  const overlap = pick(chance, [undefined, 'last'] as const)
  const options = { ...(gap && { gap }), ...(overlap && { overlap }), ...end(chance, place.at) }
  return { type: 'calendarInterval', every, unit, timeZone: place.zone, ...options, startAt }
}

/** Months and years counted from one of the last days of a month. */
export function randomMonthEnd(chance: Chance, { zone, at }: Place): TriggerJson {
  const monthEnd = Date.UTC(new Date(at).getUTCFullYear() - 1 - chance(4), chance(12) + 1, 0) - chance(3) * DAY_MS
  const startAt = iso(wallClock(zone).instantOf(monthEnd + chance(48) * 1_800_000))
  const unit = pick(chance, ['month', 'month', 'year'] as const)
  return { type: 'calendarInterval', every: 1 + chance(4), unit, timeZone: zone, startAt }
}

/** An instant before a place whose time of day is often one that a change of the clock skips or repeats. */
function startOf(chance: Chance, place: Place, reach: number): number {
  const days = Math.floor((place.at - chance(reach)) / DAY_MS)
  const minutes = chance(3) === 0 ? chance(1440) : chance(8) * 30
  const at = wallClock(place.zone).instantOf(days * DAY_MS + minutes * 60_000 + (chance(4) === 0 ? chance(60_000) : 0))
  return Math.min(at, place.at)
}

export function randomDaily(chance: Chance, place: Place): TriggerJson {
  const unit = pick(chance, ['second', 'minute', 'hour'] as const)
  const every = unit === 'second' ? 700 + chance(5000) : unit === 'minute' ? 15 + chance(100) : 1 + chance(5)
  const times = [timeOfDay(chance).slice(0, 8), timeOfDay(chance).slice(0, 8)].sort()
  const isBounded = chance(2) === 0
  const repeatCount = isBounded ? pick(chance, [-1, 0, 3, 50, 400]) : -1
  return {
    type: 'dailyTimeInterval',
    every,
    unit,
    from: times[0] ?? '00:00',
    to: times[1] ?? '23:59:59',
    weekdays: some(chance, numbers(0, 6), 12) as Weekday[],
    timeZone: place.zone,
    repeatCount,
    ...(chance(2) === 0 && { overlap: 'last' as const }),
    ...(isBounded && { startAt: iso(place.at - chance(20 * DAY_MS)), ...end(chance, place.at) }),
  }
}

function end(chance: Chance, at: number): { endAt?: string } {
  return chance(4) === 0 ? { endAt: iso(at + chance(4 * DAY_MS)) } : {}
}

/** A trigger of any kind that does not wrap another. */
export function randomPlain(chance: Chance, place: Place): TriggerJson {
  const kinds = [
    randomCron,
    randomSimple,
    randomInterval,
    randomDaily,
    () => ({ type: 'once' as const, at: iso(place.at) }),
  ]
  return pick(chance, kinds)(chance, place)
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function isoDate(instant: number): string {
  return iso(instant).slice(0, 10)
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
