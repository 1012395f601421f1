import type { FinalStatus } from '../../../job/execution/execution.ts'
import { ON_TIME_MS } from '../../lateness.ts'
import { percentile } from '../../percentile.ts'
import type { SeriesBucket, SeriesQuery } from '../../series.ts'
import type { ResultRow } from '../schema/rows.ts'
import { byExecution, type Tables } from '../schema/tables.ts'
import { durationsOf, latenessesOf, queuedOf } from './measure.ts'
import { mean } from './statistics.ts'

/** What is measured of the newest executions that ended between two instants, by when they did. */
export function readSeries(tables: Tables, query: SeriesQuery): SeriesBucket[] {
  const { tenant, since, until, bucketMs, limit } = query
  const ended = [...tables.resultsByEnd.ascending(({ finishedAt }) => finishedAt < since)]
    .filter(({ finishedAt, body }) => finishedAt < until && body.tenant === tenant)
    .toSorted((a, b) => byExecution(b, a))
    .slice(0, Math.max(0, limit))
  const buckets = new Map<number, ResultRow[]>()
  for (const row of ended) {
    const at = Math.floor(row.finishedAt / bucketMs) * bucketMs
    const rows = buckets.get(at)
    if (rows) rows.push(row)
    else buckets.set(at, [row])
  }
  return [...buckets].toSorted(([a], [b]) => a - b).map(([at, rows]) => bucketOf(tables, at, rows))
}

function bucketOf(tables: Tables, at: number, rows: readonly ResultRow[]): SeriesBucket {
  const count = (status: FinalStatus) => rows.filter((row) => row.status === status).length
  const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b)
  const durations = ascending(rows.flatMap(durationsOf))
  const latenesses = ascending(rows.flatMap((row) => latenessesOf(tables, row)))
  return {
    at,
    succeeded: count('SUCCESS'),
    failed: count('FAILED'),
    timedOut: count('TIMEOUT'),
    cancelled: count('CANCELLED'),
    meanDurationMs: mean(durations),
    p95DurationMs: percentile(durations, 0.95),
    meanQueueMs: mean(rows.flatMap((row) => queuedOf(tables, row))),
    started: latenesses.length,
    onTime: latenesses.filter((latenessMs) => latenessMs <= ON_TIME_MS).length,
    p99LatenessMs: percentile(latenesses, 0.99),
  }
}
