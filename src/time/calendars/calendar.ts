import type { CalendarJson } from './json.ts'

/** A stretch of time, beginning at the instant asked about, in which a calendar includes all or excludes all. */
export interface Stretch {
  readonly isIncluded: boolean
  /** First instant after the stretch. The next stretch may well be of the same kind. */
  readonly until: number
}

const HORIZON_MS = 100 * 366 * 86_400_000
const FEWEST_TRIES = 100
const MOST_TRIES = 100_000

/**
 * Whether a search for included time should end without a result. All that recurs, recurs within 40 years (29 February on a given
 * weekday), so a century of nothing means never; and a calendar and its base may exclude everything in turns of a second.
 */
export function givesUp(tries: number, from: number, at: number): boolean {
  return tries >= MOST_TRIES || (tries >= FEWEST_TRIES && Math.abs(at - from) > HORIZON_MS)
}

/** Times when nothing fires. It is a value: it never changes and knows no clock. */
export abstract class Calendar {
  abstract readonly type: CalendarJson['type']
  /** What else must include a time. */
  readonly base: Calendar | null

  constructor(base: Calendar | null = null) {
    this.base = base
  }

  /** The stretch that begins at an instant, by this calendar alone, without its base. */
  protected abstract ownStretchAt(instant: number): Stretch

  /** The form for storage and transport; `calendarFrom` reads it back. */
  abstract toJSON(): CalendarJson

  /** The stretch that begins at an instant: included only when this calendar and all its bases include it. */
  stretchAt(instant: number): Stretch {
    const own = this.ownStretchAt(instant)
    if (!this.base || !own.isIncluded) return own
    const base = this.base.stretchAt(instant)
    return base.isIncluded && base.until > own.until ? own : base
  }

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
