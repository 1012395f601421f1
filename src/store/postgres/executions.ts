import type { Statement } from '../driver/driver.ts'
import type { ExecutionStore, QueueLength } from '../executions.ts'
import { cancel } from './cancel.ts'
import { chainOf, predecessorsOf } from './chain.ts'
import { enqueue } from './enqueue.ts'
import { enqueueAfter, isFollower } from './enqueue-after.ts'
import { listExecutionRecords } from './list-executions.ts'
import type { Parts } from './parts.ts'
import { findExecutionRecords } from './read-execution.ts'
import { purgeExecutions } from './remove-executions.ts'
import { readStatistics } from './statistics.ts'

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

const countExecutionsOf: Statement = {
  name: 'countExecutionsOf',
  text: `
with wanted as materialized (
  select array(
    select id
    from pontual.lanes
    where tenant_id = (select id from pontual.tenants where name = $1::text)
  ) as lanes
)
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
with wanted as materialized (
  select array(
    select id
    from pontual.lanes
    where tenant_id = (select id from pontual.tenants where name = $1::text)
  ) as lanes
),
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

type Counts = Record<'QUEUED' | 'WAITING' | 'RUNNING' | 'DIVERGED', number>

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

    async purge(finishedBefore, limit, tenant) {
      const values = [finishedBefore, Math.max(0, limit), tenant ?? null]
      const [row] = await driver.query<{ count: number }>(purgeExecutions, values)
      return row?.count ?? 0
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
  }
}
