import { requirePermission } from '../../access/principal.ts'
import { type HistoryEntryView, viewOfEntry } from '../../engine/durable/history-view.ts'
import type { ExecutionDetailView } from '../execution-view.ts'
import { ownExecution } from '../owned.ts'
import type { Scope } from '../scope.ts'
import { detailsOfExecution } from './describe-execution.ts'
import { logText } from './log-text.ts'

export async function getExecution(scope: Scope, id: string): Promise<ExecutionDetailView> {
  const { principal, store } = scope
  requirePermission(principal, 'jobs:viewHistory')
  const execution = await ownExecution(scope, id)
  const mayRead = principal.permissions.has('jobs:viewLogs')
  return detailsOfExecution(execution, mayRead ? await logText(store.logs, execution.id) : null)
}

/** What is recorded of a durable execution, in the order of its calls; of another one nothing. */
export async function listActivities(scope: Scope, id: string): Promise<HistoryEntryView[]> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const execution = await ownExecution(scope, id)
  return (await scope.store.histories.read(execution.id)).map(viewOfEntry)
}
