import type { JobStanding } from '../../occurrences.ts'
import { STANDING_LIMIT } from '../../occurrences.ts'
import type { ReadyRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { occurrenceOf } from './occurrence-of.ts'

/** What of jobs has not ended, in the order of the ids; jobs of which everything has are left out. */
export function standing(tables: Tables, jobIds: readonly string[]): JobStanding[] {
  return [...new Set(jobIds)].toSorted().flatMap((jobId) => standingOf(tables, jobId) ?? [])
}

function standingOf(tables: Tables, jobId: string): JobStanding | null {
  const ready = tables.readyByJob.rowsOf(jobId)
  const begun = [...tables.delayedByJob.rowsOf(jobId), ...tables.leasesByJob.rowsOf(jobId)]
  if (ready.length + begun.length === 0) return null
  const of = (rows: readonly ReadyRow[], isFresh: (row: ReadyRow) => boolean) =>
    rows.flatMap((row) => {
      const occurrence = occurrenceOf(tables, row.body)
      if (!occurrence) return []
      const { executionId, scheduledAt, misfire } = occurrence
      return [{ executionId, scheduledAt, misfire, isFresh: isFresh(row) }]
    })
  const occurrences = [...of(ready, ({ epoch }) => epoch === 0), ...of(begun, () => false)]
  return {
    jobId,
    isBusy: true,
    occurrences: occurrences.toSorted((a, b) => a.scheduledAt - b.scheduledAt).slice(-STANDING_LIMIT),
  }
}
