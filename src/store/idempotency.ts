import { PontualError } from '../errors.ts'
import type { ExecutionBody } from '../job/execution.ts'
import { isSamePayload } from '../job/payload.ts'

/** The idempotency key was used before, with another input. */
export class IdempotencyError extends PontualError {}

/** Throws where the one that has the key of an execution was given another input. */
export function requireSameInput(
  { id, jobType, idempotencyKey: key, payload }: ExecutionBody,
  holder: Pick<ExecutionBody, 'id' | 'payload'>,
): void {
  if (holder.id === id || isSamePayload(holder.payload, payload)) return
  throw new IdempotencyError(
    'idempotency.mismatch',
    `Idempotency key "${key}" of job type "${jobType}" was used before with another input.`,
    { key, jobType, executionId: holder.id },
  )
}
