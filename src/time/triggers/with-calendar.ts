import { DAY_MS } from '../../duration.ts'
import { type Calendar, EXCLUDED_RULES, givesUp, requireCalendar } from '../calendars/calendar.ts'
import type { ExcludedRule } from '../calendars/json.ts'
import { dayOfLocal } from '../civil.ts'
import { describeCalendared } from '../describe/triggers.ts'
import type { Locale } from '../locale.ts'
import { requireOneOf, requireOptions } from '../require.ts'
import { type Zone, zoneOf } from '../zone.ts'
import { CronTrigger } from './cron.ts'
import type { CalendaredTriggerJson } from './json.ts'
import { ALWAYS, requireTrigger, type Trigger, WrappedTrigger } from './trigger.ts'

/** How a trigger fires under a calendar. */
export interface WithCalendarOptions {
  /** For a fire time in excluded time, in place of what the calendar itself says. */
  readonly onExcluded?: ExcludedRule | undefined
}

/** The trigger as it fires under a calendar. */
export function withCalendar(trigger: Trigger, calendar: Calendar, options: WithCalendarOptions = {}): Trigger {
  requireOptions(options, 'withCalendar', ['onExcluded'])
  requireTrigger(trigger, 'trigger')
  requireCalendar(calendar, 'calendar')
  const rule = options.onExcluded ?? calendar.onExcluded
  requireOneOf(rule, 'onExcluded', EXCLUDED_RULES)
  return rule === 'skip' ? new CalendaredTrigger(trigger, calendar) : new RolledTrigger(trigger, calendar, rule)
}

const FIRST_LOOK_BACK_MS = 3_600_000

/** A trigger without the fire times that a calendar excludes. */
class CalendaredTrigger extends WrappedTrigger {
  readonly type = 'calendared'
  readonly calendar: Calendar

  constructor(trigger: Trigger, calendar: Calendar) {
    super(trigger)
    this.calendar = calendar.inZone(trigger.timeZone)
  }

  protected patternAfter(after: number): number | null {
    const first = this.trigger.next(after)
    let at = first
    for (let tries = 0; at !== null && !givesUp(tries, first ?? at, at); tries++) {
      const stretch = this.calendar.stretchAt(at)
      if (stretch.isIncluded) return at
      at = this.trigger.next(stretch.until - 1)
    }
    return null
  }

  /** Calendars are read forwards: looks back over a growing span until it holds an included fire time. */
  protected patternBefore(before: number): number | null {
    const last = this.trigger.previous(before)
    if (last === null || this.calendar.isIncluded(last)) return last
    const earliest = this.trigger.next(ALWAYS.from - 1) ?? last
    let [end, tries] = [last, 0]
    for (let span = FIRST_LOOK_BACK_MS; end > earliest && !givesUp(tries, last, end); span *= 4) {
      const start = Math.max(end - span, earliest)
      let found: number | null = null
      for (let at = this.trigger.next(start - 1); at !== null && at < end && !givesUp(tries, at, at); tries++) {
        const stretch = this.calendar.stretchAt(at)
        if (stretch.isIncluded) found = this.trigger.previous(Math.min(stretch.until, end))
        at = this.trigger.next(stretch.until - 1)
      }
      if (found !== null) return found
      end = start
    }
    return null
  }

  protected patternCount(from: number, to: number): number {
    let count = 0
    for (let at = this.patternAfter(from - 1); at !== null && at < to; ) {
      const { until } = this.calendar.stretchAt(at)
      count += this.trigger.count(at, Math.min(until, to))
      at = this.patternAfter(until - 1)
    }
    return count
  }

  protected describeIn(locale: Locale): string {
    return describeCalendared(this.trigger.describe(locale), 'skip', locale)
  }

  toJSON(): CalendaredTriggerJson {
    return {
      type: 'calendared',
      trigger: this.trigger.toJSON(),
      calendar: this.calendar.toJSON(),
      onExcluded: 'skip',
    }
  }
}

/** A fire time that finds no included day within a year is skipped. */
const REACH_DAYS = 366

/** The same where days are excluded in part only: such a calendar mostly excludes the same hours every day. */
const PARTIAL_REACH_DAYS = 31

/** Days near a fire time to which nothing moves, after which a search takes it that nothing ever does. */
const SEARCH_DAYS = 400

type RollDirection = 'nextDay' | 'previousDay'

/**
 * A trigger whose excluded fire times move, at the same time of day, to the next or previous day on which they are included.
 * Two that meet in one instant fire once.
 */
class RolledTrigger extends WrappedTrigger {
  readonly type = 'calendared'
  readonly calendar: Calendar
  readonly direction: RollDirection
  readonly #zone: Zone
  /** What is included anyway. */
  readonly #unmoved: Trigger
  /** The way from a day to the days whose fire times may move to it. */
  readonly #towardsSource: 1 | -1
  #latest: { readonly day: number; readonly arrivals: readonly number[] } = { day: Number.NaN, arrivals: [] }

  constructor(trigger: Trigger, calendar: Calendar, direction: RollDirection) {
    super(trigger)
    this.calendar = calendar.inZone(trigger.timeZone)
    this.direction = direction
    this.#zone = zoneOf(trigger.timeZone)
    this.#unmoved = new CalendaredTrigger(trigger, this.calendar)
    this.#towardsSource = direction === 'nextDay' ? -1 : 1
  }

  /** What is due before the end may move past it; the end then moves as far as the last occurrence does. */
  override get endAt(): number | null {
    const { endAt } = this.trigger
    if (endAt === null) return null
    const last = this.trigger.previous(ALWAYS.until) ?? endAt
    const moved = this.previous(ALWAYS.until) ?? last
    return endAt + Math.max(0, moved - last)
  }

  protected patternAfter(after: number): number | null {
    const unmoved = this.#unmoved.next(after)
    if (this.calendar.nextIncluded(after) === null) return unmoved
    let day = this.#dayAt(after)
    for (let tries = 0; tries < SEARCH_DAYS; tries++, day++) {
      const start = this.#instantOf(day, 0)
      if (unmoved !== null && start > unmoved) return unmoved
      const arrival = this.#arrivalsOn(day).find((at) => at > after)
      if (arrival !== undefined) return unmoved === null ? arrival : Math.min(arrival, unmoved)
      const upcoming = this.trigger.next(start - 1)
      const latest = this.trigger.previous(start)
      if (latest !== null && this.#dayAt(latest) >= day - REACH_DAYS) continue
      if (upcoming === null) return unmoved
      day = Math.max(day, this.#dayAt(upcoming) - REACH_DAYS - 1)
    }
    return unmoved
  }

  protected patternBefore(before: number): number | null {
    const unmoved = this.#unmoved.previous(before)
    const first = this.trigger.next(ALWAYS.from - 1)
    if (first === null || this.calendar.nextIncluded(first - REACH_DAYS * DAY_MS) === null) return unmoved
    let day = this.#dayAt(before - 1)
    for (let tries = 0; tries < SEARCH_DAYS; tries++, day--) {
      const end = this.#instantOf(day + 1, 0)
      if (unmoved !== null && end <= unmoved) return unmoved
      const arrival = this.#arrivalsOn(day).findLast((at) => at < before)
      if (arrival !== undefined) return unmoved === null ? arrival : Math.max(arrival, unmoved)
      const latest = this.trigger.previous(end)
      const upcoming = this.trigger.next(end - 1)
      if (upcoming !== null && this.#dayAt(upcoming) <= day + REACH_DAYS) continue
      if (latest === null) return unmoved
      day = Math.min(day, this.#dayAt(latest) + REACH_DAYS + 1)
    }
    return unmoved
  }

  /** What is included anyway is counted; what moves is looked for day by day. */
  protected patternCount(from: number, to: number): number {
    let count = this.#unmoved.count(from, to)
    const [earliest, latest] = [
      this.trigger.next(from - REACH_DAYS * DAY_MS),
      this.trigger.previous(to + REACH_DAYS * DAY_MS),
    ]
    if (earliest === null || latest === null) return count
    const firstDay = Math.max(this.#dayAt(from), this.#dayAt(earliest) - REACH_DAYS)
    const lastDay = Math.min(this.#dayAt(to - 1), this.#dayAt(latest) + REACH_DAYS)
    for (let day = firstDay; day <= lastDay; day++) {
      for (const at of this.#arrivalsOn(day)) if (at >= from && at < to && this.#unmoved.next(at - 1) !== at) count++
    }
    return count
  }

  /** What moves to a day, in order; the last day asked for is kept, since the next question is mostly about it too. */
  #arrivalsOn(day: number): readonly number[] {
    if (this.#latest.day !== day) this.#latest = { day, arrivals: this.#collectArrivals(day) }
    return this.#latest.arrivals
  }

  #collectArrivals(day: number): number[] {
    const landing = this.#inclusionOf(day)
    if (landing === 'none') return []
    const hasAllTimes = landing === 'all' && this.#hasUsualTimes(day)
    const times = new Set<number>()
    const partlyIncluded: number[] = []
    for (let distance = 1; distance <= REACH_DAYS; distance++) {
      const source = day + distance * this.#towardsSource
      const inclusion = this.#inclusionOf(source)
      // Nothing moves over a day that would have taken it.
      if (inclusion === 'all' || partlyIncluded.length === PARTIAL_REACH_DAYS) break
      if (inclusion === 'some') partlyIncluded.push(source)
      // What moves from a usual day to a usual day is there already.
      if (hasAllTimes && this.#isUsual(source)) continue
      for (const time of this.#timesOn(source)) {
        if (times.has(time) || !this.#isIncluded(day, time)) continue
        if (!partlyIncluded.some((passed) => this.#isIncluded(passed, time))) times.add(time)
      }
    }
    return [...times].map((time) => this.#instantOf(day, time)).sort((a, b) => a - b)
  }

  /** Whether the trigger fires on a day at all the times of day at which it ever does, as a cron expression mostly does. */
  #hasUsualTimes(day: number): boolean {
    if (!(this.trigger instanceof CronTrigger) || !this.#isUsual(day)) return false
    const [start, end] = [this.#instantOf(day, 0), this.#instantOf(day + 1, 0)]
    const isWithinBounds = (this.startAt ?? start) <= start && (this.trigger.endAt ?? end) >= end
    return isWithinBounds && this.trigger.count(start, end) > 0
  }

  /** Whether the clock runs through a day without a change. */
  #isUsual(day: number): boolean {
    const isWhole = this.#zone.gapAt(day * DAY_MS) === 0
    return isWhole && this.#zone.segmentAt(this.#instantOf(day, 0)).end >= this.#instantOf(day + 1, 0)
  }

  /** The times of day at which the trigger itself fires on a day. */
  *#timesOn(day: number): Generator<number> {
    for (const at of this.trigger.between(this.#instantOf(day, 0), this.#instantOf(day + 1, 0))) {
      const local = this.#zone.toLocal(at)
      if (dayOfLocal(local) === day) yield local - day * DAY_MS
    }
  }

  #inclusionOf(day: number): 'all' | 'some' | 'none' {
    const [start, end] = [this.#instantOf(day, 0), this.#instantOf(day + 1, 0)]
    const first = this.calendar.stretchAt(start)
    for (let at = first.until; at < end; ) {
      const stretch = this.calendar.stretchAt(at)
      if (stretch.isIncluded !== first.isIncluded) return 'some'
      at = stretch.until
    }
    return first.isIncluded ? 'all' : 'none'
  }

  #isIncluded(day: number, time: number): boolean {
    return this.calendar.isIncluded(this.#instantOf(day, time))
  }

  #dayAt(instant: number): number {
    return dayOfLocal(this.#zone.toLocal(instant))
  }

  #instantOf(day: number, time: number): number {
    return this.#zone.toInstant(day * DAY_MS + time)
  }

  protected describeIn(locale: Locale): string {
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
