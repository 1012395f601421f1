import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import type { Execution, ExecutionStatus } from '../../job/execution/execution.ts'

/** There is no such execution. */
export class UnknownExecutionError extends PontualError {
  constructor(id: string) {
    super('execution.unknown', `There is no execution "${id}".`, { executionId: id })
  }
}

/** A caller that names a job type reads or sends what that type says, so the execution must be of it. */
export function requireOfType({ id, jobType }: Pick<Execution, 'id' | 'jobType'>, type: { readonly id: string }): void {
  if (type.id === jobType) return
  const message = `Execution ${quote(id)} is of job type ${quote(jobType)}, not ${quote(type.id)}.`
  throw new InvalidInputError('execution.other_type', message, { executionId: id, jobType, received: type.id })
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
