import { type ParsedCron, parseCron } from '../cron/parse.ts'
import { requireOptions } from '../require.ts'
import { CALENDAR_OPTIONS, Calendar, type CalendarOptions, type Stretch } from './calendar.ts'
import type { CronCalendarJson } from './json.ts'

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
