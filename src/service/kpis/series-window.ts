import { HOUR_MS, MINUTE_MS } from '../../duration.ts'

const MOST_BUCKETS = 96

/** Lengths of which a day has a whole number. */
const BUCKET_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1_440] as const

/** A stretch of time, cut into buckets of equal length. */
export interface SeriesWindow {
  /** When the first bucket begins. */
  readonly from: number
  /** When the last one will be over. */
  readonly to: number
  readonly bucketMs: number
}

/** The last hours in so many buckets as a chart has room for. All of the hours are in it, and the bucket that is under way. */
export function seriesWindow(now: number, hours: number): SeriesWindow {
  const spanMs = hours * HOUR_MS
  const minutes = BUCKET_MINUTES.find((each) => spanMs / (each * MINUTE_MS) <= MOST_BUCKETS - 1) ?? 1_440
  const bucketMs = minutes * MINUTE_MS
  const floor = (instant: number) => Math.floor(instant / bucketMs) * bucketMs
  return { from: floor(now - spanMs), to: floor(now) + bucketMs, bucketMs }
}

/** When each bucket begins, the oldest first. */
export function bucketsOf({ from, to, bucketMs }: SeriesWindow): number[] {
  return Array.from({ length: (to - from) / bucketMs }, (_, index) => from + index * bucketMs)
}
