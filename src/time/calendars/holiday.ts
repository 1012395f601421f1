import { formatDate, parseDates } from './dates.ts'
import { DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { HolidayCalendarJson } from './json.ts'

export interface HolidayOptions extends DayCalendarOptions {
  /** `YYYY-MM-DD` */
  readonly dates: readonly string[]
}

/** Excludes single dates. */
export function holidayCalendar(options: HolidayOptions): HolidayCalendar {
  return new HolidayCalendar(options)
}

export class HolidayCalendar extends DayCalendar {
  readonly type = 'holiday'
  readonly #days: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything = false

  constructor(options: HolidayOptions) {
    super(options)
    this.#days = parseDates(options.dates, 'dates')
    this.excludesNothing = this.#days.size === 0
  }

  protected excludes(epochDay: number): boolean {
    return this.#days.has(epochDay)
  }

  toJSON(): HolidayCalendarJson {
    const dates = [...this.#days].sort((a, b) => a - b).map(formatDate)
    return { type: 'holiday', dates, ...this.sharedJson() }
  }
}
