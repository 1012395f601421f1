import { requirePermission } from '../../access/principal.ts'
import { type HistoryEntryView, viewOfEntry } from '../../engine/durable/history-view.ts'
import type { Execution } from '../../job/execution/execution.ts'
import type { WhereToLook } from '../../store/archive.ts'
import type { ChainRecord } from '../../store/executions.ts'
import type { ExecutionDetailView } from '../execution-view.ts'
import { namesOfJobs, ownExecution } from '../owned.ts'
import type { ExecutionDetailQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { detailsOfExecution } from './describe-execution.ts'
import { requireKept } from './erase-execution.ts'
import { logText } from './read-logs.ts'

export async function getExecution(
  scope: Scope,
  id: string,
  { log: wantsLog = true, language = 'en', ...where }: ExecutionDetailQuery = {},
): Promise<ExecutionDetailView> {
  const { principal, store } = scope
  requirePermission(principal, 'jobs:viewHistory')
  const execution = await ownExecution(scope, id, where)
  const mayRead = wantsLog && principal.permissions.has('jobs:viewLogs')
  const [names, log, isUnknown] = await Promise.all([
    namesOfJobs(scope, [execution]),
    mayRead ? logText(store.logs, execution.id, where) : null,
    isTypeUnknown(scope, execution),
  ])
  return detailsOfExecution(execution, names, { log, language, isTypeUnknown: isUnknown })
}

/** Tells if an execution waits for a node that knows its job type, such as one with a typo in the id. */
async function isTypeUnknown({ engineStore }: Scope, { status, jobType }: Execution): Promise<boolean> {
  if (status !== 'QUEUED') return false
  const active = (await engineStore.nodes.list()).filter(({ isAlive }) => isAlive)
  return active.length > 0 && !active.some(({ jobTypes }) => jobTypes.includes(jobType))
}

const MAX_CHAIN = 1_000

/** The executions that one runs after and those that run after it, and the links between them; all are of one tenant. */
export async function readChain(scope: Scope, id: string, where: WhereToLook = {}): Promise<ChainRecord> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const execution = await ownExecution(scope, id, where)
  const { id: own, jobType, status } = execution
  const chain = await scope.store.executions.chain(own, MAX_CHAIN)
  return chain ?? { executions: [{ id: own, jobType, status }], links: [] }
}

/** What is recorded of a durable execution, in the order of its calls; of another one nothing. */
export async function listActivities(scope: Scope, id: string, where: WhereToLook = {}): Promise<HistoryEntryView[]> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const execution = await ownExecution(scope, id, where)
  requireKept(execution)
  return (await scope.store.histories.read(execution.id, where)).map(viewOfEntry)
}
