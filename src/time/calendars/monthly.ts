import { dateOf } from '../civil.ts'
import { requireOptions } from '../require.ts'
import type { CalendarOptions } from './calendar.ts'
import { requireNumbers, sorted } from './dates.ts'
import { DAY_CALENDAR_OPTIONS, DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { MonthlyCalendarJson } from './json.ts'

/** Days that are excluded every month. */
export interface MonthlyOptions extends DayCalendarOptions {
  /** 1 to 31 */
  readonly days: readonly number[]
}

/** Excludes the same days every month. */
export function monthlyCalendar(options: MonthlyOptions): MonthlyCalendar {
  return new MonthlyCalendar(options)
}

const OPTIONS = ['days', ...DAY_CALENDAR_OPTIONS] as const

/** What `monthlyCalendar(…)` gives. */
export class MonthlyCalendar extends DayCalendar {
  readonly type = 'monthly'
  readonly #days: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything: boolean

  constructor(options: MonthlyOptions) {
    super(requireOptions(options, 'Monthly calendar', OPTIONS))
    this.#days = new Set(requireNumbers(options.days, 'days', 1, 31))
    this.excludesNothing = this.#days.size === 0
    this.excludesEverything = this.#days.size === 31
  }

  protected excludes(epochDay: number): boolean {
    return this.#days.has(dateOf(epochDay).day)
  }

  protected rebuild(options: CalendarOptions): MonthlyCalendar {
    return new MonthlyCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { days: number[]; includes?: string[] } {
    return { days: sorted(this.#days), ...this.includesJson }
  }

  toJSON(): MonthlyCalendarJson {
    return { type: 'monthly', ...this.#rule, ...this.sharedJson }
  }
}
