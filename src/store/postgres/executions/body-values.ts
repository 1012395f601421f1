import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { priorityRank } from '../../../job/rules/priority.ts'

/** Bodies as a statement takes them, one list per column: ids, lanes, priorities and so on, eleven in all. */
export function bodyValues(bodies: readonly ExecutionBody[], lanes: readonly number[]): unknown[] {
  return [
    bodies.map(({ id }) => id),
    lanes,
    bodies.map(({ priority }) => priorityRank(priority)),
    bodies.map(({ jobId }) => jobId),
    bodies.map(({ origin }) => origin),
    bodies.map(({ payload }) => payload),
    bodies.map(({ scheduledAt }) => scheduledAt),
    bodies.map(({ maxAttempts }) => maxAttempts),
    bodies.map(({ idempotencyKey }) => idempotencyKey),
    bodies.map(({ options }) => (options === null ? null : JSON.stringify(options))),
    bodies.map(({ createdAt }) => createdAt),
  ]
}
