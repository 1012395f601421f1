import { DAY_MS } from '../../duration.ts'
import { dayOfLocal } from '../civil.ts'
import type { DaySet } from './day-set.ts'
import type { TimeOfDaySet } from './time-of-day.ts'
import { NO_VALUE } from './value-set.ts'

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

function secondOfDay(local: number, day: number): number {
  return ((local - day * DAY_MS) / 1000) | 0
}
