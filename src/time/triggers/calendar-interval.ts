import { DAY_MS } from '../../duration.ts'
import { dateOf, dayOf, dayOfLocal, daysInMonth, LAST_YEAR } from '../civil.ts'
import type { GapRule } from '../cron/zoned-times.ts'
import { describeInterval } from '../describe/triggers.ts'
import { formatInstant, type Instant, instantOf } from '../instant.ts'
import type { Locale } from '../locale.ts'
import { requireInteger, requireOneOf, requireOptions } from '../require.ts'
import { type Zone, zoneOf } from '../zone.ts'
import type { CalendarIntervalTriggerJson, IntervalUnit } from './json.ts'
import { ALWAYS, type Bounds, boundsJson, boundsOf, Trigger, WINDOW_OPTIONS, type Window } from './trigger.ts'

/** Every so many days, weeks, months …, by the calendar. */
export interface CalendarIntervalOptions {
  /** The first fire time; its wall time is kept by all that follow, and so is its day of the month. */
  readonly startAt: Instant
  /** How many units lie between two fire times. */
  readonly every: number
  readonly unit: IntervalUnit
  /** IANA zone whose wall time is kept. Default `UTC`. */
  readonly timeZone?: string | undefined
  /**
   * For a day on which the wall never shows the time of day. Default `shift`: it fires as much later as the clock went forward;
   * `skip`: not on that day. A whole day that a zone skips is left out in any case.
   */
  readonly gap?: GapRule | undefined
  /** For a wall time that comes twice because the clock goes back. Default `first`. */
  readonly overlap?: 'first' | 'last' | undefined
  /** Nothing fires at or after. */
  readonly endAt?: Instant | undefined
}

const CALENDAR_INTERVAL_OPTIONS = ['every', 'unit', 'timeZone', 'gap', 'overlap', ...WINDOW_OPTIONS] as const

/**
 * Fires every so many seconds to years. Seconds, minutes and hours are elapsed time; days to years keep the wall time over daylight
 * saving changes, and the day of the month: 31 January, 28 February, 31 March.
 */
export function calendarInterval(options: CalendarIntervalOptions): CalendarIntervalTrigger {
  return new CalendarIntervalTrigger(options)
}

const INTERVAL_UNITS: readonly IntervalUnit[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year']

/** Units of constant length, and the mean length of the others, to begin a search near its end. */
const UNIT_MS: Readonly<Record<IntervalUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30.436875 * DAY_MS,
  year: 365.2425 * DAY_MS,
}

/** Local times from here on lie after all that can fire. */
const LAST_LOCAL = ALWAYS.until + 2 * DAY_MS

/** What `calendarInterval(…)` gives. */
export class CalendarIntervalTrigger extends Trigger {
  readonly type = 'calendarInterval'
  readonly startAt: number
  readonly every: number
  readonly unit: IntervalUnit
  readonly #zone: Zone
  readonly #gap: GapRule
  readonly #overlap: 'first' | 'last'
  readonly #bounds: Bounds
  readonly #startLocal: number
  protected readonly window: Window

  constructor(options: CalendarIntervalOptions) {
    super()
    requireOptions(options, 'Calendar-interval trigger', CALENDAR_INTERVAL_OPTIONS)
    this.#bounds = boundsOf(options)
    this.#zone = zoneOf(options.timeZone)
    this.#gap = requireOneOf(options.gap ?? 'shift', 'gap', ['shift', 'skip'])
    this.#overlap = requireOneOf(options.overlap ?? 'first', 'overlap', ['first', 'last'])
    this.startAt = instantOf(options.startAt, 'startAt')
    this.every = requireInteger(options.every, 'every', 1)
    this.unit = requireOneOf(options.unit, 'unit', INTERVAL_UNITS)
    this.#startLocal = this.#zone.toLocal(this.startAt)
    this.window = { from: this.startAt, until: this.#bounds.endAt ?? ALWAYS.until }
  }

  get timeZone(): string {
    return this.#zone.id
  }

  get endAt(): number | null {
    return this.#bounds.endAt
  }

  protected patternAfter(after: number): number | null {
    let index = this.#indexAfter(after)
    while (this.#isSkipped(index)) index++
    return this.#instantOf(index)
  }

  protected patternBefore(before: number): number | null {
    let index = this.#indexAfter(before - 1) - 1
    while (index >= 0 && this.#isSkipped(index)) index--
    return index < 0 ? null : this.#instantOf(index)
  }

  protected patternCount(from: number, to: number): number {
    const first = this.#indexAfter(from - 1)
    const end = this.#indexAfter(to - 1)
    return end - first - this.#skippedBetween(first, end)
  }

  /** The index of the first step of the pattern, skipped or not, that lies after an instant. */
  #indexAfter(after: number): number {
    if (after < this.startAt) return 0
    const step = UNIT_MS[this.unit] * this.every
    let index = Math.floor((after - this.startAt) / step) + 1
    if (this.#isElapsed) return index
    while (index > 0 && this.#instantOf(index - 1) > after) index--
    while (this.#instantOf(index) <= after) index++
    return index
  }

  get #isElapsed(): boolean {
    return this.unit === 'second' || this.unit === 'minute' || this.unit === 'hour'
  }

  #instantOf(index: number): number {
    if (this.#isElapsed || index === 0) return this.startAt + index * this.every * UNIT_MS[this.unit]
    const local = this.#localOf(index)
    return local < LAST_LOCAL ? this.#zone.toInstant(local, this.#overlap) : Number.POSITIVE_INFINITY
  }

  #localOf(index: number): number {
    const count = index * this.every
    if (this.unit === 'day' || this.unit === 'week') return this.#startLocal + count * UNIT_MS[this.unit]
    const startDay = dayOfLocal(this.#startLocal)
    const anchor = dateOf(startDay)
    const months = anchor.month - 1 + (this.unit === 'year' ? 12 * count : count)
    const year = Math.min(anchor.year + Math.floor(months / 12), LAST_YEAR + 1)
    const month = (months % 12) + 1
    const day = Math.min(anchor.day, daysInMonth(year, month))
    return dayOf(year, month, day) * DAY_MS + (this.#startLocal - startDay * DAY_MS)
  }

  /** A zone that moves over the date line skips a whole day: its step would meet the one of the day after. */
  #isSkipped(index: number): boolean {
    if (this.#isElapsed || index === 0) return false
    const local = this.#localOf(index)
    const gapMs = local < LAST_LOCAL ? this.#zone.gapAt(local) : 0
    return gapMs > 0 && (this.#gap === 'skip' || gapMs >= DAY_MS)
  }

  /** Steps that fall into a gap: at most one for each change of the zone's offset, so only these are looked at. */
  #skippedBetween(first: number, end: number): number {
    if (this.#isElapsed || first >= end) return 0
    let skipped = 0
    const last = this.#instantOf(end - 1)
    for (let segment = this.#zone.segmentAt(this.#instantOf(first)); ; segment = this.#zone.segmentAt(segment.end)) {
      // The step that a gap shifts is the first after the gap's end.
      const index = segment.before < segment.offset ? this.#indexAfter(segment.start - 1) : end
      if (index >= first && index < end && this.#isSkipped(index)) skipped++
      if (segment.end > last) return skipped
    }
  }

  protected describeIn(locale: Locale): string {
    return describeInterval(this.every, this.unit, this.startAt, this.timeZone, locale)
  }

  toJSON(): CalendarIntervalTriggerJson {
    return {
      type: 'calendarInterval',
      every: this.every,
      unit: this.unit,
      timeZone: this.timeZone,
      ...(this.#gap === 'skip' && { gap: this.#gap }),
      ...(this.#overlap === 'last' && { overlap: this.#overlap }),
      ...boundsJson(this.#bounds),
      startAt: formatInstant(this.startAt),
    }
  }
}
