import type { FailureRecord, FailuresQuery } from '../../series.ts'
import { byExecution, type Tables } from '../schema/tables.ts'
import { byEnd } from './measure.ts'

/** The newest executions that FAILED or timed out, the latest first. */
export function readFailures(tables: Tables, { tenant, since, limit }: FailuresQuery): FailureRecord[] {
  return [...tables.resultsByEnd.ascending(({ finishedAt }) => finishedAt < since)]
    .filter(({ body }) => body.tenant === tenant)
    .toSorted((a, b) => byExecution(b, a))
    .filter(({ status }) => status === 'FAILED' || status === 'TIMEOUT')
    .slice(0, Math.max(0, limit))
    .toSorted((a, b) => byEnd(b, a))
    .map(({ body, status, finishedAt, error }) => ({
      executionId: body.id,
      jobId: body.jobId,
      status: status === 'TIMEOUT' ? 'TIMEOUT' : 'FAILED',
      at: finishedAt,
      error,
    }))
}
