/** A stretch of time over which a zone keeps one offset. Local time is instant + offset, in milliseconds. */
export interface ZoneSegment {
  /** First instant of the stretch. */
  readonly start: number
  /** First instant after it. */
  readonly end: number
  readonly offset: number
  /** The offset just before `start`: larger than `offset` where the clock goes back, smaller where it goes forward. */
  readonly before: number
  /** The offset at `end`. */
  readonly after: number
}

/** Answers how far local time is ahead of UTC at an instant, in milliseconds. */
export type OffsetReader = (instant: number) => number

// In no zone since 1900 do two changes that cancel each other out lie closer than 7 days (Recife, October 2000).
const PROBE_MS = 5 * 86_400_000

/** All segments of a zone between two whole seconds, found by probing its offset and narrowing each change to the second. */
export function readSegments(offsetAt: OffsetReader, from: number, to: number): readonly ZoneSegment[] {
  const segments: ZoneSegment[] = []
  let start = from
  let before = offsetAt(from - 1000)
  let offset = offsetAt(from)
  for (const end of findChanges(offsetAt, from, to)) {
    const after = offsetAt(end)
    segments.push({ start, end, offset, before, after })
    start = end
    before = offset
    offset = after
  }
  segments.push({ start, end: to, offset, before, after: offsetAt(to) })
  return segments
}

function findChanges(offsetAt: OffsetReader, from: number, to: number): number[] {
  const changes: number[] = []
  let low = from
  let lowOffset = offsetAt(from)
  for (let high = low; high < to - 1000; ) {
    high = Math.min(high + PROBE_MS, to - 1000)
    const highOffset = offsetAt(high)
    // One probe may span more than one change: each is narrowed to in turn.
    while (lowOffset !== highOffset) {
      low = firstDifference(offsetAt, low, high, lowOffset)
      lowOffset = offsetAt(low)
      changes.push(low)
    }
    low = high
  }
  return changes
}

/** The first whole second after `low`, up to `high`, at which the offset is no longer `lowOffset`. */
function firstDifference(offsetAt: OffsetReader, low: number, high: number, lowOffset: number): number {
  let same = low / 1000
  let different = high / 1000
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    if (offsetAt(middle * 1000) === lowOffset) same = middle
    else different = middle
  }
  return different * 1000
}

/** The one segment of a zone that never changes its offset. */
export function endlessSegment(offset: number): ZoneSegment {
  return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, offset, before: offset, after: offset }
}
