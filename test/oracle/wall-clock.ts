/** A stretch of instants over which the wall clock of a zone runs evenly: what it shows is instant + offset. */
export interface Stretch {
  readonly start: number
  readonly end: number
  readonly offset: number
}

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** What lies further away than this has no part in a gap or an overlap: the largest ever was a day. */
export const MARGIN_MS = 2 * DAY_MS

/** No clock was changed and changed back within so few hours. */
const STEP_MS = 3 * HOUR_MS

const clocks = new Map<string, WallClock>()

/** The wall clock of a zone: one for each, since to make one is slow. */
export function wallClock(zone: string): WallClock {
  const known = clocks.get(zone) ?? new WallClock(zone)
  clocks.set(zone, known)
  return known
}

/** What clocks on the wall show in a zone, asked of `Intl` step by step. */
class WallClock {
  readonly zone: string
  readonly #format: Intl.DateTimeFormat

  constructor(zone: string) {
    this.zone = zone
    const two = '2-digit'
    this.#format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    })
  }

  /** The wall time as if it were UTC, milliseconds kept. */
  wallAt(instant: number): number {
    const text = this.#format.format(instant)
    return Date.parse(`${text.replace(' ', 'T')}Z`) + (((instant % SECOND_MS) + SECOND_MS) % SECOND_MS)
  }

  offsetAt(instant: number): number {
    return this.wallAt(instant) - instant
  }

  /** All stretches of a range, found by walking it in hours and, where the offset is another, in minutes and seconds. */
  stretches(from: number, to: number): Stretch[] {
    const found: Stretch[] = []
    let start = from
    let offset = this.offsetAt(from)
    for (let at = from; at < to; ) {
      const next = Math.min(at + STEP_MS, to)
      if (this.offsetAt(next) !== offset) {
        const change = this.#changeBetween(at, next, offset)
        found.push({ start, end: change, offset })
        start = change
        offset = this.offsetAt(change)
        at = change
      } else {
        at = next
      }
    }
    if (start < to) found.push({ start, end: to, offset })
    return found
  }

  /** The stretches that decide about all instants of a range. */
  around(from: number, to: number): Stretch[] {
    return this.stretches(wholeHour(from) - MARGIN_MS, wholeHour(to) + MARGIN_MS)
  }

  #changeBetween(from: number, to: number, offset: number): number {
    let at = from
    while (at + MINUTE_MS < to && this.offsetAt(at + MINUTE_MS) === offset) at += MINUTE_MS
    do at += SECOND_MS
    while (this.offsetAt(at) === offset)
    return at
  }

  /** Instants at which the clock was changed, as far as looks so many days apart show. */
  changes(from: number, to: number, stepMs: number): number[] {
    const found: number[] = []
    for (let at = from; at < to; at += stepMs) {
      if (this.offsetAt(at) === this.offsetAt(at + stepMs)) continue
      for (const { start } of this.stretches(at, at + stepMs).slice(1)) found.push(start)
    }
    return found
  }

  /** The instants at which the wall shows a time, in order: none where the clock goes forward over it, two where back. */
  instantsOf(wall: number): number[] {
    return instantsShowing(wall, this.around(wall, wall))
  }

  /** As {@link instantsOf}, and a time that the wall never shows is read on a clock that was not yet put forward. */
  instantOf(wall: number, pass: 'first' | 'last' = 'first'): number {
    const stretches = this.around(wall, wall)
    const shown = instantsShowing(wall, stretches)
    const found = shown.at(pass === 'first' ? 0 : -1)
    if (found !== undefined) return found
    const before = stretches.findLast((stretch) => stretch.end + stretch.offset <= wall)
    return wall - (before?.offset ?? 0)
  }
}

export type { WallClock }

function wholeHour(instant: number): number {
  return Math.floor(instant / HOUR_MS) * HOUR_MS
}

export function instantsShowing(wall: number, stretches: readonly Stretch[]): number[] {
  return stretches.filter((each) => shows(each, wall)).map((each) => wall - each.offset)
}

export function shows(stretch: Stretch, wall: number): boolean {
  return wall >= stretch.start + stretch.offset && wall < stretch.end + stretch.offset
}
