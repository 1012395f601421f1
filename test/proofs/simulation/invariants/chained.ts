import { isMet } from '../../../../src/job/execution/predecessor.ts'
import type { Commit } from '../commits.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** What stands behind others begins only when those have ended as it asks for, and ends without having run where they have not. A run has one child for each of its calls. */
export class Chained implements Invariant {
  afterCommit({ changes }: Commit, { tables, sometimes }: Evidence): void {
    for (const change of changes) {
      if (change.table !== 'leases' || change.before || !change.after) continue
      for (const { predecessorId, on } of tables.linksBySuccessor.rowsOf(change.key)) {
        const status = tables.results.get(predecessorId)?.status
        require(status !== undefined && isMet(on, status), 'chain', () =>
          `${change.key} is claimed, and ${predecessorId}, which it stands behind, is ${status ?? 'not over'}`)
        sometimes(`something runs behind what ended as ${status}`)
      }
    }
  }

  atEnd({ tables, sometimes }: Evidence): void {
    for (const { successorId, predecessorId, on } of tables.links.rows()) {
      const [before, after] = [tables.results.get(predecessorId)?.status, tables.results.get(successorId)]
      if (before === undefined || isMet(on, before)) continue
      const hasNotRun = after?.status === 'CANCELLED' && after.startedAt === null
      require(hasNotRun, 'chain', () => `${successorId} is ${after?.status}, behind ${predecessorId}: ${before}`)
      sometimes('something is not needed behind what ended')
    }
    const parents = new Map<string, string>()
    for (const { id, options } of tables.executions.rows()) {
      const parent = options?.parent
      if (parent === undefined) continue
      sometimes('a run has a child')
      const other = parents.get(parent)
      require(other === undefined, 'I13', () => `${parent} has started two children by one call: ${other} and ${id}`)
      parents.set(parent, id)
    }
  }
}
