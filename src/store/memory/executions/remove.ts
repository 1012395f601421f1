import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { occurrenceOf } from '../firing/occurrence-of.ts'
import type { ArchivedRow } from '../schema/archive-tables.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import { idempotencyKeyOf } from './enqueue.ts'
import { followUp, removeLinks } from './follow-up.ts'

/** Removes a job and all that hangs on it. False when there was none. */
export function removeJob(tables: Tables, id: string, now: number): boolean {
  const removed = tables.executionsByJob.rowsOf(id)
  for (const body of removed) removeExecution(tables, body)
  // For those behind it, what had not ended was cancelled.
  const ended = removed.map((body) => ({ id: body.id, status: 'CANCELLED' }) as const)
  followUp(tables, ended, now)
  for (const row of tables.archive.byJob.rowsOf(id)) removeFromArchive(tables, row)
  for (const { scheduledAt } of tables.occurrencesByJob.rowsOf(id)) tables.occurrences.take(keyOf(id, scheduledAt))
  for (const missed of tables.missedByJob.rowsOf(id)) tables.missedByJob.delete(missed)
  tables.audit.counters.delete(id)
  return tables.jobs.take(id) !== undefined
}

/** Removes an execution in the archive, and all that hangs on it. */
export function removeFromArchive(tables: Tables, row: ArchivedRow): void {
  removeArchived(tables, row)
  tables.archive.executions.take(row.body.id)
  const occurrence = occurrenceOf(tables, row.body)
  if (occurrence) tables.occurrences.take(keyOf(occurrence.jobId, occurrence.scheduledAt))
}

/** Removes an execution from wherever it stands, and all that hangs on it. */
export function removeExecution(tables: Tables, body: ExecutionBody): void {
  const { id } = body
  tables.executions.take(id)
  tables.ready.take(id)
  tables.delayed.take(id)
  tables.leases.take(id)
  tables.results.take(id)
  tables.audit.numbers.delete(id)
  tables.attempts.delete(id)
  tables.logs.delete(id)
  tables.runs.remove(id)
  removeLinks(tables, id)

  const key = idempotencyKeyOf(body)
  if (key !== null && tables.idempotencyKeys.get(key) === id) tables.idempotencyKeys.delete(key)
  const occurrence = occurrenceOf(tables, body)
  if (occurrence) tables.occurrences.take(keyOf(occurrence.jobId, occurrence.scheduledAt))
}

/** Removes what hangs on an execution in the archive and is kept elsewhere. */
export function removeArchived(tables: Tables, { body }: ArchivedRow): void {
  const { id } = body
  tables.audit.numbers.delete(id)
  tables.runs.remove(id)
  removeLinks(tables, id)
  const key = idempotencyKeyOf(body)
  if (key !== null && tables.idempotencyKeys.get(key) === id) tables.idempotencyKeys.delete(key)
}
