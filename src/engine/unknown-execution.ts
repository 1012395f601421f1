import { PontualError } from '../errors.ts'
import type { ExecutionStatus } from '../job/execution.ts'

/** There is no such execution. */
export class UnknownExecutionError extends PontualError {
  constructor(id: string) {
    super('execution.unknown', `There is no execution "${id}".`, { executionId: id })
  }
}

const NEEDS = {
  retry: 'retry needs FAILED, TIMEOUT or CANCELLED',
  signal: 'a signal needs one that has not ended',
  restart: 'restart needs one that has ended, or is DIVERGED',
  resume: 'resume needs DIVERGED',
  cancel: 'only one that has not ended can be cancelled',
  erase: 'only one that has ended can be erased',
} as const

/** What cannot be done with an execution of any status. */
type ExecutionNeed = keyof typeof NEEDS

/** The status of an execution does not allow what was asked. */
export function statusConflict(id: string, status: ExecutionStatus, need: ExecutionNeed): PontualError {
  const message = `Execution "${id}" is ${status}; ${NEEDS[need]}.`
  return new PontualError('execution.status_conflict', message, { executionId: id, status, need })
}
