import type { AuditOperation, AuditValues } from '../../access/audit.ts'
import { requirePermission } from '../../access/principal.ts'
import { Executions } from '../../engine/app/executions.ts'
import { DurableExecutions, LAST_PLACE } from '../../engine/durable/durable-executions.ts'
import type { Execution } from '../../job/execution/execution.ts'
import type { NewAuditEntry } from '../../store/audit.ts'
import type { ExecuteAnswer } from '../answers.ts'
import { ConflictError } from '../errors.ts'
import { requireRoomInQueue } from '../jobs/commands/quotas.ts'
import { readNotice } from '../jobs/commands/run-job.ts'
import { isArchive, ownExecution, ownJob } from '../owned.ts'
import type { MakeOptions } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { readField, readInteger } from '../sent-values.ts'
import { madeBefore } from './made-before.ts'
import { notOfJob } from './read-logs.ts'

/** Runs an execution of a job once more that did not succeed: the one named, or the last that failed or timed out. */
export async function retryOfJob(
  scope: Scope,
  jobId: string,
  executionId: string | null,
  { id }: MakeOptions = {},
): Promise<ExecuteAnswer> {
  requirePermission(scope.principal, 'jobs:execute')
  const job = await ownJob(scope, jobId)
  const before = await madeBefore(scope, { id })
  if (before) return before
  await requireRoomInQueue(scope)
  const execution = executionId === null ? await lastFailure(scope, job.id) : await ownExecution(scope, executionId)
  if (execution.jobId !== job.id) throw notOfJob(execution.id, job.id)
  const executions = new Executions({ ...engineOf(scope), pauses: scope.opened.pauses })
  const made = await executions.retry(execution.id, { id, requestedBy: scope.by.userId })
  return { executionId: made, isNew: true, notice: await readNotice(scope) }
}

async function lastFailure(scope: Scope, jobId: string): Promise<Execution> {
  const { store, tenant } = scope
  const [last] = await store.executions.list({ tenant, jobId, statuses: ['FAILED', 'TIMEOUT'], limit: 1 })
  if (last && !isArchive(scope, last)) return last
  throw new ConflictError('job.nothing_to_retry', 'No execution of this job has failed or timed out.', { jobId })
}

/** Runs a durable execution again from one of its calls on. */
export async function restartExecution(
  scope: Scope,
  id: string,
  from: { readonly sequence: number },
  make: MakeOptions = {},
): Promise<ExecuteAnswer> {
  requirePermission(scope.principal, 'jobs:execute')
  const execution = await ownExecution(scope, id)
  const before = await madeBefore(scope, make)
  if (before) return before
  await requireRoomInQueue(scope)
  const sequence = readField('sequence', () => readInteger(from.sequence, 'sequence', 1, LAST_PLACE))
  const durable = new DurableExecutions(engineOf(scope))
  const made = await durable.restart(
    execution.id,
    { from: sequence },
    {
      id: make.id,
      requestedBy: scope.by.userId,
      audit: (executionId) => entryOf(scope, 'JOBS_JOB_RESTART', execution, { sequence, executionId }),
    },
  )
  return { executionId: made, isNew: made !== execution.id, notice: await readNotice(scope) }
}

/** Sends a message to a durable execution. */
export async function signalExecution(
  scope: Scope,
  id: string,
  signal: { readonly name: string; readonly payload?: unknown; readonly key?: string | undefined },
): Promise<void> {
  requirePermission(scope.principal, 'jobs:execute')
  const execution = await ownExecution(scope, id)
  const { name, payload, key: idempotencyKey } = signal
  const request = { execution, audit: entryOf(scope, 'JOBS_JOB_SIGNAL', execution, { signal: name }) }
  await new DurableExecutions(engineOf(scope)).signal(execution.id, name, payload, { idempotencyKey }, request)
}

/** The engine's own verbs, in the store of the tenant. */
function engineOf({ around, opened }: Scope) {
  return { ...around, knownTypes: opened.knownTypes, onChanged: () => opened.changed() }
}

function entryOf(
  { tenant, by }: Scope,
  operation: AuditOperation,
  { id: executionId, jobId }: Execution,
  newValues: AuditValues,
): NewAuditEntry {
  return { tenant, operation, userId: by.userId, jobId, executionId, oldValues: null, newValues }
}
