import { type ExecutionStatus, isFinal } from '../../../job/execution/execution.ts'
import { firstUuidAt } from '../../../uuid.ts'
import type { Statement } from '../../driver/driver.ts'
import type { RanQuery, RecentExecution, RecentQuery } from '../../executions.ts'
import type { Parts } from '../parts.ts'
import { errorFrom } from './read-execution.ts'

/**
 * What was created within the range is gone through once. What did not succeed is rare, and is found by that; what has not ended is found where it stands: so
 * whoever asks for successes has only to leave out the rest.
 */
const jobsThatRan: Statement = {
  name: 'jobsThatRan',
  text: `
with own as materialized (
  select id
  from pontual.tenants
  where name = $1::text
),
standing as materialized (
  select execution_id, job_id, $4::bool as is_wanted
  from pontual.ready
  where execution_id >= $8::uuid
    and execution_id < $9::uuid
    and pontual.tenant_of(lane) = (select own.id from own)
  union all
  select
    execution_id,
    job_id,
    case when divergence is not null then $7::bool when awaits > 0 or is_parked then $6::bool else $4::bool end
  from pontual.delayed
  where execution_id >= $8::uuid
    and execution_id < $9::uuid
    and pontual.tenant_of(lane) = (select own.id from own)
  union all
  select execution_id, job_id, $5::bool
  from pontual.leases
  where execution_id >= $8::uuid
    and execution_id < $9::uuid
    and pontual.tenant_of(lane) = (select own.id from own)
),
other as materialized (
  select execution_id
  from pontual.results
  where 'SUCCESS' = any($3::text[])
    and status <> 'SUCCESS'
    and execution_id >= $8::uuid
    and execution_id < $9::uuid
  union all
  select execution_id
  from standing
)
select job_id as id
from pontual.executions
where $2::bool
  and executions.id >= $8::uuid
  and executions.id < $9::uuid
  and (lane >> 20) = (select own.id from own)::bigint
union
select job_id
from pontual.executions
where 'SUCCESS' = any($3::text[])
  and executions.id >= $8::uuid
  and executions.id < $9::uuid
  and (lane >> 20) = (select own.id from own)::bigint
  and not exists (select from other where other.execution_id = executions.id)
union
select (
  select job_id
  from pontual.executions
  where executions.id = results.execution_id
    and (lane >> 20) = (select own.id from own)::bigint
)
from pontual.results
where $3::text[] <> '{}'
  and status = any($3::text[])
  and status <> 'SUCCESS'
  and execution_id >= $8::uuid
  and execution_id < $9::uuid
union
select job_id
from standing
where is_wanted`,
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function readJobsThatRan({ driver }: Parts, query: RanQuery): Promise<string[]> {
  const { tenant, statuses, since, until } = query
  const wants = (status: ExecutionStatus) => statuses?.includes(status) ?? false
  const rows = await driver.query<{ id: string | null }>(jobsThatRan, [
    tenant,
    statuses === undefined,
    statuses?.filter(isFinal) ?? [],
    wants('QUEUED'),
    wants('RUNNING'),
    wants('WAITING'),
    wants('DIVERGED'),
    firstUuidAt(Math.max(0, since)),
    until === undefined ? LAST_ID : firstUuidAt(Math.max(0, until)),
  ])
  return rows.flatMap(({ id }) => id ?? [])
}

/** In short: less is read than for whole records, as there may be two thousand of them. */
const recentExecutions: Statement = {
  name: 'recentExecutions',
  text: `
with own as materialized (
  select id
  from pontual.tenants
  where name = $1::text
),
last as materialized (
  select body.*
  from unnest($2::uuid[]) as job (id)
  cross join lateral (
    select id, job_id, created_at
    from pontual.executions
    where job_id = job.id
      and executions.id >= $4::uuid
      and (lane >> 20) = (select own.id from own)::bigint
    order by executions.id desc
    limit $3::int
  ) as body
)
select
  last.id,
  last.job_id as "jobId",
  coalesce(
    result.status,
    case
      when lease.claimed_at is not null then 'RUNNING'
      when postponed.divergence is not null then 'DIVERGED'
      when postponed.is_waiting then 'WAITING'
      else 'QUEUED'
    end
  ) as status,
  pontual.to_ms(last.created_at) as "createdAt",
  pontual.to_ms(
    coalesce(
      result.started_at,
      lease.claimed_at,
      (select started_at from pontual.attempts where execution_id = last.id order by epoch desc limit 1)
    )
  ) as "startedAt",
  pontual.to_ms(result.finished_at) as "finishedAt",
  result.error,
  postponed.divergence
from last
left join lateral (
  select *
  from pontual.results
  where results.execution_id = last.id
  limit 1
) as result on true
left join lateral (
  select claimed_at
  from pontual.leases
  where leases.execution_id = last.id
  limit 1
) as lease on result.status is null
left join lateral (
  select divergence, awaits > 0 or is_parked as is_waiting
  from pontual.delayed
  where delayed.execution_id = last.id
  limit 1
) as postponed on result.status is null
order by last.id desc`,
}

interface RecentRow extends Omit<RecentExecution, 'error'> {
  readonly error: string | null
  readonly divergence: string | null
}

export async function readRecentExecutions({ driver }: Parts, query: RecentQuery): Promise<RecentExecution[]> {
  const { tenant, jobIds, limit, since } = query
  if (jobIds.length === 0) return []
  const values = [tenant, [...new Set(jobIds)], Math.max(0, limit), firstUuidAt(Math.max(0, since))]
  const rows = await driver.query<RecentRow>(recentExecutions, values)
  return rows.map(({ divergence, ...row }) => ({ ...row, error: errorFrom({ error: row.error, divergence }) }))
}
