import type { Statement } from '../driver/driver.ts'
import type { Ending } from '../leases.ts'
import { distinctHeld, heldValues } from './held.ts'
import type { Parts } from './parts.ts'

// Two lists whose lengths the planner cannot know meet in full joins and in filters "is true": neither can become a loop over both.
const finishExecutions: Statement = {
  name: 'finishExecutions',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
input as materialized (
  select *
  from unnest(
    $4::uuid[],
    $5::int[],
    $6::text[],
    $7::text[],
    $8::text[],
    $9::uuid[],
    $10::uuid[]
  ) as input (execution_id, epoch, status, output, error, faults_job_id, heals_job_id)
),
taken as (
  delete from pontual.leases
  where execution_id = any($4::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true
  returning execution_id, epoch, node_id, claimed_at, attempt, progress, progress_note
),
ended as materialized (
  select *
  from taken
  full join input using (execution_id, epoch)
),
recorded as (
  insert into pontual.results (
    execution_id,
    status,
    attempt,
    epoch,
    is_reported,
    node_id,
    started_at,
    finished_at,
    output,
    error,
    progress,
    progress_note
  )
  select
    execution_id,
    status,
    attempt,
    epoch,
    true,
    node_id,
    claimed_at,
    now,
    output,
    error,
    progress,
    progress_note
  from ended
  cross join clock
  where node_id is not null
),
faulted as (
  update pontual.jobs
  set
    status = 'FAULTED',
    resume_status = status,
    status_reason = (
      select 'Execution ' || min(ended.execution_id::text) || ' has failed for good.'
      from ended
      where ended.faults_job_id = jobs.id
        and ended.node_id is not null
    ),
    version = version + 1,
    updated_at = (select now from clock)
  where $2::bool
    and id = any(array(select faults_job_id from ended where node_id is not null))
    and status in ('ACTIVE', 'APPROVED')
    and definition ->> 'onFault' = 'stop'
),
healed as (
  update pontual.jobs
  set
    status = coalesce(resume_status, 'ACTIVE'),
    resume_status = null,
    status_reason = null,
    version = version + 1,
    updated_at = (select now from clock)
  where $2::bool
    and id = any(array(select heals_job_id from ended where node_id is not null))
    and status = 'FAULTED'
  returning id
),
notified as (
  select pg_notify('pontual', $3::text)
  where $3::text is not null
    and exists (select from healed)
)
select execution_id as id
from ended
where node_id is not null
  and (select count(*) from notified) >= 0`,
}

/** Ends that the same epoch has reported before: the answer to that call was lost. */
const findReported: Statement = {
  name: 'findReported',
  text: `
select input.execution_id as id
from unnest($1::uuid[], $2::int[]) as input (execution_id, epoch)
cross join lateral (
  select from pontual.results
  where results.execution_id = input.execution_id
    and results.epoch = input.epoch
    and results.is_reported
  limit 1
) as result`,
}

export async function finish({ driver, hints, testTime }: Parts, endings: readonly Ending[]): Promise<string[]> {
  if (endings.length === 0) return []
  const distinct = distinctHeld(endings)
  const heals = distinct.some(({ healsJobId }) => healsJobId !== null)
  const changesJobs = heals || distinct.some(({ faultsJobId }) => faultsJobId !== null)
  const rows = await driver.query<{ id: string }>(finishExecutions, [
    testTime(),
    changesJobs,
    heals ? hints.due('jobs') : null,
    ...heldValues(distinct),
    distinct.map(({ status }) => status),
    distinct.map(({ output }) => output),
    distinct.map(({ error }) => (error === null ? null : JSON.stringify(error))),
    distinct.map(({ faultsJobId }) => faultsJobId),
    distinct.map(({ healsJobId }) => healsJobId),
  ])
  const accepted = rows.map(({ id }) => id)
  if (accepted.length === distinct.length) return accepted
  const known = new Set(accepted)
  const others = distinct.filter(({ executionId }) => !known.has(executionId))
  const before = await driver.query<{ id: string }>(findReported, heldValues(others))
  return [...accepted, ...before.map(({ id }) => id)]
}
