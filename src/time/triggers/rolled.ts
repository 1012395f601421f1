import type { Calendar } from '../calendars/calendar.ts'
import { DAY_MS, dayOfLocal } from '../civil.ts'
import { describeCalendared } from '../describe/triggers.ts'
import type { Locale } from '../locale.ts'
import { type Zone, zoneOf } from '../zone.ts'
import type { CalendaredTriggerJson } from './json.ts'
import { Trigger } from './trigger.ts'
import { ALWAYS, type Window } from './window.ts'

/** A fire time that finds no included day within a year is skipped. */
const REACH_DAYS = 366
/** Days without a fire time after which a search takes it that there is none. */
const SEARCH_DAYS = 2_000

export type RollDirection = 'nextDay' | 'previousDay'

/**
 * A trigger whose excluded fire times move, at the same time of day, to the next or previous day on which they are included.
 * Two that meet in one instant fire once.
 */
export class RolledTrigger extends Trigger {
  readonly type = 'calendared'
  readonly trigger: Trigger
  readonly calendar: Calendar
  readonly direction: RollDirection
  readonly #zone: Zone
  /** The way from a day to the days whose fire times may move to it. */
  readonly #towardsSource: 1 | -1
  #latest: { readonly day: number; readonly fires: readonly number[] } = { day: Number.NaN, fires: [] }
  protected readonly window: Window = ALWAYS

  constructor(trigger: Trigger, calendar: Calendar, direction: RollDirection) {
    super()
    this.trigger = trigger
    this.calendar = calendar
    this.direction = direction
    this.#zone = zoneOf(trigger.timeZone)
    this.#towardsSource = direction === 'nextDay' ? -1 : 1
  }

  get timeZone(): string {
    return this.trigger.timeZone
  }

  get endAt(): number | null {
    return this.trigger.endAt
  }

  protected patternAfter(after: number): number | null {
    let day = this.#dayAt(after)
    for (let tries = 0; tries < SEARCH_DAYS; tries++, day++) {
      const found = this.#firesOn(day).find((at) => at > after)
      if (found !== undefined) return found
      const upcoming = this.trigger.next(this.#instantOf(day + 1, 0) - 1)
      if (upcoming === null) {
        const latest = this.trigger.previous(this.#instantOf(day + 1, 0))
        if (latest === null || this.#dayAt(latest) + REACH_DAYS < day) return null
      } else {
        day = Math.max(day, this.#dayAt(upcoming) - REACH_DAYS - 1)
      }
    }
    return null
  }

  protected patternBefore(before: number): number | null {
    let day = this.#dayAt(before - 1)
    for (let tries = 0; tries < SEARCH_DAYS; tries++, day--) {
      const found = this.#firesOn(day).findLast((at) => at < before)
      if (found !== undefined) return found
      const latest = this.trigger.previous(this.#instantOf(day, 0))
      if (latest === null) {
        const earliest = this.trigger.next(this.#instantOf(day, 0) - 1)
        if (earliest === null || this.#dayAt(earliest) - REACH_DAYS > day) return null
      } else {
        day = Math.min(day, this.#dayAt(latest) + REACH_DAYS + 1)
      }
    }
    return null
  }

  protected patternCount(from: number, to: number): number {
    let count = 0
    for (let at = this.patternAfter(from - 1); at !== null && at < to; at = this.patternAfter(at)) count++
    return count
  }

  /** All fire times of a day, in order; the last day asked for is kept, since the next question is mostly about it too. */
  #firesOn(day: number): readonly number[] {
    if (this.#latest.day !== day) this.#latest = { day, fires: this.#collect(day).sort((a, b) => a - b) }
    return this.#latest.fires
  }

  /** The fire times of a day: its own that are included, and those that move to it. */
  #collect(day: number): number[] {
    const fires = new Set<number>()
    for (const time of this.#timesOn(day)) if (this.#isIncluded(day, time)) fires.add(this.#instantOf(day, time))
    for (let distance = 1; distance <= REACH_DAYS; distance++) {
      const source = day + distance * this.#towardsSource
      if (this.#isWhollyIncluded(source)) break
      for (const time of this.#timesOn(source)) {
        if (this.#isIncluded(day, time) && this.#isExcludedBetween(source, day, time))
          fires.add(this.#instantOf(day, time))
      }
    }
    return [...fires]
  }

  /** The times of day at which the trigger itself fires on a day. */
  *#timesOn(day: number): Generator<number> {
    const end = this.#instantOf(day + 1, 0)
    for (const at of this.trigger.between(this.#instantOf(day, 0), end)) {
      const local = this.#zone.toLocal(at)
      if (dayOfLocal(local) === day) yield local - day * DAY_MS
    }
  }

  #isExcludedBetween(source: number, day: number, time: number): boolean {
    for (let each = source; each !== day; each -= this.#towardsSource) if (this.#isIncluded(each, time)) return false
    return true
  }

  #isIncluded(day: number, time: number): boolean {
    return this.calendar.isIncluded(this.#instantOf(day, time))
  }

  #isWhollyIncluded(day: number): boolean {
    const end = this.#instantOf(day + 1, 0)
    for (let at = this.#instantOf(day, 0); at < end; ) {
      const stretch = this.calendar.stretchAt(at)
      if (!stretch.isIncluded) return false
      at = stretch.until
    }
    return true
  }

  #dayAt(instant: number): number {
    return dayOfLocal(this.#zone.toLocal(instant))
  }

  #instantOf(day: number, time: number): number {
    return this.#zone.toInstant(day * DAY_MS + time)
  }

  describe(locale: Locale = 'en'): string {
    return describeCalendared(this.trigger.describe(locale), this.direction, locale)
  }

  toJSON(): CalendaredTriggerJson {
    return {
      type: 'calendared',
      trigger: this.trigger.toJSON(),
      calendar: this.calendar.toJSON(),
      onExcluded: this.direction,
    }
  }
}
