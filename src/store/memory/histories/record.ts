import type { HistoryEntry, NewEntry, RecordAnswer } from '../../../job/activity/history.ts'
import type { RecordItem } from '../../histories.ts'
import { leaseOf } from '../executions/held.ts'
import type { Tables } from '../schema/tables.ts'

/** Writes what a run has come to, where it is held and no timer of it is early. */
export function record(tables: Tables, item: RecordItem, now: number): RecordAnswer {
  if (!leaseOf(tables, item)) return 'refused'
  if (item.entries.some((entry) => entry.isTimer && (entry.dueAt ?? now) > now)) return 'early'
  writeEntries(tables, item)
  return 'recorded'
}

/** Writes entries, with all that they consume. */
export function writeEntries(tables: Tables, { executionId, epoch, entries, discards = [] }: RecordItem): void {
  const { runs } = tables
  runs.putEntries(
    executionId,
    entries.map((entry) => ({ entry: storedEntry(entry), epoch })),
  )
  const waiting = runs.signals.get(executionId)?.waiting
  for (const signalId of discards) waiting?.delete(signalId)
  for (const { signalId, takesChild } of entries) {
    if (signalId !== undefined) waiting?.delete(signalId)
    if (takesChild !== undefined) runs.children.take(executionId, takesChild)
  }
}

/** Field by field: what goes with an entry is not stored. */
function storedEntry(entry: NewEntry): HistoryEntry {
  return Object.freeze({
    sequence: entry.sequence,
    kind: entry.kind,
    name: entry.name,
    status: entry.status,
    position: entry.position,
    calls: entry.calls,
    attempt: entry.attempt,
    input: entry.input,
    output: entry.output,
    error: entry.error,
    details: entry.details,
    childId: entry.childId,
    startedAt: entry.startedAt,
    dueAt: entry.dueAt,
    endedAt: entry.endedAt,
  })
}
