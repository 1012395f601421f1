import type { Driver, Statement } from '../../driver/driver.ts'
import { FIRES_FAULTED } from '../jobs/job-row.ts'

const listNodes: Statement = {
  name: 'inspectNodes',
  text: `
select
  nodes.name,
  slots,
  connections,
  queues,
  job_types as "jobTypes",
  expires_at > pontual.clock(null) as "isAlive",
  greatest(0, pontual.to_ms(pontual.clock(null)) - pontual.to_ms(expires_at)) as "overMs",
  (select count(*) from pontual.leases where node_id = nodes.id) as running,
  (
    select nullif(greatest(max(concurrency), (select value::int from pontual.settings where name = 'tenantConcurrency')), -1)
    from pontual.tenants
  ) as "largestCap"
from pontual.nodes
order by started_at, id`,
}

/** Held by nobody who is on the list, or for nothing: its execution is gone, or has ended. */
const listOrphans: Statement = {
  name: 'inspectOrphans',
  text: `
with judged as materialized (
  select
    execution_id,
    pontual.to_ms(claimed_at) as claimed_at,
    tenant_slot is not null or job_slot is not null as has_slot,
    case
      when not exists (select from pontual.executions where executions.id = leases.execution_id) then 'removed'
      when exists (select from pontual.results where results.execution_id = leases.execution_id) then 'ended'
      when not exists (select from pontual.nodes where nodes.id = leases.node_id) then 'nobody'
    end as cause
  from pontual.leases
)
select
  cause,
  count(*) as count,
  count(*) filter (where has_slot) as slots,
  pontual.to_ms(pontual.clock(null)) - min(claimed_at) as "ageMs",
  min(execution_id::text) as "executionId"
from judged
where cause is not null
group by cause
order by cause`,
}

/** Lanes that hold anything, with how long their oldest has waited, and why nobody may take it. */
const listWaiting: Statement = {
  name: 'inspectWaiting',
  text: `
with common as materialized (
  select
    (select value::integer from pontual.settings where name = 'tenantConcurrency') as concurrency,
    coalesce((select not value::boolean from pontual.settings where name = 'flag.JOBS_SCHEDULING'), false) as is_suspended
)
select
  tenants.name as tenant,
  lanes.queue,
  lanes.job_type as "jobType",
  greatest(0, pontual.to_ms(pontual.clock(null)) - pontual.to_ms(oldest.at)) as "waitedMs",
  coalesce(tenants.is_suspended, common.is_suspended) as "isSuspended",
  lanes.id in (select pontual.full_lanes(array[lanes.id])) as "isFull"
from pontual.busy_lanes('{}', -1, -1, $1::int) as busy (lane)
join pontual.lanes on lanes.id = busy.lane
join pontual.tenants on tenants.id = lanes.tenant_id
cross join common
cross join lateral (
  select min(greatest(executions.created_at, executions.scheduled_at)) as at
  from (values (1), (2), (3)) as priorities (priority)
  cross join lateral (
    select execution_id
    from pontual.ready
    where ready.lane = busy.lane
      and ready.priority = priorities.priority
    order by execution_id
    limit 1
  ) as head
  join pontual.executions on executions.id = head.execution_id
) as oldest
order by "waitedMs" desc`,
}

const readOverdue: Statement = {
  name: 'inspectOverdue',
  text: `
select
  (select count(*) from pontual.jobs where next_fire_at < pontual.clock(null) - interval '1 minute' and (status in ('ACTIVE', 'APPROVED') or (${FIRES_FAULTED}))) as jobs,
  (select count(*) from pontual.delayed where due_at < pontual.clock(null) - interval '1 minute' and awaits = 0) as executions`,
}

export interface NodeFacts {
  readonly name: string
  readonly slots: number
  /** How many connections its process opens at most; null if unknown. */
  readonly connections: number | null
  readonly queues: readonly string[]
  readonly jobTypes: readonly string[]
  readonly isAlive: boolean
  /** For how long its lease has been over. */
  readonly overMs: number
  /** What it holds. */
  readonly running: number
  /** The most that any tenant with a limit may run at once, over all nodes; null where none has a limit. */
  readonly largestCap: number | null
}

export interface OrphanFacts {
  /** `nobody`: the node that held it is off the list. `removed`, `ended`: there is nothing to run. */
  readonly cause: 'nobody' | 'removed' | 'ended'
  readonly count: number
  /** How many of them occupy a slot of a tenant or a job. */
  readonly slots: number
  readonly ageMs: number
  /** One of them. */
  readonly executionId: string
}

export interface WaitingFacts {
  readonly tenant: string
  readonly queue: string
  readonly jobType: string
  readonly waitedMs: number
  /** The tenant's scheduling is switched off. */
  readonly isSuspended: boolean
  /** The tenant, or the job, runs as many as it may. */
  readonly isFull: boolean
}

/** What should have happened a minute ago. */
export interface OverdueFacts {
  readonly jobs: number
  readonly executions: number
}

export interface WorkFacts {
  readonly nodes: readonly NodeFacts[]
  readonly orphans: readonly OrphanFacts[]
  readonly waiting: readonly WaitingFacts[]
  readonly overdue: OverdueFacts
}

const MOST_LANES = 1_000

export async function inspectWork(driver: Driver): Promise<WorkFacts> {
  const nodes = await driver.query<NodeFacts>(listNodes)
  const orphans = await driver.query<OrphanFacts>(listOrphans)
  const waiting = await driver.query<WaitingFacts>(listWaiting, [MOST_LANES])
  const [overdue] = await driver.query<OverdueFacts>(readOverdue)
  return { nodes, orphans, waiting, overdue: overdue ?? { jobs: 0, executions: 0 } }
}
