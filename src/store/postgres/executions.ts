import type { Statement } from '../driver/driver.ts'
import type { ExecutionStore } from '../executions.ts'
import { cancel } from './cancel.ts'
import { chainOf, predecessorsOf } from './chain.ts'
import { enqueue } from './enqueue.ts'
import { enqueueAfter, isFollower } from './enqueue-after.ts'
import { listExecutionRecords } from './list-executions.ts'
import type { Parts } from './parts.ts'
import { findExecutionRecords } from './read-execution.ts'
import { purgeExecutions } from './remove-executions.ts'

const countExecutions: Statement = {
  name: 'countExecutions',
  text: `
select
  (select count(*) from pontual.ready) + postponed.queued as "QUEUED",
  postponed.waiting as "WAITING",
  (select count(*) from pontual.leases) as "RUNNING",
  postponed.diverged as "DIVERGED"
from (
  select
    count(*) filter (where awaits = 0 and not is_parked and divergence is null) as queued,
    count(*) filter (where awaits > 0 or is_parked) as waiting,
    count(divergence) as diverged
  from pontual.delayed
) as postponed`,
}

export function executionStore(parts: Parts): ExecutionStore {
  const { driver } = parts
  return {
    enqueue: (executions, options) =>
      executions.some(isFollower) ? enqueueAfter(parts, executions, options) : enqueue(parts, executions, options),
    find: (ids) => findExecutionRecords(parts, ids),
    list: (filter) => listExecutionRecords(parts, filter),
    cancel: (requests) => cancel(parts, requests),
    predecessors: (id) => predecessorsOf(parts, id),
    chain: (id, limit) => chainOf(parts, id, limit),

    async purge(finishedBefore, limit) {
      const [row] = await driver.query<{ count: number }>(purgeExecutions, [finishedBefore, Math.max(0, limit)])
      return row?.count ?? 0
    },

    async count() {
      const [row] = await driver.query<Record<'QUEUED' | 'WAITING' | 'RUNNING' | 'DIVERGED', number>>(countExecutions)
      return row ?? { QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 }
    },
  }
}
