import { DAY_MS } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { dateOf, dayOf, dayOfLocal, daysInMonth, weekdayOf } from '../civil.ts'
import { requireOptions } from '../require.ts'
import { CALENDAR_OPTIONS, Calendar, type CalendarOptions, type Stretch } from './calendar.ts'
import type { AnnualCalendarJson, HolidayCalendarJson, MonthlyCalendarJson, WeeklyCalendarJson } from './json.ts'

/** What calendars of whole days may be made with. */
export interface DayCalendarOptions extends CalendarOptions {
  /** Dates that are included whatever the rule says, such as a Saturday worked in; `YYYY-MM-DD`. */
  readonly includes?: readonly string[] | undefined
}

const DAY_CALENDAR_OPTIONS = ['includes', ...CALENDAR_OPTIONS] as const

/** A calendar that excludes whole days: those whose number, as its rule counts days, is one of a set. */
abstract class DayCalendar extends Calendar {
  protected readonly days: ReadonlySet<number>
  readonly #includes: ReadonlySet<number>
  readonly #excludesEverything: boolean

  /** `numbers`: how many different numbers the rule gives to days. */
  constructor(options: DayCalendarOptions, days: ReadonlySet<number>, numbers: number) {
    super(options)
    this.days = days
    this.#includes = parseDates(options.includes ?? [], 'includes')
    this.#excludesEverything = days.size === numbers && this.#includes.size === 0
  }

  /** The number of a day by the rule, such as its day of the week. */
  protected abstract numberOf(epochDay: number): number

  protected ownStretchAt(instant: number): Stretch {
    if (this.days.size === 0) return { isIncluded: true, until: Number.POSITIVE_INFINITY }
    if (this.#excludesEverything) return { isIncluded: false, until: Number.POSITIVE_INFINITY }
    const segment = this.zone.segmentAt(instant)
    const day = dayOfLocal(instant + segment.offset)
    const isIncluded = this.#includesDay(day)
    let end = day + 1
    // Days alike are one stretch as long as the offset stays the same: a month of them at most, to stay cheap.
    while (end < day + 31 && (end - day) * DAY_MS < segment.end - instant && this.#includesDay(end) === isIncluded)
      end++
    return { isIncluded, until: Math.min(end * DAY_MS - segment.offset, segment.end) }
  }

  #includesDay(day: number): boolean {
    return this.#includes.has(day) || !this.days.has(this.numberOf(day))
  }

  /** The dates that are included whatever the rule says, for options and for the stored form. */
  protected get includesJson(): { includes?: string[] } {
    return this.#includes.size > 0 ? { includes: sorted(this.#includes).map(formatDate) } : {}
  }
}

/** Single dates that are excluded. */
export interface HolidayOptions extends DayCalendarOptions {
  /** `YYYY-MM-DD` */
  readonly dates: readonly string[]
}

/** Excludes single dates. */
export function holidayCalendar(options: HolidayOptions): HolidayCalendar {
  return new HolidayCalendar(options)
}

/** What `holidayCalendar(…)` gives. */
export class HolidayCalendar extends DayCalendar {
  readonly type = 'holiday'

  constructor(options: HolidayOptions) {
    const checked = requireOptions(options, 'Holiday calendar', ['dates', ...DAY_CALENDAR_OPTIONS])
    super(checked, parseDates(options.dates, 'dates'), Number.POSITIVE_INFINITY)
  }

  protected numberOf(epochDay: number): number {
    return epochDay
  }

  protected rebuild(options: CalendarOptions): HolidayCalendar {
    return new HolidayCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { dates: string[]; includes?: string[] } {
    return { dates: sorted(this.days).map(formatDate), ...this.includesJson }
  }

  toJSON(): HolidayCalendarJson {
    return { type: 'holiday', ...this.#rule, ...this.sharedJson }
  }
}

/** Days that are excluded every year. */
export interface AnnualOptions extends DayCalendarOptions {
  /** `MM-DD`. 29 February is excluded in leap years only. */
  readonly days: readonly string[]
}

/** Excludes the same days every year. */
export function annualCalendar(options: AnnualOptions): AnnualCalendar {
  return new AnnualCalendar(options)
}

/** What `annualCalendar(…)` gives. */
export class AnnualCalendar extends DayCalendar {
  readonly type = 'annual'

  constructor(options: AnnualOptions) {
    const checked = requireOptions(options, 'Annual calendar', ['days', ...DAY_CALENDAR_OPTIONS])
    super(checked, parseMonthDays(options.days, 'days'), 366)
  }

  protected numberOf(epochDay: number): number {
    return monthDayOf(epochDay)
  }

  protected rebuild(options: CalendarOptions): AnnualCalendar {
    return new AnnualCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { days: string[]; includes?: string[] } {
    return { days: sorted(this.days).map(formatMonthDay), ...this.includesJson }
  }

  toJSON(): AnnualCalendarJson {
    return { type: 'annual', ...this.#rule, ...this.sharedJson }
  }
}

/** Days that are excluded every month. */
export interface MonthlyOptions extends DayCalendarOptions {
  /** 1 to 31 */
  readonly days: readonly number[]
}

/** Excludes the same days every month. */
export function monthlyCalendar(options: MonthlyOptions): MonthlyCalendar {
  return new MonthlyCalendar(options)
}

/** What `monthlyCalendar(…)` gives. */
export class MonthlyCalendar extends DayCalendar {
  readonly type = 'monthly'

  constructor(options: MonthlyOptions) {
    const checked = requireOptions(options, 'Monthly calendar', ['days', ...DAY_CALENDAR_OPTIONS])
    super(checked, new Set(requireNumbers(options.days, 'days', 1, 31)), 31)
  }

  protected numberOf(epochDay: number): number {
    return dateOf(epochDay).day
  }

  protected rebuild(options: CalendarOptions): MonthlyCalendar {
    return new MonthlyCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { days: number[]; includes?: string[] } {
    return { days: sorted(this.days), ...this.includesJson }
  }

  toJSON(): MonthlyCalendarJson {
    return { type: 'monthly', ...this.#rule, ...this.sharedJson }
  }
}

/** Days that are excluded every week. */
export interface WeeklyOptions extends DayCalendarOptions {
  /** 0 is Sunday, 6 is Saturday. Default: Saturday and Sunday. */
  readonly weekdays?: readonly number[] | undefined
}

/** Excludes the same days every week: the weekend, unless told otherwise. */
export function weeklyCalendar(options: WeeklyOptions = {}): WeeklyCalendar {
  return new WeeklyCalendar(options)
}

/** What `weeklyCalendar(…)` gives. */
export class WeeklyCalendar extends DayCalendar {
  readonly type = 'weekly'

  constructor(options: WeeklyOptions) {
    const checked = requireOptions(options, 'Weekly calendar', ['weekdays', ...DAY_CALENDAR_OPTIONS])
    super(checked, new Set(requireNumbers(options.weekdays ?? [0, 6], 'weekdays', 0, 6)), 7)
  }

  protected numberOf(epochDay: number): number {
    return weekdayOf(epochDay)
  }

  protected rebuild(options: CalendarOptions): WeeklyCalendar {
    return new WeeklyCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { weekdays: number[]; includes?: string[] } {
    return { weekdays: sorted(this.days), ...this.includesJson }
  }

  toJSON(): WeeklyCalendarJson {
    return { type: 'weekly', ...this.#rule, ...this.sharedJson }
  }
}

/** What is accepted: for other languages, and in words. */
interface Accepted {
  readonly case: 'dates' | 'monthDays' | 'numbers'
  readonly text: string
  readonly min?: number
  readonly max?: number
}

const DATES: Accepted = { case: 'dates', text: 'dates such as "2026-12-25"' }
const MONTH_DAYS: Accepted = { case: 'monthDays', text: 'days of the year such as "12-25"' }
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTH_DAY = /^(\d\d)-(\d\d)$/

/** The day numbers of a list of `YYYY-MM-DD` dates. */
function parseDates(values: unknown, name: string): ReadonlySet<number> {
  return parseList(values, name, DATES, parseDate)
}

/** The days of a list of `MM-DD` days of every year, each as month × 100 + day. 29 February is one. */
function parseMonthDays(values: unknown, name: string): ReadonlySet<number> {
  return parseList(values, name, MONTH_DAYS, parseMonthDay)
}

function parseList(
  values: unknown,
  name: string,
  accepted: Accepted,
  parse: (value: unknown, name: string) => number,
): ReadonlySet<number> {
  if (!Array.isArray(values)) throw invalidDate(values, name, { ...accepted, text: `a list of ${accepted.text}` })
  // A hole in a list is nothing, which is no date.
  return new Set(Array.from(values, (value: unknown) => parse(value, name)))
}

function parseDate(text: unknown, name: string): number {
  const [, year, month, day] = (typeof text === 'string' && DATE.exec(text)) || []
  if (!isDate(Number(year), Number(month), Number(day))) throw invalidDate(text, name, DATES)
  return dayOf(Number(year), Number(month), Number(day))
}

/** Numbers in order, smallest first. */
function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b)
}

function formatDate(epochDay: number): string {
  return `${String(dateOf(epochDay).year).padStart(4, '0')}-${formatMonthDay(monthDayOf(epochDay))}`
}

function parseMonthDay(text: unknown, name: string): number {
  const [, month, day] = (typeof text === 'string' && MONTH_DAY.exec(text)) || []
  if (!isDate(2000, Number(month), Number(day))) throw invalidDate(text, name, MONTH_DAYS)
  return Number(month) * 100 + Number(day)
}

function monthDayOf(epochDay: number): number {
  const { month, day } = dateOf(epochDay)
  return month * 100 + day
}

function formatMonthDay(monthDay: number): string {
  const text = String(monthDay).padStart(4, '0')
  return `${text.slice(0, 2)}-${text.slice(2)}`
}

function isDate(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function invalidDate(received: unknown, name: string, { text: accepted, ...details }: Accepted): InvalidInputError {
  return new InvalidInputError('calendar.invalid', `${name} must be ${accepted}, got ${quote(received)}.`, {
    ...details,
    name,
    received,
    accepted,
  })
}

/** A list of whole numbers within bounds. */
function requireNumbers(values: unknown, name: string, min: number, max: number): readonly number[] {
  const accepted: Accepted = { case: 'numbers', text: `a list of whole numbers of ${min}-${max}`, min, max }
  if (!Array.isArray(values)) throw invalidDate(values, name, accepted)
  return Array.from(values, (value: unknown) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    throw invalidDate(value, name, accepted)
  })
}
