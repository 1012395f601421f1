import { PontualError } from '../errors.ts'
import type { ExecutionStatus } from '../job/execution.ts'

/** There is no such execution. */
export class UnknownExecutionError extends PontualError {
  constructor(id: string) {
    super('execution.unknown', `There is no execution "${id}".`, { executionId: id })
  }
}

/** The status of an execution does not allow what was asked. */
export function statusConflict(id: string, status: ExecutionStatus, needs: string): PontualError {
  const message = `Execution "${id}" is ${status}; ${needs}.`
  return new PontualError('execution.status_conflict', message, { executionId: id, status })
}
