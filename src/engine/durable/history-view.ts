import { decodeValue } from '../../durable/codec.ts'
import type { HistoryEntry } from '../../job/activity/history.ts'
import { isUnreadable } from '../../job/execution/unreadable.ts'
import type { StoredEntry } from '../../store/histories.ts'

/** One thing that is recorded of a durable execution, with its values as data. */
export interface HistoryEntryView extends Omit<HistoryEntry, 'input' | 'output' | 'error' | 'details' | 'calls'> {
  readonly input: unknown
  readonly output: unknown
  /** Why it failed, or why its last attempt did; undefined for none. */
  readonly error: unknown
  /** What the last heartbeat told. */
  readonly details: unknown
  /** How often it was given to the code again in place of being performed; 0 while it is RUNNING, since there is nothing to give. */
  readonly replayed: number
}

export function viewOfEntry(stored: StoredEntry): HistoryEntryView {
  const { sequence, kind, name, status, position, attempt, childId, startedAt, dueAt, endedAt, replayed } = stored
  return {
    sequence,
    kind,
    name,
    status,
    position,
    attempt,
    input: readableValue(stored.input),
    output: readableValue(stored.output),
    error: readableValue(stored.error),
    details: readableValue(stored.details),
    childId,
    startedAt,
    dueAt,
    endedAt,
    replayed: status === 'RUNNING' ? 0 : replayed,
  }
}

/** Nothing, where it cannot be read: the rest of a history still can. */
function readableValue(text: string | null): unknown {
  return isUnreadable(text) ? undefined : decodeValue(text)
}
