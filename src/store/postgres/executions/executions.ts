import type { Statement } from '../../driver/driver.ts'
import type { ExecutionStore, QueueLength } from '../../executions.ts'
import { findAnyRecords } from '../archive/read-archive.ts'
import { type Parts, WANTED_LANES } from '../parts.ts'
import { readFailures } from '../reads/failures.ts'
import { listExecutionRecords } from '../reads/list-executions.ts'
import { readMeasures } from '../reads/measure.ts'
import { findExecutionRecords } from '../reads/read-execution.ts'
import { readJobsThatRan, readRecentExecutions } from '../reads/recent-executions.ts'
import { searchExecutionRecords } from '../reads/search-executions.ts'
import { readSeries } from '../reads/series.ts'
import { readStatistics } from '../reads/statistics.ts'
import { requireTransaction } from './caller-transaction.ts'
import { cancel } from './cancel.ts'
import { chainOf, predecessorsOf } from './chain.ts'
import { enqueue } from './enqueue.ts'
import { enqueueAfter, isFollower } from './enqueue-after.ts'
import { purgeArchived, purgeExecutions } from './remove.ts'

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

export const countExecutionsOf: Statement = {
  name: 'countExecutionsOf',
  text: `
with ${WANTED_LANES}
select
  (select count(*) from pontual.ready where lane = any((select lanes from wanted)::bigint[])) + postponed.queued as "QUEUED",
  postponed.waiting as "WAITING",
  (select count(*) from pontual.leases where lane = any((select lanes from wanted)::bigint[])) as "RUNNING",
  postponed.diverged as "DIVERGED"
from (
  select
    count(*) filter (where awaits = 0 and not is_parked and divergence is null) as queued,
    count(*) filter (where awaits > 0 or is_parked) as waiting,
    count(divergence) as diverged
  from pontual.delayed
  where lane = any((select lanes from wanted)::bigint[])
) as postponed`,
}

const queueLengths: Statement = {
  name: 'queueLengths',
  text: `
with ${WANTED_LANES},
counted as materialized (
  select lane, count(*) as queued
  from pontual.ready
  where lane = any((select lanes from wanted)::bigint[])
  group by lane
)
select
  lanes.queue,
  sum(counted.queued)::float8 as queued
from counted
join pontual.lanes on lanes.id = counted.lane
group by lanes.queue
order by lanes.queue`,
}

const oldestQueued: Statement = {
  name: 'oldestQueued',
  text: `
with ${WANTED_LANES},
oldest as materialized (
  select execution_id
  from pontual.ready
  where lane = any((select lanes from wanted)::bigint[])
  order by execution_id
  limit 1
)
select pontual.to_ms(greatest(created_at, scheduled_at)) as at
from pontual.executions
where id = (select execution_id from oldest)`,
}

type Counts = Record<'QUEUED' | 'WAITING' | 'RUNNING' | 'DIVERGED', number>

export function executionStore(parts: Parts): ExecutionStore {
  const { driver } = parts
  return {
    enqueue(executions, options) {
      const store = executions.some(isFollower) ? enqueueAfter : enqueue
      const transaction = options?.transaction
      if (transaction === undefined) return store(parts, executions)
      return requireTransaction(transaction, driver.schema).then(() => store(parts, executions, options))
    },
    find: (ids, { archived = false } = {}) =>
      archived ? findAnyRecords(parts, ids) : findExecutionRecords(parts, ids),
    list: (filter) => listExecutionRecords(parts, filter),
    search: (query) => searchExecutionRecords(parts, query),
    ran: (query) => readJobsThatRan(parts, query),
    recent: (query) => readRecentExecutions(parts, query),
    cancel: (requests) => cancel(parts, requests),
    predecessors: (id) => predecessorsOf(parts, id),
    chain: (id, limit) => chainOf(parts, id, limit),

    async purge(finishedBefore, limit, tenant) {
      const most = Math.max(0, limit)
      const [live] = await driver.query<{ count: number }>(purgeExecutions, [finishedBefore, most, tenant ?? null])
      const count = live?.count ?? 0
      if (count >= most) return count
      const [archived] = await driver.query<{ count: number }>(purgeArchived, [
        finishedBefore,
        most - count,
        tenant ?? null,
      ])
      return count + (archived?.count ?? 0)
    },

    async count(tenant) {
      const [row] =
        tenant === undefined
          ? await driver.query<Counts>(countExecutions)
          : await driver.query<Counts>(countExecutionsOf, [tenant])
      return row ?? { QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 }
    },

    queues: (tenant) => driver.query<QueueLength>(queueLengths, [tenant]),
    statistics: (query) => readStatistics(parts, query),
    measure: (query) => readMeasures(parts, query),
    series: (query) => readSeries(parts, query),
    failures: (query) => readFailures(parts, query),
    async oldestQueuedAt(tenant) {
      const [row] = await driver.query<{ at: number }>(oldestQueued, [tenant])
      return row?.at ?? null
    },
  }
}
