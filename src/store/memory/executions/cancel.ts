import type { Cancellation } from '../../../job/activity/history.ts'
import type { CancelRequest, CancelResult } from '../../executions.ts'
import { wake } from '../histories/signals.ts'
import { isDurable } from '../schema/run-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { putResult } from './end.ts'
import { followUp } from './follow-up.ts'

/** Ends executions wherever they stand; a durable one that has begun is asked to end itself. */
export function cancel(tables: Tables, requests: readonly CancelRequest[], now: number): CancelResult[] {
  const runningBefore = tables.leases.size
  const answers = requests.map((request) => cancelOne(tables, request, now))
  if (tables.leases.size < runningBefore) tables.hint('cancelled')
  const ended = requests.filter((_, index) => answers[index] === 'cancelled')
  followUp(
    tables,
    ended.map(({ id }) => ({ id, status: 'CANCELLED' })),
    now,
  )
  return answers
}

function cancelOne(tables: Tables, request: CancelRequest, now: number): CancelResult {
  const { id, reason, force = false, by } = request
  if (!force && cleansUp(tables, id)) {
    askToEnd(tables, request, { reason, requestedAt: now })
    return 'cancelling'
  }
  const row = tables.ready.take(id) ?? tables.delayed.take(id) ?? tables.leases.take(id)
  if (!row) return tables.results.has(id) ? 'final' : 'unknown'
  const error = { name: 'CancelledError', code: 'execution.cancelled', message: reason ?? 'Cancelled.' }
  putResult(tables, row, { status: 'CANCELLED', error, endedBy: by }, now)
  return 'cancelled'
}

/** Whether it has begun to do things that it may want to undo, and can. */
function cleansUp(tables: Tables, id: string): boolean {
  const row = tables.leases.get(id) ?? tables.ready.get(id) ?? tables.delayed.get(id)
  return row !== undefined && isDurable(row.body) && row.epoch > 0 && !('divergence' in row)
}

/** Who was asked before is not asked again. */
function askToEnd(tables: Tables, { id, by }: CancelRequest, cancellation: Cancellation): void {
  const { cancellations } = tables.runs
  if (cancellations.has(id)) return
  cancellations.set(id, Object.freeze(cancellation))
  if (by) tables.audit.cancellers.set(id, by)
  wake(tables, [id])
}
