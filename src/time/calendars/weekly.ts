import { weekdayOf } from '../civil.ts'
import { requireOptions } from '../require.ts'
import type { CalendarOptions } from './calendar.ts'
import { requireNumbers, sorted } from './dates.ts'
import { DAY_CALENDAR_OPTIONS, DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { WeeklyCalendarJson } from './json.ts'

/** Days that are excluded every week. */
export interface WeeklyOptions extends DayCalendarOptions {
  /** 0 is Sunday, 6 is Saturday. Default: Saturday and Sunday. */
  readonly weekdays?: readonly number[] | undefined
}

/** Excludes the same days every week: the weekend, unless told otherwise. */
export function weeklyCalendar(options: WeeklyOptions = {}): WeeklyCalendar {
  return new WeeklyCalendar(options)
}

const OPTIONS = ['weekdays', ...DAY_CALENDAR_OPTIONS] as const

/** What `weeklyCalendar(…)` gives. */
export class WeeklyCalendar extends DayCalendar {
  readonly type = 'weekly'
  readonly #weekdays: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything: boolean

  constructor(options: WeeklyOptions) {
    super(requireOptions(options, 'Weekly calendar', OPTIONS))
    this.#weekdays = new Set(requireNumbers(options.weekdays ?? [0, 6], 'weekdays', 0, 6))
    this.excludesNothing = this.#weekdays.size === 0
    this.excludesEverything = this.#weekdays.size === 7
  }

  protected excludes(epochDay: number): boolean {
    return this.#weekdays.has(weekdayOf(epochDay))
  }

  protected rebuild(options: CalendarOptions): WeeklyCalendar {
    return new WeeklyCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { weekdays: number[]; includes?: string[] } {
    return { weekdays: sorted(this.#weekdays), ...this.includesJson }
  }

  toJSON(): WeeklyCalendarJson {
    return { type: 'weekly', ...this.#rule, ...this.sharedJson }
  }
}
