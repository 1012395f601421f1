import type { Failure } from '../job/execution/execution.ts'

export interface SeriesQuery {
  readonly tenant: string
  /** Only what ended at or after this instant. */
  readonly since: number
  /** Only what ended before this instant. */
  readonly until: number
  /** Buckets begin at multiples of it since the epoch. */
  readonly bucketMs: number
  /** At most the newest so many. */
  readonly limit: number
}

/** What is measured of the executions that ended within a stretch of time, as {@link Measures} have it of all. */
export interface SeriesBucket {
  readonly at: number
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
  readonly cancelled: number
  /** Of the last attempts; null where none ran. */
  readonly meanDurationMs: number | null
  readonly p95DurationMs: number | null
  /** From when an execution was created, or due, to its last start; null where none ran. */
  readonly meanQueueMs: number | null
  /** How many occurrences started. */
  readonly started: number
  /** Of these, how many within a second. */
  readonly onTime: number
  readonly p99LatenessMs: number | null
}

export interface FailuresQuery {
  readonly tenant: string
  /** Only what ended at or after this instant. */
  readonly since: number
  /** At most the newest so many. */
  readonly limit: number
}

/** An execution that FAILED or timed out. */
export interface FailureRecord {
  readonly executionId: string
  readonly jobId: string | null
  readonly status: 'FAILED' | 'TIMEOUT'
  readonly at: number
  readonly error: Failure | null
}
