import { DAY_MS } from '../../duration.ts'
import { dayOfLocal } from '../civil.ts'
import { CALENDAR_OPTIONS, Calendar, type CalendarOptions, type Stretch } from './calendar.ts'
import { formatDate, parseDates, sorted } from './dates.ts'

/** What calendars of whole days may be made with. */
export interface DayCalendarOptions extends CalendarOptions {
  /** Dates that are included whatever the rule says, such as a Saturday worked in; `YYYY-MM-DD`. */
  readonly includes?: readonly string[] | undefined
}

export const DAY_CALENDAR_OPTIONS = ['includes', ...CALENDAR_OPTIONS] as const

/** A calendar that excludes whole days. */
export abstract class DayCalendar extends Calendar {
  readonly #includes: ReadonlySet<number>

  constructor(options: DayCalendarOptions) {
    super(options)
    this.#includes = parseDates(options.includes ?? [], 'includes')
  }

  /** Whether the rule excludes a day. */
  protected abstract excludes(epochDay: number): boolean
  /** Whether the rule excludes no day, or every day. */
  protected abstract readonly excludesNothing: boolean
  protected abstract readonly excludesEverything: boolean

  protected ownStretchAt(instant: number): Stretch {
    if (this.excludesNothing) return { isIncluded: true, until: Number.POSITIVE_INFINITY }
    if (this.excludesEverything && this.#includes.size === 0) {
      return { isIncluded: false, until: Number.POSITIVE_INFINITY }
    }
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
    return this.#includes.has(day) || !this.excludes(day)
  }

  /** The dates that are included whatever the rule says, for options and for the stored form. */
  protected get includesJson(): { includes?: string[] } {
    return this.#includes.size > 0 ? { includes: sorted(this.#includes).map(formatDate) } : {}
  }
}
