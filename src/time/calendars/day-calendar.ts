import { DAY_MS, dayOfLocal } from '../civil.ts'
import { type Zone, zoneOf } from '../zone.ts'
import { Calendar, type Stretch } from './calendar.ts'
import { formatDate, parseDates } from './dates.ts'

export interface CalendarOptions {
  /** IANA zone whose days and times of day count. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** What else must include a time. */
  readonly base?: Calendar | undefined
}

export interface DayCalendarOptions extends CalendarOptions {
  /** Dates that are included whatever the rule says, such as a Saturday worked in; `YYYY-MM-DD`. */
  readonly includes?: readonly string[] | undefined
}

/** A calendar that excludes whole days. */
export abstract class DayCalendar extends Calendar {
  readonly timeZone: string
  readonly #zone: Zone
  readonly #includes: ReadonlySet<number>

  constructor(options: DayCalendarOptions) {
    super(options.base)
    this.#zone = zoneOf(options.timeZone)
    this.timeZone = this.#zone.id
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
    const segment = this.#zone.segmentAt(instant)
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

  /** The part of the stored form that all calendars of days share. */
  protected sharedJson() {
    return {
      timeZone: this.timeZone,
      ...(this.#includes.size > 0 && { includes: [...this.#includes].sort((a, b) => a - b).map(formatDate) }),
      ...(this.base && { base: this.base.toJSON() }),
    }
  }
}
