import type { Statistics } from '../../../store/executions.ts'
import type { JobStatisticsView } from '../../job-view.ts'
import { wireInstant } from '../../wire-value.ts'

export function viewOfStatistics(statistics: Statistics): JobStatisticsView {
  const { succeeded, failed, timedOut, cancelled, lastFailure } = statistics
  const { meanDurationMs, p50DurationMs, p95DurationMs, p99DurationMs } = statistics
  return {
    successRate: successRate(statistics),
    totalExecutions: succeeded + failed + timedOut + cancelled,
    succeeded,
    failed,
    timedOut,
    cancelled,
    meanDurationMs,
    p50DurationMs,
    p95DurationMs,
    p99DurationMs,
    lastFailure:
      lastFailure === null
        ? null
        : {
            executionId: lastFailure.executionId,
            at: wireInstant(lastFailure.at),
            errorMessage: lastFailure.error?.message ?? null,
          },
    lastSuccessAt: wireInstant(statistics.lastSuccessAt),
  }
}

/** From 0 to 1, of those that ended by themselves: what people cancelled is no failure. */
export function successRate(ends: Pick<Statistics, 'succeeded' | 'failed' | 'timedOut'>): number | null {
  const { succeeded, failed, timedOut } = ends
  const ended = succeeded + failed + timedOut
  return ended === 0 ? null : succeeded / ended
}
