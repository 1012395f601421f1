import type { DivergeItem, ParkAnswer, ParkItem, ResumeFilter } from '../../histories.ts'
import { leaseOf, takeLease } from '../executions/held.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { DelayedRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import { makeReady } from './signals.ts'

/** Lets go of a run that waits, unless something has come for it. */
export function park(tables: Tables, item: ParkItem): ParkAnswer {
  const lease = leaseOf(tables, item)
  if (!lease) return 'lost'
  if (lease.hasNews) return 'news'
  const { body, attempt, epoch } = lease
  tables.leases.take(body.id)
  const dueAt = item.dueAt ?? Number.POSITIVE_INFINITY
  tables.delayed.put({ body, attempt: attempt - 1, epoch, dueAt, isParked: true })
  return 'parked'
}

/** Parks a run until there is other code. */
export function diverge(tables: Tables, item: DivergeItem): boolean {
  const lease = takeLease(tables, item)
  if (!lease) return false
  const { body, attempt, epoch } = lease
  const divergence = frozenCopy(item.divergence)
  tables.delayed.put({ body, attempt: attempt - 1, epoch, dueAt: Number.POSITIVE_INFINITY, divergence })
  return true
}

/** Makes runs ready again that are DIVERGED. */
export function resume(tables: Tables, { jobTypes, ids, limit }: ResumeFilter): string[] {
  const isWanted = ({ body, divergence }: DelayedRow) =>
    (ids === undefined || ids.includes(body.id)) &&
    (jobTypes === undefined || (jobTypes.includes(body.jobType) && divergence?.reason === 'mismatch'))
  const diverged = tables.delayedByStatus.group('DIVERGED')?.ascending() ?? []
  const resumed = take(diverged, limit, { where: isWanted }).map(({ body }) => body.id)
  for (const id of resumed) makeReady(tables, id)
  if (resumed.length > 0) tables.hint('ready')
  return resumed
}
