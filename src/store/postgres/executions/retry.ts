import type { Statement } from '../../driver/driver.ts'
import type { Retry } from '../../leases.ts'
import type { Parts } from '../parts.ts'
import { distinctHeld, heldValues } from './held.ts'

export const retryExecutions: Statement = {
  name: 'retryExecutions',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
input as materialized (
  select *
  from unnest(
    $2::uuid[],
    $3::int[],
    $4::text[],
    $5::text[],
    $6::float8[]
  ) as input (execution_id, epoch, status, error, delay_ms)
),
taken as (
  delete from pontual.leases
  where execution_id = any($2::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true
  returning execution_id, epoch, node_id, claimed_at, lane, attempt, priority, job_id
),
ended as materialized (
  select *
  from taken
  full join input using (execution_id, epoch)
),
recorded as (
  insert into pontual.attempts (
    execution_id,
    attempt,
    epoch,
    status,
    node_id,
    started_at,
    ended_at,
    error
  )
  select execution_id, attempt, epoch, status, node_id, claimed_at, now, error
  from ended
  cross join clock
  where node_id is not null
),
postponed as (
  insert into pontual.delayed (
    execution_id,
    due_at,
    lane,
    attempt,
    epoch,
    priority,
    job_id
  )
  select
    execution_id,
    now + delay_ms * interval '1 millisecond',
    lane,
    attempt,
    epoch,
    priority,
    job_id
  from ended
  cross join clock
  where node_id is not null
)
select execution_id as id
from ended
where node_id is not null`,
}

export async function retry({ driver, testTime }: Parts, retries: readonly Retry[]): Promise<string[]> {
  if (retries.length === 0) return []
  const distinct = distinctHeld(retries)
  const rows = await driver.query<{ id: string }>(retryExecutions, [
    testTime(),
    ...heldValues(distinct),
    distinct.map(({ status }) => status),
    distinct.map(({ error }) => JSON.stringify(error)),
    distinct.map(({ delayMs }) => delayMs),
  ])
  return rows.map(({ id }) => id)
}
