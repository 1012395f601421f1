import { PontualError } from '../errors.ts'
import type { ExecutionBody } from '../job/execution/execution.ts'
import { isSamePayload } from '../job/execution/payload.ts'
import { digestOf } from './sealed-text.ts'

/** The idempotency key was used before, with another input. */
export class IdempotencyError extends PontualError {}

/** Throws where the one that has the key of an execution was given another input. */
export function requireSameInput(
  { id, jobType, idempotencyKey: key, payload }: ExecutionBody,
  holder: Pick<ExecutionBody, 'id' | 'payload'>,
): void {
  if (holder.id === id || isSameInput(holder.payload, payload)) return
  throw new IdempotencyError(
    'idempotency.mismatch',
    `Idempotency key "${key}" of job type "${jobType}" was used before with another input.`,
    { key, jobType, executionId: holder.id },
  )
}

/** What is sealed cannot be compared but by its digest. */
function isSameInput(a: string | null, b: string | null): boolean {
  const digest = digestOf(a)
  return digest === null ? isSamePayload(a, b) : digest === digestOf(b)
}
