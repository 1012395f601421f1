import type { ChildEnd } from '../../../job/activity/history.ts'
import type { NewChild } from '../../histories.ts'
import { anyEndOf } from '../archive/archived.ts'
import type { Ended } from '../executions/end.ts'
import { enqueue } from '../executions/enqueue.ts'
import { leaseOf } from '../executions/held.ts'
import type { ChildRow, EntryRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { writeEntries } from './record.ts'

/** Stores a child with what its run records of it. False where the run is not held. */
export function startChild(tables: Tables, start: NewChild, now: number): boolean {
  tables.tenants.meet([start.child.body.tenant])
  if (!leaseOf(tables, start)) return false
  const [answer] = enqueue(tables, [start.child], now)
  writeEntries(tables, start)
  // One that was there before is linked already, or its end was taken note of.
  if (answer?.isNew) {
    tables.runs.children.put({ parentId: start.executionId, childId: start.child.body.id, outcome: null })
  }
  return true
}

/** Keeps for who started it how an execution has ended. Returns whom that concerns. */
export function settleChild(tables: Tables, { id, status }: Ended): string[] {
  const { children } = tables.runs
  const open = children.parentsOf(id).filter(({ outcome }) => outcome === null)
  for (const row of open) children.put({ ...row, outcome: status })
  return open.map(({ parentId }) => parentId)
}

/** The ends of children that a run has not taken note of. */
export function endsOf(tables: Tables, parentId: string): ChildEnd[] {
  return tables.runs.children.childrenOf(parentId).flatMap((row) => endOf(tables, row) ?? [])
}

function endOf(tables: Tables, { childId, outcome }: ChildRow): ChildEnd | null {
  if (outcome === null) return null
  const result = anyEndOf(tables, childId)
  return {
    executionId: childId,
    status: outcome,
    attempt: result?.attempt ?? 0,
    output: result?.output ?? null,
    error: result?.error ?? null,
  }
}

/** Links a run to the children that its history has started and has not seen the end of, and to no others. */
export function relinkChildren(tables: Tables, parentId: string, history: readonly EntryRow[]): void {
  const { children } = tables.runs
  const entries = history.map(({ entry }) => entry)
  const seen = new Set(
    entries.filter(({ kind, status }) => kind !== 'start' && status !== 'RUNNING').map(({ childId }) => childId),
  )
  children.removeAllOf(parentId)
  for (const { childId } of entries) {
    if (childId === null || seen.has(childId)) continue
    // One that was removed never tells of its end.
    const ended = tables.executions.has(childId) ? null : 'CANCELLED'
    children.put({ parentId, childId, outcome: anyEndOf(tables, childId)?.status ?? ended })
  }
}
