import { dateOf } from '../civil.ts'
import { requireOptions } from '../require.ts'
import type { CalendarOptions } from './calendar.ts'
import { formatMonthDay, parseMonthDays, sorted } from './dates.ts'
import { DAY_CALENDAR_OPTIONS, DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { AnnualCalendarJson } from './json.ts'

/** Days that are excluded every year. */
export interface AnnualOptions extends DayCalendarOptions {
  /** `MM-DD`. 29 February is excluded in leap years only. */
  readonly days: readonly string[]
}

/** Excludes the same days every year. */
export function annualCalendar(options: AnnualOptions): AnnualCalendar {
  return new AnnualCalendar(options)
}

const OPTIONS = ['days', ...DAY_CALENDAR_OPTIONS] as const

/** What `annualCalendar(…)` gives. */
export class AnnualCalendar extends DayCalendar {
  readonly type = 'annual'
  readonly #days: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything: boolean

  constructor(options: AnnualOptions) {
    super(requireOptions(options, 'Annual calendar', OPTIONS))
    this.#days = parseMonthDays(options.days, 'days')
    this.excludesNothing = this.#days.size === 0
    this.excludesEverything = this.#days.size === 366
  }

  protected excludes(epochDay: number): boolean {
    const { month, day } = dateOf(epochDay)
    return this.#days.has(month * 100 + day)
  }

  protected rebuild(options: CalendarOptions): AnnualCalendar {
    return new AnnualCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { days: string[]; includes?: string[] } {
    return { days: sorted(this.#days).map(formatMonthDay), ...this.includesJson }
  }

  toJSON(): AnnualCalendarJson {
    return { type: 'annual', ...this.#rule, ...this.sharedJson }
  }
}
