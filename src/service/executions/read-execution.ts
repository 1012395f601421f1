import { requirePermission } from '../../access/principal.ts'
import { type HistoryEntryView, viewOfEntry } from '../../engine/durable/history-view.ts'
import type { WhereToLook } from '../../store/archive.ts'
import type { ExecutionDetailView } from '../execution-view.ts'
import { namesOfJobs } from '../job-names.ts'
import { ownExecution } from '../owned.ts'
import type { ExecutionDetailQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { detailsOfExecution } from './describe-execution.ts'
import { requireKept } from './erase-execution.ts'
import { logText } from './log-text.ts'

export async function getExecution(
  scope: Scope,
  id: string,
  { log: wantsLog = true, language = 'en', ...where }: ExecutionDetailQuery = {},
): Promise<ExecutionDetailView> {
  const { principal, store } = scope
  requirePermission(principal, 'jobs:viewHistory')
  const execution = await ownExecution(scope, id, where)
  const mayRead = wantsLog && principal.permissions.has('jobs:viewLogs')
  const [names, log] = await Promise.all([
    namesOfJobs(scope, [execution]),
    mayRead ? logText(store.logs, execution.id, where) : null,
  ])
  return detailsOfExecution(execution, names, { log, language })
}

/** What is recorded of a durable execution, in the order of its calls; of another one nothing. */
export async function listActivities(scope: Scope, id: string, where: WhereToLook = {}): Promise<HistoryEntryView[]> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const execution = await ownExecution(scope, id, where)
  requireKept(execution)
  return (await scope.store.histories.read(execution.id, where)).map(viewOfEntry)
}
