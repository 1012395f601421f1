import { requirePermission } from '../../access/principal.ts'
import { statusConflict, UnknownExecutionError } from '../../engine/app/executions.ts'
import type { ExecutionStatus } from '../../job/execution/execution.ts'
import type { CancelResult } from '../../store/executions.ts'
import type { CancelAnswer } from '../answers.ts'
import { ownExecution, ownJob } from '../owned.ts'
import type { CancelOptions } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { readReason } from '../sent-values.ts'
import { notOfJob } from './read-logs.ts'

const BATCH = 100
const NOT_ENDED: readonly ExecutionStatus[] = ['QUEUED', 'RUNNING', 'WAITING', 'DIVERGED']

/** Ends one execution. */
export async function cancelExecution(scope: Scope, id: string, reason: string | null): Promise<CancelAnswer> {
  requirePermission(scope.principal, 'jobs:execute')
  const { id: executionId } = await ownExecution(scope, id)
  const results = await cancel(scope, [executionId], readReason(reason, 'reason'))
  const [[, result = 'unknown'] = []] = results
  if (result === 'unknown') throw new UnknownExecutionError(executionId)
  if (result === 'final') {
    const { status } = await ownExecution(scope, executionId)
    throw statusConflict(executionId, status, 'cancel')
  }
  return answerOf(results)
}

/** Ends one execution of a job, or all of them that have not ended. */
export async function cancelOfJob(scope: Scope, id: string, options: CancelOptions): Promise<CancelAnswer> {
  requirePermission(scope.principal, 'jobs:execute')
  const job = await ownJob(scope, id)
  const { executionId } = options
  if (executionId === null) return await cancelAll(scope, job.id, readReason(options.reason, 'reason'))
  const execution = await ownExecution(scope, executionId)
  if (execution.jobId !== job.id) throw notOfJob(execution.id, job.id)
  return await cancelExecution(scope, execution.id, options.reason)
}

/** Those that there are when it is asked for; one that fires meanwhile is not one of them. */
async function cancelAll(scope: Scope, jobId: string, reason: string | null): Promise<CancelAnswer> {
  const { tenant, store } = scope
  const results: Results = []
  let before: string | undefined
  for (;;) {
    const page = await store.executions.list({ tenant, jobId, statuses: NOT_ENDED, limit: BATCH, before })
    results.push(
      ...(await cancel(
        scope,
        page.map(({ id }) => id),
        reason,
      )),
    )
    before = page.at(-1)?.id
    if (page.length < BATCH || before === undefined) return answerOf(results)
  }
}

type Results = (readonly [id: string, result: CancelResult | undefined])[]

async function cancel(scope: Scope, ids: readonly string[], reason: string | null): Promise<Results> {
  const by = scope.by.userId
  const answers = await scope.store.executions.cancel(ids.map((id) => ({ id, reason, by })))
  const results = ids.map((id, index) => [id, answers[index]] as const)
  for (const [executionId, result] of results) {
    if (result === 'cancelled') scope.around.telemetry.tell('execution.cancelled', { executionId })
  }
  scope.opened.changed()
  return results
}

function answerOf(results: Results): CancelAnswer {
  const those = (wanted: CancelResult) => results.filter(([, result]) => result === wanted).map(([id]) => id)
  return { cancelled: those('cancelled'), cancelling: those('cancelling') }
}
