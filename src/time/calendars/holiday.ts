import { requireOptions } from '../require.ts'
import type { CalendarOptions } from './calendar.ts'
import { formatDate, parseDates, sorted } from './dates.ts'
import { DAY_CALENDAR_OPTIONS, DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { HolidayCalendarJson } from './json.ts'

/** Single dates that are excluded. */
export interface HolidayOptions extends DayCalendarOptions {
  /** `YYYY-MM-DD` */
  readonly dates: readonly string[]
}

/** Excludes single dates. */
export function holidayCalendar(options: HolidayOptions): HolidayCalendar {
  return new HolidayCalendar(options)
}

const OPTIONS = ['dates', ...DAY_CALENDAR_OPTIONS] as const

/** What `holidayCalendar(…)` gives. */
export class HolidayCalendar extends DayCalendar {
  readonly type = 'holiday'
  readonly #days: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything = false

  constructor(options: HolidayOptions) {
    super(requireOptions(options, 'Holiday calendar', OPTIONS))
    this.#days = parseDates(options.dates, 'dates')
    this.excludesNothing = this.#days.size === 0
  }

  protected excludes(epochDay: number): boolean {
    return this.#days.has(epochDay)
  }

  protected rebuild(options: CalendarOptions): HolidayCalendar {
    return new HolidayCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { dates: string[]; includes?: string[] } {
    return { dates: sorted(this.#days).map(formatDate), ...this.includesJson }
  }

  toJSON(): HolidayCalendarJson {
    return { type: 'holiday', ...this.#rule, ...this.sharedJson }
  }
}
