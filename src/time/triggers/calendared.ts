import { type Calendar, givesUp } from '../calendars/calendar.ts'
import { describeCalendared } from '../describe/triggers.ts'
import type { Locale } from '../locale.ts'
import type { CalendaredTriggerJson } from './json.ts'
import type { Trigger } from './trigger.ts'
import { ALWAYS } from './window.ts'
import { WrappedTrigger } from './wrapped.ts'

const FIRST_LOOK_BACK_MS = 3_600_000

/** A trigger without the fire times that a calendar excludes. */
export class CalendaredTrigger extends WrappedTrigger {
  readonly type = 'calendared'
  readonly calendar: Calendar

  constructor(trigger: Trigger, calendar: Calendar) {
    super(trigger)
    this.calendar = calendar.inZone(trigger.timeZone)
  }

  protected patternAfter(after: number): number | null {
    const first = this.trigger.next(after)
    let at = first
    for (let tries = 0; at !== null && !givesUp(tries, first ?? at, at); tries++) {
      const stretch = this.calendar.stretchAt(at)
      if (stretch.isIncluded) return at
      at = this.trigger.next(stretch.until - 1)
    }
    return null
  }

  /** Calendars are read forwards: looks back over a growing span until it holds an included fire time. */
  protected patternBefore(before: number): number | null {
    const last = this.trigger.previous(before)
    if (last === null || this.calendar.isIncluded(last)) return last
    const earliest = this.trigger.next(ALWAYS.from - 1) ?? last
    let [end, tries] = [last, 0]
    for (let span = FIRST_LOOK_BACK_MS; end > earliest && !givesUp(tries, last, end); span *= 4) {
      const start = Math.max(end - span, earliest)
      let found: number | null = null
      for (let at = this.trigger.next(start - 1); at !== null && at < end && !givesUp(tries, at, at); tries++) {
        const stretch = this.calendar.stretchAt(at)
        if (stretch.isIncluded) found = this.trigger.previous(Math.min(stretch.until, end))
        at = this.trigger.next(stretch.until - 1)
      }
      if (found !== null) return found
      end = start
    }
    return null
  }

  protected patternCount(from: number, to: number): number {
    let count = 0
    for (let at = this.patternAfter(from - 1); at !== null && at < to; ) {
      const { until } = this.calendar.stretchAt(at)
      count += this.trigger.count(at, Math.min(until, to))
      at = this.patternAfter(until - 1)
    }
    return count
  }

  protected describeIn(locale: Locale): string {
    return describeCalendared(this.trigger.describe(locale), 'skip', locale)
  }

  toJSON(): CalendaredTriggerJson {
    return {
      type: 'calendared',
      trigger: this.trigger.toJSON(),
      calendar: this.calendar.toJSON(),
      onExcluded: 'skip',
    }
  }
}
