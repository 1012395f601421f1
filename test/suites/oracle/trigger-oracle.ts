/** Triggers as their rules are written: every fire time of a range, found by enumerating from the beginning. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/duration.ts'
import { spread } from '../../../src/time/spread.ts'
import type { TriggerJson } from '../../../src/time.ts'
import { includes } from './calendar-oracle.ts'
import { CronOracle } from './cron-oracle.ts'
import { wallClock } from './wall-clock.ts'

type Json<Type extends TriggerJson['type']> = Extract<TriggerJson, { type: Type }>

const ELAPSED_MS = { second: SECOND_MS, minute: MINUTE_MS, hour: HOUR_MS }

/** All fire times from one instant up to another, in order, each once. */
export function firesOf(json: TriggerJson, from: number, to: number): number[] {
  const inRange = [...enumerate(json, from, to)].filter((at) => at >= from && at < to)
  return [...new Set(inRange)].sort((a, b) => a - b)
}

function enumerate(json: TriggerJson, from: number, to: number): Iterable<number> {
  switch (json.type) {
    case 'once':
      return [Date.parse(json.at)]
    case 'cron':
      return cronFires(json, from, to)
    case 'simple':
      return simpleFires(json, to)
    case 'calendarInterval':
      return intervalFires(json, to)
    case 'dailyTimeInterval':
      return dailyFires(json, from, to)
    case 'jittered': {
      const later = spread(json.identity, json.withinMs)
      return firesOf(json.trigger, from - later, to - later).map((at) => at + later)
    }
    case 'calendared':
      return calendaredFires(json, from, to)
  }
}

function cronFires(json: Json<'cron'>, from: number, to: number): number[] {
  const start = json.startAt === undefined ? from : Math.floor(Date.parse(json.startAt) / SECOND_MS) * SECOND_MS
  const end = json.endAt === undefined ? to : Date.parse(json.endAt) + 1
  const stretches = wallClock(json.timeZone).around(from, to)
  return new CronOracle(json.expression, json).fires(stretches, Math.max(start, from), Math.min(end, to))
}

function* simpleFires(json: Json<'simple'>, to: number): Generator<number> {
  const end = Math.min(to, json.endAt === undefined ? to : Date.parse(json.endAt))
  const last = json.repeatCount < 0 ? Number.POSITIVE_INFINITY : json.repeatCount
  for (let index = 0; index <= last; index++) {
    const at = Date.parse(json.startAt) + index * json.intervalMs
    if (at >= end) return
    yield at
  }
}

function* intervalFires(json: Json<'calendarInterval'>, to: number): Generator<number> {
  const start = Date.parse(json.startAt)
  const end = Math.min(to, json.endAt === undefined ? to : Date.parse(json.endAt))
  const clock = wallClock(json.timeZone)
  const anchor = clock.wallAt(start)
  for (let index = 0; ; index++) {
    const at = index === 0 ? start : stepOf(index * json.every)
    if (at !== null && at >= end) return
    if (at !== null) yield at
  }

  function stepOf(units: number): number | null {
    if (json.unit === 'second' || json.unit === 'minute' || json.unit === 'hour') {
      return start + units * ELAPSED_MS[json.unit]
    }
    const wall = wallAfter(anchor, units, json.unit)
    const at = clock.instantOf(wall, json.overlap)
    const laterMs = clock.wallAt(at) - wall
    // A zone that moves over the date line has no such day, so that nothing is there to shift.
    return laterMs > 0 && (json.gap === 'skip' || laterMs >= DAY_MS) ? null : at
  }
}

/** The wall time so many units later: the same time of day, and the same day of the month or the last there is. */
function wallAfter(anchor: number, units: number, unit: 'day' | 'week' | 'month' | 'year'): number {
  if (unit === 'day') return anchor + units * DAY_MS
  if (unit === 'week') return anchor + units * 7 * DAY_MS
  const date = new Date(anchor)
  const month = date.getUTCMonth() + (unit === 'year' ? 12 * units : units)
  const length = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), length)
  return Date.UTC(date.getUTCFullYear(), month, day) + (((anchor % DAY_MS) + DAY_MS) % DAY_MS)
}

function* dailyFires(json: Json<'dailyTimeInterval'>, from: number, to: number): Generator<number> {
  const start = json.startAt === undefined ? from : Math.floor(Date.parse(json.startAt) / SECOND_MS) * SECOND_MS
  const end = Math.min(to, json.endAt === undefined ? to : Date.parse(json.endAt) + 1)
  let left = json.repeatCount < 0 ? Number.POSITIVE_INFINITY : json.repeatCount + 1
  for (let day = Math.floor(start / DAY_MS) - 2; day * DAY_MS < end + 2 * DAY_MS; day++) {
    for (const at of firesOfDay(json, day)) if (at >= start && at < end && left-- > 0) yield at
  }
}

/** Steps of elapsed time from the first time of day on, as long as the day lasts. */
function* firesOfDay(json: Json<'dailyTimeInterval'>, day: number): Generator<number> {
  const clock = wallClock(json.timeZone)
  const midnight = day * DAY_MS
  if (!json.weekdays.some((weekday) => weekday === new Date(midnight).getUTCDay())) return
  const first = clock.instantOf(midnight + timeOfDay(json.from), json.overlap)
  if (Math.floor(clock.wallAt(first) / DAY_MS) !== day) return
  const last = Math.min(
    clock.instantOf(midnight + timeOfDay(json.to), json.overlap),
    clock.instantOf(midnight + DAY_MS) - 1,
  )
  for (let at = first; at <= last; at += json.every * ELAPSED_MS[json.unit]) yield at
}

function timeOfDay(text: string): number {
  return Date.parse(`1970-01-01T${text.length === 5 ? `${text}:00` : text}Z`)
}

/** As far as a fire time moves at most, with calendars that never exclude so many days in a row. */
const REACH_DAYS = 60

function calendaredFires(json: Json<'calendared'>, from: number, to: number): number[] {
  const { trigger, calendar } = json
  if (json.onExcluded === 'skip') return firesOf(trigger, from, to).filter((at) => includes(calendar, at))
  const clock = wallClock(zoneOfTrigger(trigger))
  const direction = json.onExcluded === 'nextDay' ? 1 : -1
  const reach = (REACH_DAYS + 2) * DAY_MS
  const moved: number[] = []
  for (const fire of firesOf(trigger, from - reach, to + reach)) {
    let at = fire
    for (let days = 1; days <= REACH_DAYS && !includes(calendar, at); days++) {
      at = clock.instantOf(clock.wallAt(fire) + direction * days * DAY_MS)
    }
    if (includes(calendar, at)) moved.push(at)
  }
  return moved
}

function zoneOfTrigger(json: TriggerJson): string {
  if ('timeZone' in json) return json.timeZone
  return 'trigger' in json ? zoneOfTrigger(json.trigger) : 'UTC'
}
