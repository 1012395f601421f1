import type { Queryable, Statement } from '../../driver/driver.ts'
import type { Fired, FiredExecution, Firing } from '../../occurrences.ts'
import { bodyValues } from '../executions/body-values.ts'
import { tellFreed } from '../executions/follow-up.ts'
import { FIRES_FAULTED } from '../jobs/job-row.ts'
import type { Parts } from '../parts.ts'
import { consolidateOn } from './consolidate.ts'
import { missedValues } from './missed-values.ts'

// A job that another node fires at this moment is locked by it, and is its.
export const fireJobs: Statement = {
  name: 'fireJobs',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
input as materialized (
  select input.*
  from unnest(
    $3::uuid[],
    $4::int[],
    $5::float8[],
    $6::text[],
    $7::float8[],
    $8::float8[],
    $9::float8[],
    $30::text[]
  ) as input (
    job_id,
    version,
    seen_fire_at,
    trigger_now,
    next_fire_at,
    previous_fire_at,
    times_triggered,
    seen_status
  )
  cross join lateral (
    select from pontual.jobs
    where jobs.id = input.job_id
      and jobs.version = input.version
      and jobs.next_fire_at = pontual.from_ms(input.seen_fire_at)
      and case
        when seen_status is null then jobs.status in ('ACTIVE', 'APPROVED') or (${FIRES_FAULTED})
        else jobs.status = seen_status
      end
    for update skip locked
  ) as held
),
moved as (
  update pontual.jobs
  set
    trigger_now = input.trigger_now::jsonb,
    next_fire_at = pontual.from_ms(input.next_fire_at),
    previous_fire_at = pontual.from_ms(input.previous_fire_at),
    times_triggered = input.times_triggered::bigint
  from input
  where jobs.id = input.job_id
  returning jobs.id
),
fired as materialized (
  select
    fired.*,
    coalesce(pontual.from_ms(run_at), now) as due_at,
    now
  from unnest(
    $10::uuid[],
    $11::bigint[],
    $12::int[],
    $13::uuid[],
    $14::text[],
    $15::text[],
    $16::float8[],
    $17::int[],
    $18::text[],
    $19::text[],
    $20::float8[],
    $21::float8[],
    $22::text[],
    $23::text[]
  ) as fired (
    id,
    lane,
    priority,
    job_id,
    origin,
    payload,
    scheduled_at,
    max_attempts,
    idempotency_key,
    options,
    created_at,
    run_at,
    misfire,
    cause
  )
  cross join clock
  where (job_id in (select id from moved)) is true
),
recorded as (
  insert into pontual.occurrences (
    job_id,
    scheduled_at,
    execution_id,
    decision,
    cause,
    misfire,
    recorded_at
  )
  select
    job_id,
    pontual.from_ms(scheduled_at),
    id,
    case when misfire is null then 'fired' else 'firedLate' end,
    cause,
    misfire::jsonb,
    now
  from fired
  on conflict (job_id, scheduled_at) do nothing
  returning execution_id
),
stored as (
  insert into pontual.executions (
    id,
    lane,
    priority,
    job_id,
    origin,
    payload,
    scheduled_at,
    max_attempts,
    idempotency_key,
    options,
    created_at
  )
  select
    id,
    lane,
    priority,
    job_id,
    origin,
    payload,
    pontual.from_ms(scheduled_at),
    max_attempts,
    idempotency_key,
    options,
    pontual.from_ms(created_at)
  from fired
  where (id in (select execution_id from recorded)) is true
),
readied as (
  insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
  select lane, 0, 0, priority, id, job_id
  from fired
  where due_at <= now
    and (id in (select execution_id from recorded)) is true
  returning execution_id
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
  select id, due_at, lane, 0, 0, priority, job_id
  from fired
  where due_at > now
    and (id in (select execution_id from recorded)) is true
),
missed as (
  insert into pontual.missed (
    job_id,
    from_at,
    to_at,
    count,
    decision,
    cause,
    recorded_at
  )
  select
    job_id,
    pontual.from_ms(from_at),
    pontual.from_ms(to_at),
    count::bigint,
    decision,
    cause,
    now
  from unnest($24::uuid[], $25::float8[], $26::float8[], $27::float8[], $28::text[], $29::text[])
    as missed (job_id, from_at, to_at, count, decision, cause)
  cross join clock
  where (job_id in (select id from moved)) is true
  on conflict do nothing
),
notified as (
  select pg_notify('pontual', $2::text)
  where $2::text is not null
    and exists (select from readied)
)
select id
from moved
where (select count(*) from notified) >= 0`,
}

export async function fire(parts: Parts, firings: readonly Firing[]): Promise<Fired> {
  const distinct = [...new Map(firings.toReversed().map((firing) => [firing.jobId, firing])).values()].toReversed()
  if (distinct.length === 0) return { jobIds: [], ended: [] }
  const { driver, cursor } = parts
  const fired = distinct.flatMap((firing) => firing.fired).filter(({ body }) => body.scheduledAt !== null)
  const values = await valuesOf(parts, distinct, fired)
  const isAlone = distinct.every(({ displaced = [] }) => displaced.length === 0)
  const answer = isAlone
    ? { jobIds: await fireOn(driver, values), ended: [] }
    : await fireAndDisplace(parts, values, distinct)
  for (const { body } of fired) cursor.noticed(body.id)
  return answer
}

async function fireOn(database: Queryable, values: readonly unknown[]): Promise<string[]> {
  return (await database.query<{ id: string }>(fireJobs, values)).map(({ id }) => id)
}

/** Of a job that queues one waits: nobody sees both what fires and what that takes the place of. */
async function fireAndDisplace(parts: Parts, values: readonly unknown[], firings: readonly Firing[]): Promise<Fired> {
  const { jobIds, ended, freed } = await parts.driver.transaction(async (database) => {
    const jobIds = await fireOn(database, values)
    const displaced = firings.filter(({ jobId }) => jobIds.includes(jobId)).flatMap((firing) => firing.displaced ?? [])
    return { jobIds, ...(await consolidateOn(database, parts, displaced)) }
  })
  tellFreed(parts, freed)
  return { jobIds, ended }
}

async function valuesOf(
  { hints, lanes, testTime }: Parts,
  firings: readonly Firing[],
  fired: readonly FiredExecution[],
): Promise<unknown[]> {
  const bodies = fired.map(({ body }) => body)
  const theirLanes = await lanes.idsOf(bodies)
  const misfires = bodies.map(({ options }) => options?.misfire ?? null)
  return [
    testTime(),
    hints.due('ready'),
    ...firingValues(firings),
    ...bodyValues(bodies, theirLanes),
    fired.map(({ runAt }) => runAt),
    misfires.map((misfire) => (misfire === null ? null : JSON.stringify(misfire))),
    misfires.map((misfire) => misfire?.cause ?? null),
    ...missedValues(firings),
    firings.map(({ status }) => status ?? null),
  ]
}

function firingValues(firings: readonly Firing[]): unknown[] {
  return [
    firings.map(({ jobId }) => jobId),
    firings.map(({ version }) => version),
    firings.map(({ nextFireAt }) => nextFireAt),
    firings.map(({ schedule }) => JSON.stringify(schedule.currentTrigger)),
    firings.map(({ schedule }) => schedule.nextFireAt),
    firings.map(({ schedule }) => schedule.previousFireAt),
    firings.map(({ schedule }) => schedule.timesTriggered),
  ]
}
