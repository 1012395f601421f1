import type { Zone, ZoneSegment } from '../zone.ts'
import type { LocalTimes } from './local-times.ts'

/** What becomes of a match that the clock goes forward over: fired at the first instant after the gap, or not at all. */
export type GapRule = 'shift' | 'skip'

/** In which pass a match fires that the wall shows twice because the clock goes back. */
export type OverlapRule = 'first' | 'last' | 'both'

/**
 * The instants at which an expression fires in a zone. A zone is a row of segments with a constant offset; within one
 * the local time line is unbroken, so all of daylight saving time is decided where two segments meet.
 */
export class ZonedTimes {
  readonly #local: LocalTimes
  readonly #zone: Zone
  readonly #shiftsGap: boolean
  readonly #firesFirst: boolean
  readonly #firesLast: boolean

  constructor(local: LocalTimes, zone: Zone, gap: GapRule, overlap: OverlapRule) {
    this.#local = local
    this.#zone = zone
    this.#shiftsGap = gap === 'shift'
    this.#firesFirst = overlap !== 'last'
    this.#firesLast = overlap !== 'first'
  }

  /**
   * The first fire time after an instant, or at it when inclusive. An occurrence that a gap shifted to exactly `after` counts
   * as fired before it, so that it is not reported a second time.
   */
  next(after: number, isInclusive: boolean): number | null {
    const second = Math.floor(after / 1000) * 1000
    const segment = this.#zone.segmentAt(second)
    const from = isInclusive && second === after ? second : second + 1000
    const found = this.#local.atOrAfter(Math.max(from + segment.offset, this.#firstLocal(segment)))
    const repeatFrom = segment.end + segment.after
    if (found < segment.end + segment.offset) {
      if (this.#firesFirst || found < repeatFrom) return found - segment.offset
      return this.#local.atOrAfter(repeatFrom) - segment.after
    }
    if (this.#firesLast && segment.after < segment.offset) {
      const repeated = this.#local.atOrAfter(repeatFrom)
      if (repeated < segment.end + segment.offset) return repeated - segment.after
    }
    return this.#earliestInstant(found)
  }

  /** The last fire time before an instant. */
  previous(before: number): number | null {
    const last = Math.ceil(before / 1000) * 1000 - 1000
    const segment = this.#zone.segmentAt(last)
    const end = Math.min(last + 1000 + segment.offset, this.#endLocal(segment))
    const found = this.#local.before(end)
    if (found >= this.#firstLocal(segment)) return found - segment.offset
    if (segment.before === segment.offset) return this.#latestInstant(found)
    if (segment.before > segment.offset) {
      const match = this.#local.before(segment.start + (this.#firesFirst ? segment.before : segment.offset))
      // What the wall shows again in this segment was looked at already; what is left is its first pass.
      return match >= segment.start + segment.offset ? match - segment.before : this.#latestInstant(match)
    }
    const beforeGap = segment.start + segment.before
    if (found < beforeGap) return this.#latestInstant(found)
    return this.#shiftsGap ? segment.start : this.#latestInstant(this.#local.before(beforeGap))
  }

  /** How many fire times lie from one instant up to, but not including, another. */
  count(from: number, to: number): number {
    let count = 0
    for (let at = from; at < to; ) {
      const segment = this.#zone.segmentAt(at)
      const end = Math.min(to, segment.end)
      if (at === segment.start && this.#firesAtGapEnd(segment)) count++
      const first = Math.max(at + segment.offset, this.#firstLocal(segment))
      count += this.#local.count(first, Math.min(end + segment.offset, this.#endLocal(segment)))
      at = end
    }
    return count
  }

  /** The first local time of a segment that may fire in it: in a repeated hour perhaps only what follows it. */
  #firstLocal(segment: ZoneSegment): number {
    return segment.start + (this.#firesLast ? segment.offset : Math.max(segment.offset, segment.before))
  }

  /** The end of the local times of a segment that may fire in it: perhaps without the hour that comes again. */
  #endLocal(segment: ZoneSegment): number {
    return segment.end + (this.#firesFirst ? segment.offset : Math.min(segment.offset, segment.after))
  }

  /** Whether a segment begins with an occurrence out of the gap before it, and not with one of its own. */
  #firesAtGapEnd(segment: ZoneSegment): boolean {
    if (!this.#shiftsGap || segment.before >= segment.offset) return false
    const gapEnd = segment.start + segment.offset
    return this.#local.atOrAfter(segment.start + segment.before) < gapEnd && !this.#local.has(gapEnd)
  }

  #earliestInstant(local: number): number | null {
    let match = local
    while (match !== Number.POSITIVE_INFINITY) {
      const segment = this.#zone.segmentOfLocal(match)
      const start = segment.start + segment.offset
      if (match >= start) {
        const isRepeated = match >= segment.end + segment.after
        return match - (isRepeated && !this.#firesFirst ? segment.after : segment.offset)
      }
      if (this.#shiftsGap) return segment.start
      match = this.#local.atOrAfter(start)
    }
    return null
  }

  #latestInstant(local: number): number | null {
    let match = local
    while (match !== Number.NEGATIVE_INFINITY) {
      const segment = this.#zone.segmentOfLocal(match)
      if (match >= segment.start + segment.offset) {
        const isRepeated = match >= segment.end + segment.after
        return match - (isRepeated && this.#firesLast ? segment.after : segment.offset)
      }
      if (this.#shiftsGap) return segment.start
      match = this.#local.before(segment.start + segment.before)
    }
    return null
  }
}
