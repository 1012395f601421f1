import { isMet, notNeeded } from '../../../job/execution/predecessor.ts'
import { settleChild } from '../histories/children.ts'
import { wake } from '../histories/signals.ts'
import type { DelayedRow, LinkRow } from '../schema/rows.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import { type Ended, putResult } from './end.ts'

/**
 * Moves those that stand behind executions that have ended: on to the ready ones, or to their own end, which goes on to those behind them. Wakes those that started
 * them.
 */
export function followUp(tables: Tables, ended: readonly Ended[], now: number): void {
  const readyBefore = tables.ready.size
  const parents = new Set<string>()
  for (let over = ended; over.length > 0; ) {
    for (const each of over) for (const parentId of settleChild(tables, each)) parents.add(parentId)
    const touched = new Set(over.flatMap((each) => settleLinks(tables, each)))
    over = [...touched].flatMap((id) => (moveOn(tables, id, now) ? [] : [{ id, status: 'CANCELLED' }]))
  }
  if (tables.ready.size > readyBefore) tables.hint('ready')
  wake(tables, parents)
}

/** Returns who stands behind it. */
function settleLinks(tables: Tables, { id, status }: Ended): string[] {
  const open = tables.linksByPredecessor.rowsOf(id).filter(({ outcome }) => outcome === null)
  for (const link of open) tables.links.put(Object.freeze({ ...link, outcome: status }))
  return open.map(({ successorId }) => successorId)
}

/** False where it is not needed, and has ended. */
function moveOn(tables: Tables, id: string, now: number): boolean {
  const row = tables.delayed.get(id)
  if (row?.awaits === undefined) return true
  const links = tables.linksBySuccessor.rowsOf(id)
  const unmet = links.find(({ on, outcome }) => outcome !== null && !isMet(on, outcome))
  if (unmet) {
    end(tables, row, unmet, now)
    return false
  }
  const awaits = links.filter(({ outcome }) => outcome === null).length
  const { body, attempt, epoch } = row
  if (awaits > 0) {
    tables.delayed.put({ ...row, awaits })
  } else {
    tables.delayed.take(id)
    tables.ready.put({ body, attempt, epoch })
  }
  return true
}

/** One that was declared goes without a trace. */
function end(tables: Tables, row: DelayedRow, { predecessorId, on, outcome, isDeclared }: LinkRow, now: number): void {
  const { id } = row.body
  tables.delayed.take(id)
  if (isDeclared) {
    tables.executions.take(id)
    removeLinks(tables, id)
    return
  }
  const error = notNeeded({ id: predecessorId, on }, outcome ?? 'CANCELLED')
  putResult(tables, row, { status: 'CANCELLED', error }, now)
}

/** What an execution stood behind is told for as long as it is there itself. */
export function removeLinks(tables: Tables, successorId: string): void {
  for (const { place } of tables.linksBySuccessor.rowsOf(successorId)) tables.links.take(keyOf(successorId, place))
}
