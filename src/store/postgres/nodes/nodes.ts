import type { Statement } from '../../driver/driver.ts'
import type { KeepAliveRequest, LeaseKeeper, NodeDeclaration, NodeRecord, NodeStore } from '../../nodes.ts'
import type { Parts } from '../parts.ts'

/** How a lease is kept alive; whoever wires the store decides. */
export type KeepAlive = (nodes: Pick<NodeStore, 'renew'>, request: KeepAliveRequest) => LeaseKeeper

// An id that is known is left alone: the answer to an earlier call was lost.
const registerNode: Statement = {
  name: 'registerNode',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
registered as (
  insert into pontual.nodes (
    id,
    name,
    slots,
    queues,
    job_types,
    lease_ms,
    connections,
    started_at,
    renewed_at,
    expires_at,
    declares
  )
  select
    $2::uuid,
    $3::text,
    $4::int,
    $5::text[],
    $6::text[],
    $7::float8,
    $8::int,
    now,
    now,
    now + $7::float8 * interval '1 millisecond',
    $9::jsonb
  from clock
  on conflict (id) do nothing
)
select
  pontual.to_ms(now) as "now",
  current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as "availableConnections"
from clock`,
}

/** Also what the thread sends that keeps a node alive. */
export const renewNode: Statement = {
  name: 'renewNode',
  text: `
update pontual.nodes
set
  lease_ms = $3::float8,
  renewed_at = pontual.clock($1::float8),
  expires_at = pontual.clock($1::float8) + $3::float8 * interval '1 millisecond'
where id = $2::uuid
returning id`,
}

// Until when it lived is not lost with it: a node that ends as it should is no silence.
const removeNode: Statement = {
  name: 'removeNode',
  text: `
with removed as (
  delete from pontual.nodes
  where id = $2::uuid
  returning expires_at
)
update pontual.alert_watch
set alive_at = greatest(alive_at, (select max(least(expires_at, pontual.clock($1::float8))) from removed))
where exists (select from removed)`,
}

// A node that exits as it should is not silent until then: the alert watch counts it as active up to now.
export const leaveNode: Statement = {
  name: 'leaveNode',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
shortened as (
  update pontual.nodes
  set
    lease_ms = $3::float8,
    renewed_at = now,
    expires_at = now + $3::float8 * interval '1 millisecond'
  from clock
  where id = $2::uuid
  returning id
),
marked as (
  update pontual.leases
  set is_unspent = true
  where node_id = (select id from shortened)
)
update pontual.alert_watch
set alive_at = greatest(alive_at, (select now from clock))
where exists (select from shortened)`,
}

const listNodes: Statement = {
  name: 'listNodes',
  text: `
select
  id,
  name,
  slots,
  queues,
  job_types as "jobTypes",
  lease_ms as "leaseMs",
  connections,
  pontual.to_ms(started_at) as "startedAt",
  pontual.to_ms(renewed_at) as "renewedAt",
  pontual.to_ms(expires_at) as "expiresAt",
  expires_at > pontual.clock($1::float8) as "isAlive",
  coalesce(held.running, 0) as running
from pontual.nodes
left join (
  select node_id, count(*) as running
  from pontual.leases
  group by node_id
) as held on held.node_id = nodes.id
order by started_at, id`,
}

const listDeclarations: Statement = {
  name: 'listDeclarations',
  text: `
select id, name, job_types as "jobTypes", declares
from pontual.nodes
where expires_at > pontual.clock($1::float8)
order by id`,
}

const countStale: Statement = {
  name: 'countStale',
  text: `
select
  pontual.to_ms(pontual.clock($1::float8)) as "now",
  (
    select count(*)
    from pontual.leases
    where not exists (
      select from pontual.nodes
      where nodes.id = leases.node_id
        and expires_at > pontual.clock($1::float8)
    )
  ) as stale`,
}

export function nodeStore({ driver, testTime }: Parts, keepAlive: KeepAlive): NodeStore {
  const renew: NodeStore['renew'] = async (nodeId, leaseMs) => {
    const rows = await driver.query(renewNode, [testTime(), nodeId, leaseMs])
    return rows.length > 0
  }
  return {
    async register({ id, name, slots, queues, jobTypes, leaseMs, connections = null, declares }) {
      const declared = declares ? JSON.stringify(declares) : null
      const values = [testTime(), id, name, slots, queues, jobTypes, leaseMs, connections, declared]
      const [row] = await driver.query<{ now: number; availableConnections: number }>(registerNode, values)
      // A database within this process has no connections to share.
      return {
        now: row?.now ?? 0,
        availableConnections: driver.connections ? (row?.availableConnections ?? null) : null,
      }
    },

    renew,

    keepAlive: (request) => keepAlive({ renew }, request),

    async remove(nodeId) {
      await driver.query(removeNode, [testTime(), nodeId])
    },

    async leave(nodeId, leaseMs) {
      await driver.query(leaveNode, [testTime(), nodeId, leaseMs])
    },

    list: () => driver.query<NodeRecord>(listNodes, [testTime()]),

    declarations: () => driver.query<NodeDeclaration>(listDeclarations, [testTime()]),

    async countStale() {
      const [row] = await driver.query<{ now: number; stale: number }>(countStale, [testTime()])
      return row ?? { now: 0, stale: 0 }
    },
  }
}
