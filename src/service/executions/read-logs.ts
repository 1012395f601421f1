import { requirePermission } from '../../access/principal.ts'
import { streamLogs } from '../../engine/log-stream.ts'
import { LOG_LEVELS } from '../../logger.ts'
import type { LogLine } from '../../store/logs.ts'
import { requireInteger, requireOneOf } from '../../time/require.ts'
import type { LogLineView, LogsAnswer } from '../answers.ts'
import { NotFoundError } from '../errors.ts'
import { ownExecution, ownJob } from '../owned.ts'
import { MAX_PAGE } from '../page.ts'
import type { LogsQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { wireInstant, wireValue } from '../wire-value.ts'

const MAX_LINES = MAX_PAGE * 5

/** The log of one execution of a job; without one named, of its last. */
export async function jobLogs(scope: Scope, id: string, query: LogsQuery): Promise<LogsAnswer> {
  requirePermission(scope.principal, 'jobs:viewLogs')
  const limit = requireInteger(query.limit, 'limit', 1, MAX_LINES)
  const { level, after } = query
  if (level !== undefined) requireOneOf(level, 'level', LOG_LEVELS)
  if (after !== undefined) requireInteger(after, 'after', 0)
  const executionId = await executionOfJob(scope, id, query.executionId)
  if (executionId === null) return { executionId, items: [], nextCursor: null }
  const lines = await scope.store.logs.read({ executionId, after, lowest: level, limit: limit + 1 })
  const items = lines.slice(0, limit)
  const last = items.at(-1)
  const hasMore = lines.length > limit && last !== undefined
  return { executionId, items: items.map(viewOfLine), nextCursor: hasMore ? String(last.sequence) : null }
}

async function executionOfJob(scope: Scope, id: string, executionId: string | undefined): Promise<string | null> {
  const { tenant, store } = scope
  const job = await ownJob(scope, id)
  if (executionId === undefined) {
    return (await store.executions.list({ tenant, jobId: job.id, limit: 1 }))[0]?.id ?? null
  }
  const execution = await ownExecution(scope, executionId)
  if (execution.jobId === job.id) return execution.id
  throw notOfJob(execution.id, job.id)
}

export function notOfJob(executionId: string, jobId: string): NotFoundError {
  const message = `Execution "${executionId}" is not one of job "${jobId}".`
  return new NotFoundError('not_found', message, { executionId, jobId })
}

/** Lines as they come, until the execution has ended or the signal is aborted. Who asks is checked before the first. */
export async function followLogs(
  scope: Scope,
  id: string,
  { after, signal }: { readonly after?: number | undefined; readonly signal: AbortSignal },
): Promise<AsyncIterable<LogLine>> {
  requirePermission(scope.principal, 'jobs:viewLogs')
  const { id: executionId } = await ownExecution(scope, id)
  return streamLogs(scope.store, scope.opened.pauses, executionId, { after, follow: true, signal })
}

function viewOfLine({ sequence, attempt, at, level, message, fields }: LogLine): LogLineView {
  return { sequence, attempt, at: wireInstant(at), level, message, fields: wireValue(fields) }
}
