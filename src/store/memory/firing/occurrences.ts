import type {
  JobStanding,
  LedgerQuery,
  OccurrenceRecord,
  OccurrenceStore,
  WaitingOccurrence,
} from '../../occurrences.ts'
import { STANDING_LIMIT } from '../../occurrences.ts'
import type { MissedRow, OccurrenceRow, ReadyRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import type { Session } from '../session.ts'
import { consolidate } from './consolidate.ts'
import { fire } from './fire.ts'
import { occurrenceOf } from './occurrence-of.ts'

export function occurrenceStore(session: Session): OccurrenceStore {
  return {
    fire: (firings) => session.statement((tables, now) => fire(tables, firings, now)),
    ledger: (query) => session.statement((tables) => readLedger(tables, query)),
    standing: (jobIds) => session.statement((tables) => standing(tables, jobIds)),
    waiting: (jobId, limit) => session.statement((tables) => waiting(tables, jobId).slice(0, Math.max(0, limit))),
    consolidate: (changes) => session.statement((tables, now) => consolidate(tables, changes, now)),
  }
}

function readLedger(tables: Tables, { jobId, from, to, limit }: LedgerQuery): OccurrenceRecord[] {
  const occurrences = tables.occurrencesByJob.group(jobId)?.ascending(({ scheduledAt }) => scheduledAt < from) ?? []
  const missed = tables.missedByJob.group(jobId)?.ascending() ?? []
  const fired = take(occurrences, limit, { while: ({ scheduledAt }) => scheduledAt < to }).map(recordOfFired)
  const notFired = take(missed, limit, { while: (row) => row.from < to, where: (row) => row.to >= from })
  // The sort is stable: what was fired stands before what was not, where both are of the same instant.
  const records = [...fired, ...notFired.map(recordOfMissed)].toSorted((a, b) => a.from - b.from || a.to - b.to)
  return records.slice(0, Math.max(0, limit))
}

function recordOfFired({ scheduledAt, executionId, decision, cause, misfire, recordedAt }: OccurrenceRow) {
  return { from: scheduledAt, to: scheduledAt, count: 1, decision, cause, executionId, misfire, recordedAt }
}

function recordOfMissed({ from, to, count, decision, cause, recordedAt }: MissedRow) {
  return { from, to, count, decision, cause, executionId: null, misfire: null, recordedAt }
}

/** Occurrences whose executions wait for their first attempt, or are in it. */
function waiting(tables: Tables, jobId: string): WaitingOccurrence[] {
  const waitingFor = (rows: readonly ReadyRow[], isHeld: boolean) =>
    rows
      .flatMap(({ body }) => occurrenceOf(tables, body) ?? [])
      .filter(({ decision }) => decision === 'fired' || decision === 'firedLate')
      .map(({ executionId, scheduledAt, misfire }) => ({ executionId, scheduledAt, misfire, isHeld }))
  return [
    ...waitingFor(tables.freshByJob.rowsOf(jobId), false),
    ...waitingFor(tables.firstLeasesByJob.rowsOf(jobId), true),
  ].toSorted((a, b) => a.scheduledAt - b.scheduledAt)
}

/** What of jobs has not ended, in the order of the ids; jobs of which everything has are left out. */
function standing(tables: Tables, jobIds: readonly string[]): JobStanding[] {
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
