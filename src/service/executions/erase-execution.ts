import { requireWholeProfile } from '../../access/principal.ts'
import { statusConflict, UnknownExecutionError } from '../../engine/app/executions.ts'
import type { Execution } from '../../job/execution/execution.ts'
import { ERASED, requireReadable } from '../../job/execution/unreadable.ts'
import { ownExecution } from '../owned.ts'
import type { Scope } from '../scope.ts'

/**
 * Erases what an execution that has ended was given, gave, recorded and said, for good. That it ran, when and how it ended stays, and so does the audit log,
 * which never held any of it but, where nothing is encrypted, the message of an error.
 */
export async function eraseExecution(scope: Scope, id: string): Promise<void> {
  requireWholeProfile(scope.principal, 'Admin')
  const { tenant, store, by } = scope
  const execution = await ownExecution(scope, id, { archived: true })
  const { id: executionId, jobId, status } = execution
  if (execution.payload === ERASED) return
  const result = await store.contents.erase(executionId, {
    tenant,
    operation: 'JOBS_EXECUTION_ERASE',
    userId: by.userId,
    jobId,
    executionId,
    oldValues: null,
    newValues: { status },
  })
  if (result === 'unknown') throw new UnknownExecutionError(executionId)
  if (result === 'open') throw statusConflict(executionId, status, 'erase')
}

/** Throws for an execution of which there is nothing left to tell. */
export function requireKept({ payload }: Execution): void {
  if (payload === ERASED) requireReadable(payload)
}
