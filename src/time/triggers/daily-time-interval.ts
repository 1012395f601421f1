import { DAY_MS } from '../../duration.ts'
import { type ErrorDetails, InvalidInputError } from '../../errors.ts'
import { dayOfLocal, weekdayOf } from '../civil.ts'
import { describeDaily } from '../describe/triggers.ts'
import { formatTimeOfDay, parseTimeOfDay } from '../instant.ts'
import type { Locale } from '../locale.ts'
import { requireInteger, requireOneOf, requireOptions } from '../require.ts'
import { endOfFirst } from '../search.ts'
import { type Zone, zoneOf } from '../zone.ts'
import type { DailyTimeIntervalTriggerJson, Weekday } from './json.ts'
import { FOREVER } from './simple.ts'
import {
  ALWAYS,
  type Bounds,
  boundsJson,
  boundsOf,
  Trigger,
  WINDOW_OPTIONS,
  type Window,
  type WindowOptions,
} from './trigger.ts'

export type DailyUnit = DailyTimeIntervalTriggerJson['unit']

/** Every so many minutes or hours within a part of the day. */
export interface DailyTimeIntervalOptions extends WindowOptions {
  /** How many units lie between two fire times of a day. */
  readonly every: number
  readonly unit: DailyUnit
  /** Time of day of the first fire time, `HH:MM` or `HH:MM:SS`. Default midnight. */
  readonly from?: string | undefined
  /** Time of day after which nothing fires; itself included. Default `23:59:59`. */
  readonly to?: string | undefined
  /** Days of the week on which it fires, 0 for Sunday. Default all. */
  readonly weekdays?: readonly number[] | undefined
  /** IANA zone of the times of day. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** For times of day that come twice because the clock goes back. Default `first`. */
  readonly overlap?: 'first' | 'last' | undefined
  /** How often it fires after the first time. Default -1, for ever. */
  readonly repeatCount?: number | undefined
}

const DAILY_TIME_INTERVAL_OPTIONS = [
  'every',
  'unit',
  'from',
  'to',
  'weekdays',
  'timeZone',
  'overlap',
  'repeatCount',
  ...WINDOW_OPTIONS,
] as const

/** Fires every so many seconds, minutes or hours between two times of day on chosen days of the week. */
export function dailyTimeInterval(options: DailyTimeIntervalOptions): DailyTimeIntervalTrigger {
  return new DailyTimeIntervalTrigger(options)
}

const UNIT_MS: Readonly<Record<DailyUnit, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 }
const ALL_WEEKDAYS: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6]

/** The first and the last possible fire time of one day. */
interface DaySpan {
  readonly start: number
  readonly end: number
}

/** What `dailyTimeInterval(…)` gives. */
export class DailyTimeIntervalTrigger extends Trigger {
  readonly type = 'dailyTimeInterval'
  readonly every: number
  readonly unit: DailyUnit
  readonly weekdays: readonly Weekday[]
  readonly repeatCount: number
  readonly #zone: Zone
  readonly #overlap: 'first' | 'last'
  readonly #fromMs: number
  readonly #toMs: number
  readonly #stepMs: number
  readonly #bounds: Bounds
  readonly #unlimited: Window
  #limited: Window | undefined

  constructor(options: DailyTimeIntervalOptions) {
    super()
    requireOptions(options, 'Daily-time-interval trigger', DAILY_TIME_INTERVAL_OPTIONS)
    this.#bounds = boundsOf(options)
    this.#zone = zoneOf(options.timeZone)
    this.#overlap = requireOneOf(options.overlap ?? 'first', 'overlap', ['first', 'last'])
    this.unit = requireOneOf(options.unit, 'unit', ['second', 'minute', 'hour'])
    this.every = requireInteger(options.every, 'every', 1, DAY_MS / UNIT_MS[this.unit])
    this.repeatCount = requireInteger(options.repeatCount ?? FOREVER, 'repeatCount', FOREVER)
    if (this.repeatCount !== FOREVER && this.#bounds.startAt === null) {
      throw invalidTrigger('repeatCount needs a startAt to count from.', { case: 'repeatCount' })
    }
    this.weekdays = requireWeekdays(options.weekdays ?? ALL_WEEKDAYS)
    const { from = '00:00', to = '23:59:59' } = options
    this.#fromMs = parseTimeOfDay(from, 'from')
    this.#toMs = parseTimeOfDay(to, 'to')
    if (this.#toMs < this.#fromMs) {
      throw invalidTrigger(`to must not be before from, got ${to} before ${from}.`, { case: 'timesOfDay', from, to })
    }
    this.#stepMs = this.every * UNIT_MS[this.unit]
    const { startAt, endAt } = this.#bounds
    this.#unlimited = {
      from: startAt === null ? ALWAYS.from : Math.floor(startAt / 1000) * 1000,
      until: endAt === null ? ALWAYS.until : endAt + 1,
    }
  }

  get timeZone(): string {
    return this.#zone.id
  }

  get startAt(): number | null {
    return this.#bounds.startAt
  }

  get endAt(): number | null {
    return this.#bounds.endAt
  }

  /** Ends after the last repeat, whose instant is looked for when it is first needed. */
  protected get window(): Window {
    this.#limited ??= this.repeatCount === FOREVER ? this.#unlimited : this.#limitWindow()
    return this.#limited
  }

  /**
   * The same trigger without an end to its repeats.
   * @internal
   */
  get unlimited(): Trigger {
    return this.repeatCount === FOREVER
      ? this
      : new DailyTimeIntervalTrigger({ ...this.#options(), repeatCount: FOREVER })
  }

  protected patternAfter(after: number): number | null {
    for (let day = this.#dayAt(after); ; day++) {
      const span = this.#spanOf(day)
      if (!span) continue
      const index = after < span.start ? 0 : Math.floor((after - span.start) / this.#stepMs) + 1
      const at = span.start + index * this.#stepMs
      if (at <= span.end) return at
    }
  }

  protected patternBefore(before: number): number | null {
    // A day later than the wall shows: a clock change around midnight may have brought back the day before.
    for (let day = this.#dayAt(before - 1) + 1; ; day--) {
      const span = this.#spanOf(day)
      if (!span || span.start >= before) continue
      const last = Math.min(span.end, before - 1)
      return span.start + Math.floor((last - span.start) / this.#stepMs) * this.#stepMs
    }
  }

  protected patternCount(from: number, to: number): number {
    const firstDay = this.#dayAt(from)
    const lastDay = this.#dayAt(to - 1)
    // Around midnight a clock change may bring back the day before, so that the days beside the ends count as ends too.
    const ends = new Set([firstDay - 1, firstDay, firstDay + 1, lastDay - 1, lastDay, lastDay + 1])
    const [innerFrom, innerTo] = [firstDay + 2, lastDay - 1]
    const perDay = Math.floor((this.#toMs - this.#fromMs) / this.#stepMs) + 1
    let count = innerFrom < innerTo ? this.#weekdaysBetween(innerFrom, innerTo) * perDay : 0
    for (const day of ends) count += this.#countOn(day, from, to)
    for (const day of this.#unevenDays(from, to)) {
      const isInner = day >= innerFrom && day < innerTo
      if (isInner) count += this.#countOn(day, from, to) - (this.#firesOn(day) ? perDay : 0)
    }
    return count
  }

  #countOn(day: number, from: number, to: number): number {
    const span = this.#spanOf(day)
    if (!span) return 0
    const first = Math.max(0, Math.ceil((from - span.start) / this.#stepMs))
    const last = Math.floor((Math.min(span.end, to - 1) - span.start) / this.#stepMs)
    return Math.max(0, last - first + 1)
  }

  /** Days on which a clock change may make the number of fire times another than usual. */
  #unevenDays(from: number, to: number): Set<number> {
    const days = new Set<number>()
    for (let segment = this.#zone.segmentAt(from); segment.end < to; segment = this.#zone.segmentAt(segment.end)) {
      if (segment.offset === segment.after) continue
      const locals = [segment.end + segment.offset, segment.end + segment.after]
      const last = dayOfLocal(Math.max(...locals))
      for (let day = dayOfLocal(Math.min(...locals) - 1); day <= last; day++) days.add(day)
    }
    return days
  }

  #weekdaysBetween(from: number, to: number): number {
    const weeks = Math.floor((to - from) / 7)
    let count = weeks * this.weekdays.length
    for (let day = from + weeks * 7; day < to; day++) if (this.#firesOn(day)) count++
    return count
  }

  #firesOn(day: number): boolean {
    return this.weekdays.includes(weekdayOf(day) as Weekday)
  }

  #dayAt(instant: number): number {
    return dayOfLocal(this.#zone.toLocal(instant))
  }

  #spanOf(day: number): DaySpan | undefined {
    if (!this.#firesOn(day)) return undefined
    const start = this.#zone.toInstant(day * DAY_MS + this.#fromMs, this.#overlap)
    // A zone that moves over the date line skips a whole day.
    if (this.#dayAt(start) !== day) return undefined
    const nextDay = this.#zone.toInstant((day + 1) * DAY_MS)
    const end = Math.min(this.#zone.toInstant(day * DAY_MS + this.#toMs, this.#overlap), nextDay - 1)
    // The clock may go forward over the beginning and past the end.
    return start <= end ? { start, end } : undefined
  }

  #limitWindow(): Window {
    const { from, until } = this.#unlimited
    return {
      from,
      until: Math.min(
        endOfFirst(this.repeatCount + 1, from, until, (to) => this.patternCount(from, to)),
        until,
      ),
    }
  }

  protected describeIn(locale: Locale): string {
    return describeDaily(this.toJSON(), locale)
  }

  #options(): DailyTimeIntervalOptions {
    const { type: _, ...options } = this.toJSON()
    return options
  }

  toJSON(): DailyTimeIntervalTriggerJson {
    return {
      type: 'dailyTimeInterval',
      every: this.every,
      unit: this.unit,
      from: formatTimeOfDay(this.#fromMs),
      to: formatTimeOfDay(this.#toMs),
      weekdays: [...this.weekdays],
      timeZone: this.timeZone,
      repeatCount: this.repeatCount,
      ...(this.#overlap === 'last' && { overlap: this.#overlap }),
      ...boundsJson(this.#bounds),
    }
  }
}

function requireWeekdays(weekdays: readonly number[]): readonly Weekday[] {
  if (!Array.isArray(weekdays) || weekdays.length === 0) {
    throw invalidTrigger('weekdays must be a list of at least one day, 0 for Sunday to 6 for Saturday.', {
      case: 'weekdays',
    })
  }
  const days = Array.from(weekdays, (day: number) => requireInteger(day, 'weekdays', 0, 6) as Weekday)
  return ALL_WEEKDAYS.filter((day) => days.includes(day))
}

function invalidTrigger(message: string, details: ErrorDetails): InvalidInputError {
  return new InvalidInputError('trigger.invalid', message, details)
}
