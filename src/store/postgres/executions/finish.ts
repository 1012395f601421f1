import type { Statement } from '../../driver/driver.ts'
import type { Ending, Held } from '../../leases.ts'
import type { Parts } from '../parts.ts'
import { finishSuccesses, isPlain } from './finish-plainly.ts'
import { tellFreed } from './follow-up.ts'
import { distinctHeld, heldValues } from './held.ts'

// Two lists whose lengths the planner cannot know meet in full joins and in filters "is true": neither can become a loop over both.
export const finishExecutions: Statement = {
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
    $10::uuid[],
    $11::uuid[]
  ) as input (execution_id, epoch, status, output, error, faults_job_id, heals_job_id, cached_from)
),
taken as (
  delete from pontual.leases
  where execution_id = any($4::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true
    and (
      not is_cancelling
      and (epoch = 1 or (select true from pontual.cancellations where execution_id = leases.execution_id) is null)
      or (execution_id in (select execution_id from input where status = 'CANCELLED')) is true
    )
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
    progress_note,
    cached_from
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
    progress_note,
    cached_from
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
),
over as materialized (
  select array_agg(execution_id) as ids, array_agg(status) as statuses
  from ended
  where node_id is not null
),
followed as (
  select unnest(pontual.follow_up(ids, statuses, now)) as id
  from over
  cross join clock
  where ids is not null
)
select execution_id as id, false as "isFreed"
from ended
where node_id is not null
  and (select count(*) from notified) >= 0
union all
select id, true
from followed`,
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

export async function finish(parts: Parts, endings: readonly Ending[]): Promise<string[]> {
  const distinct = distinctHeld(endings)
  const [first] = distinct
  if (!first) return []
  if (distinct.every((ending) => isPlain(ending) && ending.epoch === first.epoch)) {
    const ids = distinct.map(({ executionId }) => executionId)
    return (await finishSuccesses(parts, ids, first.epoch)) ? ids : await reportedBefore(parts, distinct)
  }
  const accepted = await finishAny(parts, distinct)
  if (accepted.length === distinct.length) return accepted
  const known = new Set(accepted)
  const others = distinct.filter(({ executionId }) => !known.has(executionId))
  return [...accepted, ...(await reportedBefore(parts, others))]
}

async function finishAny(parts: Parts, endings: readonly Ending[]): Promise<string[]> {
  const { driver, hints, testTime } = parts
  const heals = endings.some(({ healsJobId }) => healsJobId !== null)
  const changesJobs = heals || endings.some(({ faultsJobId }) => faultsJobId !== null)
  const rows = await driver.query<{ id: string; isFreed: boolean }>(finishExecutions, [
    testTime(),
    changesJobs,
    heals ? hints.due('jobs') : null,
    ...heldValues(endings),
    endings.map(({ status }) => status),
    endings.map(({ output }) => output),
    endings.map(({ error }) => (error === null ? null : JSON.stringify(error))),
    endings.map(({ faultsJobId }) => faultsJobId),
    endings.map(({ healsJobId }) => healsJobId),
    // Most have none, and a list that is missing is one of nulls.
    endings.some(({ cachedFrom }) => cachedFrom) ? endings.map(({ cachedFrom }) => cachedFrom ?? null) : null,
  ])
  const accepted: string[] = []
  const freed: string[] = []
  for (const { id, isFreed } of rows) (isFreed ? freed : accepted).push(id)
  tellFreed(parts, freed)
  return accepted
}

/** Ends that stand as the same epoch has reported them: by this call, or by one whose answer was lost. */
async function reportedBefore({ driver }: Parts, endings: readonly Held[]): Promise<string[]> {
  const rows = await driver.query<{ id: string }>(findReported, heldValues(endings))
  return rows.map(({ id }) => id)
}
