import type { CancelRequest, CancelResult } from '../executions.ts'
import { putResult } from './end.ts'
import { followUp } from './follow-up.ts'
import type { Tables } from './tables.ts'

/** Ends executions wherever they stand. */
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

function cancelOne(tables: Tables, { id, reason }: CancelRequest, now: number): CancelResult {
  const row = tables.ready.take(id) ?? tables.delayed.take(id) ?? tables.leases.take(id)
  if (!row) return tables.results.has(id) ? 'final' : 'unknown'
  const error = { name: 'CancelledError', code: 'execution.cancelled', message: reason ?? 'Cancelled.' }
  putResult(tables, row, { status: 'CANCELLED', error }, now)
  return 'cancelled'
}
