import { weekdayOf } from '../civil.ts'
import { requireNumbers } from './dates.ts'
import { DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { WeeklyCalendarJson } from './json.ts'

export interface WeeklyOptions extends DayCalendarOptions {
  /** 0 is Sunday, 6 is Saturday. Default: Saturday and Sunday. */
  readonly weekdays?: readonly number[] | undefined
}

/** Excludes the same days every week: the weekend, unless told otherwise. */
export function weeklyCalendar(options: WeeklyOptions = {}): WeeklyCalendar {
  return new WeeklyCalendar(options)
}

export class WeeklyCalendar extends DayCalendar {
  readonly type = 'weekly'
  readonly #weekdays: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything: boolean

  constructor(options: WeeklyOptions) {
    super(options)
    this.#weekdays = new Set(requireNumbers(options.weekdays ?? [0, 6], 'weekdays', 0, 6))
    this.excludesNothing = this.#weekdays.size === 0
    this.excludesEverything = this.#weekdays.size === 7
  }

  protected excludes(epochDay: number): boolean {
    return this.#weekdays.has(weekdayOf(epochDay))
  }

  toJSON(): WeeklyCalendarJson {
    return { type: 'weekly', weekdays: [...this.#weekdays].sort((a, b) => a - b), ...this.sharedJson() }
  }
}
