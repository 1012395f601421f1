import type { ExecutionBody } from '../../../job/execution/execution.ts'
import type { OccurrenceRow } from '../schema/rows.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'

/** The occurrence that an execution stands for; one that someone enqueued, also for a job, stands for none. */
export function occurrenceOf(tables: Tables, { id, jobId, scheduledAt }: ExecutionBody): OccurrenceRow | undefined {
  if (jobId === null || scheduledAt === null) return undefined
  const occurrence = tables.occurrences.get(keyOf(jobId, scheduledAt))
  return occurrence?.executionId === id ? occurrence : undefined
}
