import type { Failure } from '../../../job/execution/execution.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Recovered, RecoverRequest } from '../../leases.ts'
import { notifiedIf, type Parts } from '../parts.ts'
import {
  ATTEMPT_COLUMNS,
  ENDED_VALUES,
  faultJobs,
  QUEUE_COLUMNS,
  RESULT_COLUMNS,
  RESULT_VALUES,
} from './end-fragments.ts'
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
  insert into pontual.attempts (${ATTEMPT_COLUMNS}, status)
  select ${ENDED_VALUES}, 'LOST'
  from lost
  cross join clock
  where not is_unspent
),
readied as (
  insert into pontual.ready (${QUEUE_COLUMNS}, attempt)
  select ${QUEUE_COLUMNS}, attempt - is_unspent::integer
  from lost
  where not has_ended
  returning execution_id
),
ended as (
  insert into pontual.results (${RESULT_COLUMNS}, status, is_reported, error)
  select ${RESULT_VALUES}, 'FAILED', false, $5::text
  from lost
  cross join clock
  where has_ended
),
faulted as (${faultJobs('lost', 'job_id', 'has_ended')}
),
${notifiedIf('$2', 'lost where not has_ended')},
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
