import type { Tables } from '../schema/tables.ts'
import { isDurable } from './run-tables.ts'

/** Something has come for runs: those that wait are ready again, those that run are marked. One that is DIVERGED waits for other code, and for nothing else. */
export function wake(tables: Tables, ids: Iterable<string>): void {
  const readyBefore = tables.ready.size
  let isAnyMarked = false
  for (const id of ids) {
    const lease = tables.leases.get(id)
    const delayed = tables.delayed.get(id)
    if (lease && isDurable(lease.body)) {
      tables.leases.put({ ...lease, hasNews: true })
      isAnyMarked = true
    } else if (delayed?.isParked) {
      makeReady(tables, id)
    }
  }
  if (tables.ready.size > readyBefore) tables.hint('ready')
  if (isAnyMarked) tables.hint('news')
}

/** Moves an execution that is delayed, for whatever reason, to those that may be claimed. */
export function makeReady(tables: Tables, id: string): void {
  const row = tables.delayed.take(id)
  if (!row) return
  const { body, attempt, epoch } = row
  tables.ready.put({ body, attempt, epoch })
}
