import { DAY_MS } from '../../duration.ts'
import { dayOfLocal } from '../civil.ts'
import type { DaySet } from './day-set.ts'

/**
 * All local times at which an expression matches, on a time line without a zone: whole seconds as milliseconds since
 * 1970-01-01T00:00 on the wall.
 */
export class LocalTimes {
  readonly #days: DaySet
  readonly #times: TimeOfDaySet

  constructor(days: DaySet, times: TimeOfDaySet) {
    this.#days = days
    this.#times = times
  }

  has(local: number): boolean {
    const day = dayOfLocal(local)
    return this.#times.has(secondOfDay(local, day)) && this.#days.has(day)
  }

  /** The first match at or after a local time, which is a whole second; else +Infinity. */
  atOrAfter(from: number): number {
    const today = dayOfLocal(from)
    let day = this.#days.atOrAfter(today)
    if (day === today) {
      const second = this.#times.atOrAfter(secondOfDay(from, day))
      if (second !== NO_VALUE) return day * DAY_MS + second * 1000
      day = this.#days.atOrAfter(today + 1)
    }
    return day * DAY_MS + this.#times.first * 1000
  }

  /** The last match before a local time, else -Infinity. */
  before(local: number): number {
    const last = Math.ceil(local / 1000) * 1000 - 1000
    const today = dayOfLocal(last)
    let day = this.#days.atOrBefore(today)
    if (day === today) {
      const second = this.#times.atOrBefore(secondOfDay(last, day))
      if (second !== NO_VALUE) return day * DAY_MS + second * 1000
      day = this.#days.atOrBefore(today - 1)
    }
    return day * DAY_MS + this.#times.last * 1000
  }

  /** How many matches lie from one local time up to, but not including, another. */
  count(from: number, to: number): number {
    const first = Math.ceil(from / 1000) * 1000
    const end = Math.ceil(to / 1000) * 1000
    if (first >= end) return 0
    const firstDay = dayOfLocal(first)
    const lastDay = dayOfLocal(end)
    const skipped = this.#days.has(firstDay) ? this.#times.below(secondOfDay(first, firstDay)) : 0
    const partial = this.#days.has(lastDay) ? this.#times.below(secondOfDay(end, lastDay)) : 0
    return this.#days.count(firstDay, lastDay) * this.#times.count - skipped + partial
  }

  /** The end of a stretch, possibly not the longest, in which every second matches as the given one does. */
  runEnd(local: number): number {
    const second = Math.floor(local / 1000) * 1000
    if (!this.has(second)) return this.atOrAfter(second)
    const day = dayOfLocal(second)
    if (this.#times.count === 86_400) return this.#days.runEnd(day) * DAY_MS
    return day * DAY_MS + this.#times.runEnd(secondOfDay(second, day)) * 1000
  }
}

/** What {@link ValueSet.atOrAfter} answers where no value is left. */
const NO_VALUE = -1

/** The values of one cron field as tables, so that next, previous and rank are one lookup each. */
export class ValueSet {
  readonly first: number
  readonly last: number
  readonly #next: Int8Array
  readonly #previous: Int8Array
  readonly #below: Uint8Array

  /** `size` is one more than the largest value the field can have. */
  constructor(values: ReadonlySet<number>, size: number) {
    this.#next = new Int8Array(size + 1).fill(NO_VALUE)
    this.#previous = new Int8Array(size + 1).fill(NO_VALUE)
    this.#below = new Uint8Array(size + 1)
    for (let value = size - 1; value >= 0; value--) {
      this.#next[value] = values.has(value) ? value : (this.#next[value + 1] ?? NO_VALUE)
    }
    for (let value = 0; value < size; value++) {
      this.#previous[value] = values.has(value) ? value : (this.#previous[value - 1] ?? NO_VALUE)
      this.#below[value + 1] = (this.#below[value] ?? 0) + (values.has(value) ? 1 : 0)
    }
    this.first = this.atOrAfter(0)
    this.last = this.atOrBefore(size - 1)
  }

  get count(): number {
    return this.below(this.#below.length - 1)
  }

  has(value: number): boolean {
    return this.#next[value] === value
  }

  /** The smallest value that is at least `value`; `value` may be one past the largest of the field. */
  atOrAfter(value: number): number {
    return this.#next[value] as number
  }

  /** The largest value that is at most `value`; `value` may be -1. */
  atOrBefore(value: number): number {
    return value < 0 ? NO_VALUE : (this.#previous[value] as number)
  }

  /** How many values are smaller than `value`. */
  below(value: number): number {
    return this.#below[value] as number
  }
}

/** The seconds of a day at which a cron expression matches, whatever the day. */
export class TimeOfDaySet {
  readonly #hours: ValueSet
  readonly #minutes: ValueSet
  readonly #seconds: ValueSet
  readonly #perHour: number
  readonly count: number
  readonly first: number
  readonly last: number

  constructor(hours: ValueSet, minutes: ValueSet, seconds: ValueSet) {
    this.#hours = hours
    this.#minutes = minutes
    this.#seconds = seconds
    this.#perHour = minutes.count * seconds.count
    this.count = hours.count * this.#perHour
    this.first = hours.first * 3600 + minutes.first * 60 + seconds.first
    this.last = hours.last * 3600 + minutes.last * 60 + seconds.last
  }

  has(secondOfDay: number): boolean {
    const { hour, minute, second } = split(secondOfDay)
    return this.#hours.has(hour) && this.#minutes.has(minute) && this.#seconds.has(second)
  }

  /** The first matching second of the day at or after the given one, else {@link NO_VALUE}. */
  atOrAfter(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    if (this.#hours.has(hour)) {
      if (this.#minutes.has(minute)) {
        const nextSecond = this.#seconds.atOrAfter(second)
        if (nextSecond !== NO_VALUE) return hour * 3600 + minute * 60 + nextSecond
      }
      const nextMinute = this.#minutes.atOrAfter(minute + 1)
      if (nextMinute !== NO_VALUE) return hour * 3600 + nextMinute * 60 + this.#seconds.first
    }
    const nextHour = this.#hours.atOrAfter(hour + 1)
    return nextHour === NO_VALUE ? NO_VALUE : nextHour * 3600 + this.#minutes.first * 60 + this.#seconds.first
  }

  /** The last matching second of the day at or before the given one, else {@link NO_VALUE}. */
  atOrBefore(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    if (this.#hours.has(hour)) {
      if (this.#minutes.has(minute)) {
        const earlierSecond = this.#seconds.atOrBefore(second)
        if (earlierSecond !== NO_VALUE) return hour * 3600 + minute * 60 + earlierSecond
      }
      const earlierMinute = this.#minutes.atOrBefore(minute - 1)
      if (earlierMinute !== NO_VALUE) return hour * 3600 + earlierMinute * 60 + this.#seconds.last
    }
    const earlierHour = this.#hours.atOrBefore(hour - 1)
    return earlierHour === NO_VALUE ? NO_VALUE : earlierHour * 3600 + this.#minutes.last * 60 + this.#seconds.last
  }

  /** How many matching seconds of the day lie before the given one, which may be the end of the day. */
  below(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    let count = this.#hours.below(hour) * this.#perHour
    if (hour < 24 && this.#hours.has(hour)) {
      count += this.#minutes.below(minute) * this.#seconds.count
      if (this.#minutes.has(minute)) count += this.#seconds.below(second)
    }
    return count
  }

  /**
   * The end of the stretch around the given second over which the answer of {@link has} stays the same, for
   * a second that matches: at most the end of its minute, hour or day.
   */
  runEnd(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    if (this.#seconds.count < 60) return hour * 3600 + minute * 60 + endOfRun(this.#seconds, second, 60)
    if (this.#minutes.count < 60) return hour * 3600 + endOfRun(this.#minutes, minute, 60) * 60
    return endOfRun(this.#hours, hour, 24) * 3600
  }
}

function endOfRun(values: ValueSet, from: number, size: number): number {
  let end = from + 1
  while (end < size && values.has(end)) end++
  return end
}

function split(secondOfDay: number): { hour: number; minute: number; second: number } {
  const hour = (secondOfDay / 3600) | 0
  const rest = secondOfDay - hour * 3600
  const minute = (rest / 60) | 0
  return { hour, minute, second: rest - minute * 60 }
}

function secondOfDay(local: number, day: number): number {
  return ((local - day * DAY_MS) / 1000) | 0
}
