import type { Cancellation, StoredSignal } from '../../../job/activity/history.ts'
import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { compareIds, inOrderOf } from './compare.ts'
import type { ChildRow, EntryRow } from './rows.ts'
import { GroupedIndex, keyOf, Table } from './table.ts'

const byChild = inOrderOf<ChildRow>(
  (a, b) => compareIds(a.childId, b.childId),
  (a, b) => compareIds(a.parentId, b.parentId),
)

/** Who has started whom, as long as the end of it is not taken note of. */
class Children {
  readonly #byParent = new GroupedIndex<ChildRow>(({ parentId }) => parentId, byChild)
  readonly #byChild = new GroupedIndex<ChildRow>(({ childId }) => childId, byChild)
  readonly #rows = new Table<ChildRow>(
    ({ parentId, childId }) => keyOf(parentId, childId),
    [this.#byParent, this.#byChild],
  )

  put(row: ChildRow): void {
    this.#rows.put(Object.freeze(row))
  }

  take(parentId: string, childId: string): void {
    this.#rows.take(keyOf(parentId, childId))
  }

  childrenOf(parentId: string): ChildRow[] {
    return this.#byParent.rowsOf(parentId)
  }

  parentsOf(childId: string): ChildRow[] {
    return this.#byChild.rowsOf(childId)
  }

  removeAllOf(parentId: string): void {
    for (const { childId } of this.childrenOf(parentId)) this.take(parentId, childId)
  }
}

/** Signals of a run. */
export interface RunSignals {
  /** Those that nobody has taken, by id, the oldest first. */
  readonly waiting: Map<number, StoredSignal>
  /** The keys of all that were sent, also of those that are taken. */
  readonly keys: Set<string>
}

/** What is kept of durable executions beside where they stand, by the id of the execution. */
export class RunTables {
  /** By sequence. */
  readonly entries = new Map<string, Map<number, EntryRow>>()
  readonly signals = new Map<string, RunSignals>()
  readonly cancellations = new Map<string, Cancellation>()
  /** The epochs of those who took a run up from its history. */
  readonly replays = new Map<string, Set<number>>()
  /** Also of executions that are not durable. */
  readonly checkpoints = new Map<string, string>()
  readonly children = new Children()
  #lastSignalId = 0

  nextSignalId(): number {
    this.#lastSignalId += 1
    return this.#lastSignalId
  }

  /** In the order of sequence. */
  entriesOf(executionId: string): EntryRow[] {
    const rows = this.entries.get(executionId)?.values() ?? []
    return [...rows].toSorted((a, b) => a.entry.sequence - b.entry.sequence)
  }

  /** What is settled stays so: a late word on its beginning changes nothing. */
  putEntries(executionId: string, rows: Iterable<EntryRow>): void {
    const bySequence = this.entries.get(executionId) ?? new Map<number, EntryRow>()
    for (const row of rows) {
      const before = bySequence.get(row.entry.sequence)?.entry.status ?? 'RUNNING'
      if (row.entry.status !== 'RUNNING' || before === 'RUNNING') bySequence.set(row.entry.sequence, row)
    }
    if (bySequence.size > 0) this.entries.set(executionId, bySequence)
  }

  remove(executionId: string): void {
    this.entries.delete(executionId)
    this.signals.delete(executionId)
    this.cancellations.delete(executionId)
    this.replays.delete(executionId)
    this.checkpoints.delete(executionId)
    this.children.removeAllOf(executionId)
  }
}

export function isDurable({ options }: ExecutionBody): boolean {
  return options?.durable === true
}
