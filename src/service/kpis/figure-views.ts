/** What ended within a stretch of time, measured as the KPIs are. */
export interface SeriesBucketView {
  readonly at: string
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
  readonly cancelled: number
  /** Of the last attempts; null where none ran. */
  readonly meanDurationMs: number | null
  readonly p95DurationMs: number | null
  readonly meanQueueMs: number | null
  /** The share of occurrences that started within a second, from 0 to 1; null where nothing started. */
  readonly onTimeRate: number | null
  readonly p99LatenessMs: number | null
}

/** The last hours, in stretches of equal length that begin at multiples of it since the epoch; the last one is under way. */
export interface SeriesView {
  readonly from: string
  /** When the last bucket will be over. */
  readonly to: string
  readonly bucketMinutes: number
  /** Also those in which nothing ended. */
  readonly buckets: readonly SeriesBucketView[]
  /** Whether more have ended than are measured, so that the oldest buckets lack some. */
  readonly isPartial: boolean
}

/** Failures that differ in numbers, ids and quoted parts at most. */
export interface FailureGroupView {
  readonly errorName: string
  /** As it stands where all of them say the same; else with `…` for what differs. */
  readonly message: string
  readonly count: number
  readonly jobCount: number
  /** Those that failed last, at most five. */
  readonly jobs: readonly { readonly id: string; readonly name: string }[]
  readonly lastAt: string
  readonly lastExecutionId: string
}

export interface FailuresView {
  /** The most frequent first. */
  readonly items: readonly FailureGroupView[]
  /** Whether there were more failures than are looked at: then these are the latest. */
  readonly isPartial: boolean
}

/** What happens now. */
export interface CountersView {
  readonly running: number
  readonly queued: number
  readonly waiting: number
  readonly workersUsed: number
}
