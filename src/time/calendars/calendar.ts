import { invalidOption, requireInteger, requireOneOf } from '../require.ts'
import { takeStep } from '../search.ts'
import { type Zone, zoneOf } from '../zone.ts'
import type { CalendarJson, ExcludedRule } from './json.ts'

/** A stretch of time, beginning at the instant asked about, in which a calendar includes all or excludes all. */
export interface Stretch {
  readonly isIncluded: boolean
  /** First instant after the stretch. The next stretch may well be of the same kind. */
  readonly until: number
}

const HORIZON_MS = 100 * 366 * 86_400_000
const FEWEST_TRIES = 100
const MOST_TRIES = 500_000

/**
 * Whether a search for included time should end without a result. All that recurs, recurs within 40 years (29 February on a given
 * weekday), so a century of nothing means never; and a calendar and its base may exclude everything in turns of a second.
 */
export function givesUp(tries: number, from: number, at: number): boolean {
  return tries >= MOST_TRIES || (tries >= FEWEST_TRIES && Math.abs(at - from) > HORIZON_MS)
}

/** What every calendar may be made with. */
export interface CalendarOptions {
  /** IANA zone whose days and times of day count. Default: the zone of the trigger it is used with. */
  readonly timeZone?: string | undefined
  /** What else must include a time. What it says about moving occurrences does not count then. */
  readonly base?: Calendar | undefined
  /** For an occurrence in excluded time. Default `skip`; the others move it, at the same time of day, to an included day. */
  readonly onExcluded?: ExcludedRule | undefined
}

export const CALENDAR_OPTIONS = ['timeZone', 'base', 'onExcluded'] as const

export const EXCLUDED_RULES: readonly ExcludedRule[] = ['skip', 'nextDay', 'previousDay']

/** Calendars may stand on one another, but not without end. */
const MAX_BASES = 16

/** Times when nothing fires. It is a value: it never changes and knows no clock. */
export abstract class Calendar {
  abstract readonly type: CalendarJson['type']
  /** The zone that was set; null where it takes that of the trigger. Used alone it then reads UTC. */
  readonly timeZone: string | null
  /** What else must include a time. */
  readonly base: Calendar | null
  /** What becomes of an occurrence that it excludes. */
  readonly onExcluded: ExcludedRule
  protected readonly zone: Zone
  readonly #bases: number
  #latest: { readonly timeZone: string; readonly calendar: Calendar } | undefined

  constructor({ timeZone, base, onExcluded = 'skip' }: CalendarOptions) {
    this.zone = zoneOf(timeZone)
    this.timeZone = timeZone === undefined ? null : this.zone.id
    this.base = base === undefined ? null : requireCalendar(base, 'base')
    this.onExcluded = requireOneOf(onExcluded, 'onExcluded', EXCLUDED_RULES)
    this.#bases = this.base === null ? 0 : this.base.#bases + 1
    requireInteger(this.#bases, 'number of bases', 0, MAX_BASES)
  }

  /** The same rule with another zone and base. */
  protected abstract rebuild(options: CalendarOptions): Calendar

  /**
   * The calendar as a trigger of that zone sees it.
   * @internal
   */
  inZone(timeZone: string): Calendar {
    if (!this.isFloating) return this
    if (this.#latest?.timeZone !== timeZone) {
      const { onExcluded } = this
      const options = { timeZone: this.timeZone ?? timeZone, base: this.base?.inZone(timeZone), onExcluded }
      // Asked for again and again by the triggers of one zone.
      this.#latest = { timeZone, calendar: this.rebuild(options) }
    }
    return this.#latest.calendar
  }

  /**
   * Whether it, or a base of it, takes the zone of the trigger.
   * @internal
   */
  get isFloating(): boolean {
    return this.timeZone === null || (this.base?.isFloating ?? false)
  }

  /** The part of the stored form that all calendars share. */
  protected get sharedJson(): { timeZone?: string; base?: CalendarJson; onExcluded?: ExcludedRule } {
    return {
      ...(this.onExcluded !== 'skip' && { onExcluded: this.onExcluded }),
      ...(this.timeZone !== null && { timeZone: this.timeZone }),
      ...(this.base && { base: this.base.toJSON() }),
    }
  }

  /** The stretch that begins at an instant, by this calendar alone, without its base. */
  protected abstract ownStretchAt(instant: number): Stretch

  /** The form for storage and transport; `calendarFrom` reads it back. */
  abstract toJSON(): CalendarJson

  /** The stretch that begins at an instant: included only when this calendar and all its bases include it. */
  stretchAt(instant: number): Stretch {
    takeStep()
    const own = this.ownStretchAt(instant)
    if (!this.base || !own.isIncluded) return own
    const base = this.base.stretchAt(instant)
    return base.isIncluded && base.until > own.until ? own : base
  }

  /** Whether something may fire at an instant. */
  isIncluded(instant: number): boolean {
    return this.stretchAt(instant).isIncluded
  }

  /** The first included instant at or after the given one; null when there is none. */
  nextIncluded(from: number): number | null {
    let at = from
    for (let tries = 0; at !== Number.POSITIVE_INFINITY && !givesUp(tries, from, at); tries++) {
      const stretch = this.stretchAt(at)
      if (stretch.isIncluded) return at
      at = stretch.until
    }
    return null
  }
}

export function requireCalendar(value: unknown, name: string): Calendar {
  if (value instanceof Calendar) return value
  throw invalidOption(value, name, 'a calendar', ' calendarFrom reads a stored one.', { case: 'calendar' })
}
