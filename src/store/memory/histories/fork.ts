import type { NewExecution } from '../../executions.ts'
import type { ContinueItem } from '../../histories.ts'
import { enqueue } from '../executions/enqueue.ts'
import { leaseOf } from '../executions/held.ts'
import type { EntryRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { relinkChildren } from './children.ts'
import { writeEntries } from './record.ts'
import { makeReady } from './signals.ts'

/** Begins a run anew, with another input. */
export function continueAs(tables: Tables, { executionId, epoch, entry }: ContinueItem): boolean {
  const lease = leaseOf(tables, { executionId, epoch })
  if (!lease) return false
  const { runs } = tables
  runs.entries.delete(executionId)
  runs.replays.delete(executionId)
  runs.children.removeAllOf(executionId)
  writeEntries(tables, { executionId, epoch, entries: [entry] })
  const hasNews = (runs.signals.get(executionId)?.waiting.size ?? 0) > 0 || runs.cancellations.has(executionId)
  tables.leases.put({ ...lease, hasNews })
  return true
}

/** Lets a run that is DIVERGED go on from an earlier point. */
export function cut(tables: Tables, executionId: string, sequence: number): boolean {
  if (!tables.delayed.get(executionId)?.divergence) return false
  const kept = beginningOf(tables, executionId, sequence)
  tables.runs.entries.delete(executionId)
  tables.runs.putEntries(executionId, kept)
  relinkChildren(tables, executionId, kept)
  makeReady(tables, executionId)
  tables.hint('ready')
  return true
}

/** Stores an execution that begins as another one did. */
export function fork(
  tables: Tables,
  executionId: string,
  sequence: number,
  execution: NewExecution,
  now: number,
): boolean {
  if (!tables.executions.has(executionId)) return false
  const [answer] = enqueue(tables, [execution], now)
  if (!answer?.isNew) return true
  const copied = beginningOf(tables, executionId, sequence).map(copyOf)
  tables.runs.putEntries(answer.id, copied)
  relinkChildren(tables, answer.id, copied)
  return true
}

/** What of a history was there before a call was made: nothing that is left may wait for calls that are not. */
function beginningOf(tables: Tables, executionId: string, sequence: number): EntryRow[] {
  return tables.runs
    .entriesOf(executionId)
    .filter(({ entry }) => entry.sequence < sequence && (entry.sequence >= 0 || entry.calls < sequence))
    .map(({ entry, epoch }) => ({
      entry: Object.freeze({ ...entry, calls: Math.min(entry.calls, sequence - 1) }),
      epoch,
    }))
}

/** Whoever was doing an activity did so for the other run, and may have been told to end with it. */
function copyOf({ entry }: EntryRow): EntryRow {
  const isUnderWay = entry.status === 'RUNNING' && entry.kind !== 'child'
  return { entry: isUnderWay ? Object.freeze({ ...entry, childId: null }) : entry, epoch: 0 }
}
