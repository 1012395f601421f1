import { DAY_MS } from '../../duration.ts'
import { dayOfLocal } from '../civil.ts'
import { type ParsedCron, parseCron } from '../cron/parse.ts'
import { formatTimeOfDay, parseTimeOfDay } from '../instant.ts'
import { requireBoolean, requireOptions } from '../require.ts'
import { CALENDAR_OPTIONS, Calendar, type CalendarOptions, type Stretch } from './calendar.ts'
import type { CronCalendarJson, DailyCalendarJson } from './json.ts'

/**
 * Excludes every second on whose wall time a cron expression matches. Five fields stand for whole minutes: `* 0-7 * * *`
 * keeps the night free.
 */
export function cronCalendar(expression: string, options: CalendarOptions = {}): CronCalendar {
  return new CronCalendar(expression, options)
}

/** What `cronCalendar(…)` gives. */
export class CronCalendar extends Calendar {
  readonly type = 'cron'
  readonly expression: string
  readonly #parsed: ParsedCron

  constructor(expression: string, options: CalendarOptions) {
    super(requireOptions(options, 'Cron calendar', CALENDAR_OPTIONS))
    this.expression = expression
    const parsed = parseCron(expression)
    const hasSeconds = parsed.expression.split(' ').length === 6
    this.#parsed = hasSeconds ? parsed : parseCron(`* ${parsed.expression}`)
  }

  protected ownStretchAt(instant: number): Stretch {
    const segment = this.zone.segmentAt(instant)
    const local = instant + segment.offset
    const isIncluded = !this.#parsed.times.has(local)
    return { isIncluded, until: Math.min(this.#parsed.times.runEnd(local) - segment.offset, segment.end) }
  }

  protected rebuild(options: CalendarOptions): CronCalendar {
    return new CronCalendar(this.expression, options)
  }

  toJSON(): CronCalendarJson {
    return { type: 'cron', expression: this.expression, ...this.sharedJson }
  }
}

/** A range of the day. */
export interface DailyOptions extends CalendarOptions {
  /** Beginning of the range: `HH:MM`, `HH:MM:SS` or `HH:MM:SS.mmm`. */
  readonly from: string
  /** End of the range, itself part of it. Earlier than `from`, the range goes over midnight. */
  readonly to: string
  /** Include only the range, in place of excluding it. */
  readonly invert?: boolean | undefined
}

/** Excludes a range of the day, every day, by the time on the wall. */
export function dailyCalendar(options: DailyOptions): DailyCalendar {
  return new DailyCalendar(options)
}

const OPTIONS = ['from', 'to', 'invert', ...CALENDAR_OPTIONS] as const

/** What `dailyCalendar(…)` gives. */
export class DailyCalendar extends Calendar {
  readonly type = 'daily'
  readonly #from: number
  readonly #to: number
  readonly #invert: boolean

  constructor(options: DailyOptions) {
    super(requireOptions(options, 'Daily calendar', OPTIONS))
    this.#from = parseTimeOfDay(options.from, 'from')
    this.#to = parseTimeOfDay(options.to, 'to')
    this.#invert = requireBoolean(options.invert ?? false, 'invert')
  }

  protected ownStretchAt(instant: number): Stretch {
    const segment = this.zone.segmentAt(instant)
    const local = instant + segment.offset
    const midnight = dayOfLocal(local) * DAY_MS
    const time = local - midnight
    const end = Math.min(...this.#borders.filter((border) => border > time))
    return {
      isIncluded: this.#isInRange(time) === this.#invert,
      until: Math.min(midnight + end - segment.offset, segment.end),
    }
  }

  get #borders(): readonly number[] {
    return [this.#from, this.#to + 1, DAY_MS]
  }

  #isInRange(time: number): boolean {
    const [from, to] = [this.#from, this.#to]
    return from <= to ? time >= from && time <= to : time >= from || time <= to
  }

  protected rebuild(options: CalendarOptions): DailyCalendar {
    return new DailyCalendar({ ...this.#rule, ...options })
  }

  get #rule(): { from: string; to: string; invert?: boolean } {
    return {
      from: formatTimeOfDay(this.#from),
      to: formatTimeOfDay(this.#to),
      ...(this.#invert && { invert: true }),
    }
  }

  toJSON(): DailyCalendarJson {
    return { type: 'daily', ...this.#rule, ...this.sharedJson }
  }
}
