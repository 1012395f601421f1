import { requirePermission } from '../../access/principal.ts'
import { EXECUTION_STATUSES } from '../../job/execution.ts'
import { requireOneOf } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import type { Page } from '../answers.ts'
import type { ExecutionView } from '../execution-view.ts'
import { ownJob } from '../owned.ts'
import { pageOf } from '../page.ts'
import type { ExecutionListQuery, HistoryQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { checkSought } from '../sent-values.ts'
import { viewOfExecution } from './describe-execution.ts'

const DAY_MS = 86_400_000
/** From the 90th day on it is archive. */
export const HISTORY_MS = 90 * DAY_MS

/** Executions of the tenant, the newest first. */
export async function listExecutions(scope: Scope, query: ExecutionListQuery): Promise<Page<ExecutionView>> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  if (query.jobId !== undefined) await ownJob(scope, query.jobId)
  return await readPage(scope, query)
}

/** Executions of one job, the newest first. */
export async function jobHistory(scope: Scope, id: string, query: HistoryQuery): Promise<Page<ExecutionView>> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const job = await ownJob(scope, id)
  return await readPage(scope, { ...query, jobId: job.id })
}

async function readPage(scope: Scope, query: ExecutionListQuery): Promise<Page<ExecutionView>> {
  const { tenant, store, cursors } = scope
  const { status: statuses, jobType, archived } = query
  const jobId = query.jobId?.toLowerCase()
  for (const status of statuses ?? []) requireOneOf(status, 'status', EXECUTION_STATUSES)
  checkSought('jobType', jobType)
  const since = archived ? undefined : scope.now() - HISTORY_MS + 1
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    scope: [tenant, 'executions', jobId ?? null, jobType ?? null, statuses ?? null, archived],
    shape: ['id'],
    read: (limit, after) => {
      const before = after === undefined ? undefined : requireUuid(after[0], 'cursor')
      return store.executions.list({ tenant, jobId, jobType, statuses, since, limit, before })
    },
    placeOf: ({ id }) => [id],
  })
  return { ...page, items: page.items.map(viewOfExecution) }
}
