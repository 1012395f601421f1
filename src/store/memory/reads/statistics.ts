import type { FinalStatus } from '../../../job/execution/execution.ts'
import type { Statistics, StatisticsQuery } from '../../executions.ts'
import { percentile } from '../../percentile.ts'
import { compareIds, inOrderOf } from '../schema/compare.ts'
import type { ResultRow } from '../schema/rows.ts'
import { byExecution, type Tables } from '../schema/tables.ts'

/** How the newest executions have ended. */
export function readStatistics(tables: Tables, { tenant, jobId, since, limit }: StatisticsQuery): Statistics {
  const ended = [...tables.resultsByEnd.ascending(({ finishedAt }) => finishedAt < since)]
    .filter(({ body }) => body.tenant === tenant && (jobId === undefined || body.jobId === jobId))
    .toSorted((a, b) => byExecution(b, a))
    .slice(0, Math.max(0, limit))
  const count = (status: FinalStatus) => ended.filter((row) => row.status === status).length
  const durations = ended.flatMap(durationOf).toSorted((a, b) => a - b)
  const lastFailure = ended.filter(({ status }) => status === 'FAILED' || status === 'TIMEOUT').toSorted(latestFirst)[0]
  const lastSuccess = ended.filter(({ status }) => status === 'SUCCESS').toSorted(latestFirst)[0]
  return {
    succeeded: count('SUCCESS'),
    failed: count('FAILED'),
    timedOut: count('TIMEOUT'),
    cancelled: count('CANCELLED'),
    retried: ended.filter(({ attempt }) => attempt > 1).length,
    meanDurationMs: mean(durations),
    p50DurationMs: percentile(durations, 0.5),
    p95DurationMs: percentile(durations, 0.95),
    p99DurationMs: percentile(durations, 0.99),
    meanQueueMs: mean(ended.flatMap(queuedOf)),
    lastFailure: lastFailure
      ? { executionId: lastFailure.body.id, at: lastFailure.finishedAt, error: lastFailure.error }
      : null,
    lastSuccessAt: lastSuccess?.finishedAt ?? null,
  }
}

const latestFirst = inOrderOf<ResultRow>(
  (a, b) => b.finishedAt - a.finishedAt,
  (a, b) => compareIds(b.body.id, a.body.id),
)

/** None where it ended without running. */
function durationOf({ startedAt, finishedAt }: ResultRow): number[] {
  return startedAt === null ? [] : [finishedAt - startedAt]
}

function queuedOf({ startedAt, body }: ResultRow): number[] {
  if (startedAt === null) return []
  return [Math.max(0, startedAt - Math.max(body.createdAt, body.scheduledAt ?? body.createdAt))]
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
