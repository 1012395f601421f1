import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/duration.ts'

/** A stretch of instants over which the wall clock of a zone runs evenly: what it shows is instant + offset. */
export interface Stretch {
  readonly start: number
  readonly end: number
  readonly offset: number
}

/** What lies further away than this has no part in a gap or an overlap: the largest ever was a day. */
const MARGIN_MS = 2 * DAY_MS

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
export class WallClock {
  readonly zone: string
  readonly #format: Intl.DateTimeFormat
  /** The offset at the beginning of each step that was looked at. */
  readonly #steps = new Map<number, number>()

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
    return instant + this.offsetAt(instant)
  }

  offsetAt(instant: number): number {
    const step = Math.floor(instant / STEP_MS)
    const offset = this.#offsetOfStep(step)
    return offset === this.#offsetOfStep(step + 1) ? offset : this.#ask(instant)
  }

  #offsetOfStep(step: number): number {
    let offset = this.#steps.get(step)
    if (offset === undefined) {
      offset = this.#ask(step * STEP_MS)
      this.#steps.set(step, offset)
    }
    return offset
  }

  #ask(instant: number): number {
    const second = Math.floor(instant / SECOND_MS) * SECOND_MS
    return Date.parse(`${this.#format.format(second).replace(' ', 'T')}Z`) - second
  }

  /** All stretches of a range, found by walking it in hours and, where the offset is another, narrowing that to the second. */
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

  /** The first second with another offset, in a range that is known to hold one change. */
  #changeBetween(from: number, to: number, offset: number): number {
    let [same, other] = [from, to]
    while (other - same > SECOND_MS) {
      const middle = Math.floor((same + other) / 2 / SECOND_MS) * SECOND_MS
      if (this.offsetAt(middle) === offset) same = middle
      else other = middle
    }
    return other
  }

  /** Instants at which the clock was changed, as far as looks so far apart show. */
  changes(from: number, to: number, stepMs: number): number[] {
    const found: number[] = []
    let offset = this.offsetAt(from)
    for (let at = from; at < to; at += stepMs) {
      const next = this.offsetAt(at + stepMs)
      if (next !== offset) found.push(this.#changeBetween(at, at + stepMs, offset))
      offset = next
    }
    return found
  }

  /** When the wall shows a time. One that it never shows is read on a clock that was not yet put forward. */
  instantOf(wall: number, pass: 'first' | 'last' = 'first'): number {
    const [earlier, later] = [this.offsetAt(wall - MARGIN_MS), this.offsetAt(wall + MARGIN_MS)]
    if (earlier === later) return wall - earlier
    const stretches = this.around(wall, wall)
    const shown = instantsShowing(wall, stretches)
    const found = shown.at(pass === 'first' ? 0 : -1)
    if (found !== undefined) return found
    const before = stretches.findLast((stretch) => stretch.end + stretch.offset <= wall)
    return wall - (before?.offset ?? 0)
  }
}

function wholeHour(instant: number): number {
  return Math.floor(instant / HOUR_MS) * HOUR_MS
}

function instantsShowing(wall: number, stretches: readonly Stretch[]): number[] {
  return stretches.filter((each) => shows(each, wall)).map((each) => wall - each.offset)
}

export function shows(stretch: Stretch, wall: number): boolean {
  return wall >= stretch.start + stretch.offset && wall < stretch.end + stretch.offset
}
