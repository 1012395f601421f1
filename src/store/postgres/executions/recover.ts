import type { Failure } from '../../../job/execution/execution.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Recovered, RecoverRequest } from '../../leases.ts'
import type { Parts } from '../parts.ts'
import { tellFreed } from './follow-up.ts'

/**
 * Nodes are taken off the list by the row, so that one that renews at the same moment either stays, with all it holds, or learns that it is off.
 * A lease whose execution was removed goes without a trace.
 */
export const recoverExecutions: Statement = {
  name: 'recoverExecutions',
  text: `
with clock as materialized (
  select now, now <= coalesce(pontual.from_ms($6::float8), 'infinity') as is_in_time
  from pontual.clock($1::float8) as now
),
gone as (
  delete from pontual.nodes
  where id = any(array(
    select id
    from pontual.nodes
    where (select is_in_time from clock)
      and expires_at <= (select now from clock)
      and (
        $3::float8 is null
        or renewed_at < (select now from clock) - $3::float8 * interval '1 millisecond'
      )
    for update skip locked
  ))
  returning id
),
stale as materialized (
  select execution_id
  from pontual.leases
  where (select is_in_time from clock)
    and (
      node_id in (select id from gone)
      or not exists (
        select from pontual.nodes
        where nodes.id = leases.node_id
      )
    )
  order by execution_id
  limit $4::int
  for update skip locked
),
taken as (
  delete from pontual.leases
  where execution_id = any(array(select execution_id from stale))
  returning *
),
lost as materialized (
  select
    taken.*,
    body.tenant,
    body.job_type,
    taken.attempt >= body.max_attempts and not body.is_durable and not taken.is_unspent as has_ended
  from taken
  cross join lateral (
    select
      executions.max_attempts,
      pontual.is_durable(executions.options) as is_durable,
      tenants.name as tenant,
      lanes.job_type
    from pontual.executions
    join pontual.lanes on lanes.id = executions.lane
    join pontual.tenants on tenants.id = lanes.tenant_id
    where executions.id = taken.execution_id
    limit 1
  ) as body
),
recorded as (
  insert into pontual.attempts (
    execution_id,
    attempt,
    epoch,
    status,
    node_id,
    started_at,
    ended_at
  )
  select execution_id, attempt, epoch, 'LOST', node_id, claimed_at, now
  from lost
  cross join clock
  where not is_unspent
),
readied as (
  insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
  select lane, attempt - is_unspent::integer, epoch, priority, execution_id, job_id
  from lost
  where not has_ended
  returning execution_id
),
ended as (
  insert into pontual.results (
    execution_id,
    status,
    attempt,
    epoch,
    is_reported,
    node_id,
    started_at,
    finished_at,
    error,
    progress,
    progress_note
  )
  select execution_id, 'FAILED', attempt, epoch, false, node_id, claimed_at, now, $5::text, progress, progress_note
  from lost
  cross join clock
  where has_ended
),
faulted as (
  update pontual.jobs
  set
    status = 'FAULTED',
    resume_status = status,
    status_reason = (
      select 'Execution ' || min(lost.execution_id::text) || ' has failed for good.'
      from lost
      where lost.job_id = jobs.id
        and lost.has_ended
    ),
    version = version + 1,
    updated_at = (select now from clock)
  where id = any(array(select job_id from lost where has_ended))
    and status in ('ACTIVE', 'APPROVED')
),
notified as (
  select pg_notify('pontual', $2::text)
  where $2::text is not null
    and exists (select from lost where not has_ended)
),
over as materialized (
  select array_agg(execution_id) as ids
  from lost
  where has_ended
),
followed as materialized (
  select pontual.follow_up(ids, array_fill('FAILED'::text, array[cardinality(ids)]), now) as freed
  from over
  cross join clock
  where ids is not null
    -- Whose child has ended is to be found there.
    and (select count(*) from readied) >= 0
)
select
  (select freed from followed) as freed,
  execution_id as "executionId",
  epoch,
  tenant,
  job_id as "jobId",
  job_type as "jobType",
  node_id as "nodeId",
  attempt,
  has_ended as "hasEnded",
  is_unspent as "isUnspent"
from lost
where (select count(*) from notified) >= 0
order by execution_id`,
}

const NODE_LOST: Failure = {
  name: 'NodeLostError',
  code: 'execution.node_lost',
  message: 'The node that ran it stopped renewing its lease.',
}

export async function recover(
  { driver, hints, cursor, testTime }: Parts,
  { silentForMs, limit, notAfter }: RecoverRequest,
): Promise<Recovered[]> {
  const values = [
    testTime(),
    hints.due('ready'),
    silentForMs,
    Math.max(0, limit),
    JSON.stringify(NODE_LOST),
    notAfter ?? null,
  ]
  const rows = await driver.query<Recovered & { freed: readonly string[] | null }>(recoverExecutions, values)
  tellFreed({ cursor, hints }, rows[0]?.freed ?? [])
  const recovered = rows.map(
    ({ executionId, epoch, tenant, jobId, jobType, nodeId, attempt, hasEnded, isUnspent }): Recovered => {
      return { executionId, epoch, tenant, jobId, jobType, nodeId, attempt, hasEnded, isUnspent }
    },
  )
  for (const { executionId } of recovered) cursor.noticed(executionId)
  return recovered
}
