import { dateOf } from '../civil.ts'
import { formatMonthDay, parseMonthDays } from './dates.ts'
import { DayCalendar, type DayCalendarOptions } from './day-calendar.ts'
import type { AnnualCalendarJson } from './json.ts'

export interface AnnualOptions extends DayCalendarOptions {
  /** `MM-DD`. 29 February is excluded in leap years only. */
  readonly days: readonly string[]
}

/** Excludes the same days every year. */
export function annualCalendar(options: AnnualOptions): AnnualCalendar {
  return new AnnualCalendar(options)
}

export class AnnualCalendar extends DayCalendar {
  readonly type = 'annual'
  readonly #days: ReadonlySet<number>
  protected readonly excludesNothing: boolean
  protected readonly excludesEverything: boolean

  constructor(options: AnnualOptions) {
    super(options)
    this.#days = parseMonthDays(options.days, 'days')
    this.excludesNothing = this.#days.size === 0
    this.excludesEverything = this.#days.size === 366
  }

  protected excludes(epochDay: number): boolean {
    const { month, day } = dateOf(epochDay)
    return this.#days.has(month * 100 + day)
  }

  toJSON(): AnnualCalendarJson {
    const days = [...this.#days].sort((a, b) => a - b).map(formatMonthDay)
    return { type: 'annual', days, ...this.sharedJson() }
  }
}
