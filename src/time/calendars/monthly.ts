import { dateOf } from '../civil.ts'
import { requireNumbers } from './dates.ts'
import { DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { MonthlyCalendarJson } from './json.ts'

export interface MonthlyOptions extends DayCalendarOptions {
  /** 1 to 31 */
  readonly days: readonly number[]
}

/** Excludes the same days every month. */
export function monthlyCalendar(options: MonthlyOptions): MonthlyCalendar {
  return new MonthlyCalendar(options)
}

export class MonthlyCalendar extends DayCalendar {
  readonly type = 'monthly'
  readonly #days: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything: boolean

  constructor(options: MonthlyOptions) {
    super(options)
    this.#days = new Set(requireNumbers(options.days, 'days', 1, 31))
    this.excludesNothing = this.#days.size === 0
    this.excludesEverything = this.#days.size === 31
  }

  protected excludes(epochDay: number): boolean {
    return this.#days.has(dateOf(epochDay).day)
  }

  toJSON(): MonthlyCalendarJson {
    return { type: 'monthly', days: [...this.#days].sort((a, b) => a - b), ...this.sharedJson() }
  }
}
