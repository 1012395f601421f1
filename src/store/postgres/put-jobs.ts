import { PontualError } from '../../errors.ts'
import type { Statement } from '../driver/driver.ts'
import type { JobChange, JobPutResult } from '../jobs.ts'
import { sqlStateOf } from '../unavailable.ts'
import { missedValues } from './missed-values.ts'
import { type Parts, storable } from './parts.ts'

/**
 * Rows are locked before anything is decided about them, in the order of their ids. A job that another adds at the same moment, under the same
 * id or name, is seen by nobody here: then the answer is null, and the change has to be tried again.
 */
const putJobChanges: Statement = {
  name: 'putJobs',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
input as materialized (
  select *
  from unnest(
    $3::uuid[],
    $4::int[],
    $5::bool[],
    $6::float8[],
    $7::text[],
    $8::text[],
    $9::text[],
    $10::text[],
    $11::text[],
    $12::text[],
    $13::text[],
    $14::text[],
    $15::text[],
    $16::text[],
    $17::float8[],
    $18::float8[],
    $19::float8[],
    $20::int[]
  ) as input (
    id,
    expected_version,
    writes_schedule,
    expected_next_fire_at,
    tenant,
    name,
    status,
    resume_status,
    status_reason,
    origin,
    job_type,
    definition,
    payload,
    trigger_now,
    next_fire_at,
    previous_fire_at,
    times_triggered,
    version
  )
),
found as materialized (
  select id, version as found_version, next_fire_at as found_next_fire_at
  from pontual.jobs
  where id = any($3::uuid[])
  order by id
  for update
),
decided as materialized (
  select
    *,
    case
      when (found_version is null) <> (expected_version is null)
        or found_version <> expected_version
        or (
          found_version is not null
          and writes_schedule
          and found_next_fire_at is distinct from pontual.from_ms(expected_next_fire_at)
        )
        then 'conflict'
      when status <> 'DELETED'
        and (
          select true
          from pontual.jobs
          where jobs.tenant = input.tenant
            and jobs.name = input.name
            and jobs.status <> 'DELETED'
            and jobs.id <> input.id
        )
        then 'nameTaken'
    end as refusal
  from input
  full join found using (id)
),
added as (
  insert into pontual.jobs (
    id,
    tenant,
    name,
    status,
    resume_status,
    status_reason,
    origin,
    job_type,
    definition,
    payload,
    trigger_now,
    next_fire_at,
    previous_fire_at,
    times_triggered,
    version,
    created_at,
    updated_at
  )
  select
    id,
    tenant,
    name,
    status,
    resume_status,
    status_reason,
    origin,
    job_type,
    definition::jsonb,
    payload,
    trigger_now::jsonb,
    pontual.from_ms(next_fire_at),
    pontual.from_ms(previous_fire_at),
    times_triggered::bigint,
    version,
    now,
    now
  from decided
  cross join clock
  where refusal is null
    and expected_version is null
  order by tenant collate "C", name collate "C"
  on conflict do nothing
  returning id
),
changed as (
  update pontual.jobs
  set
    tenant = decided.tenant,
    name = decided.name,
    status = decided.status,
    resume_status = decided.resume_status,
    status_reason = decided.status_reason,
    origin = decided.origin,
    job_type = decided.job_type,
    definition = decided.definition::jsonb,
    payload = decided.payload,
    trigger_now = case when writes_schedule then decided.trigger_now::jsonb else jobs.trigger_now end,
    next_fire_at = case when writes_schedule then pontual.from_ms(decided.next_fire_at) else jobs.next_fire_at end,
    previous_fire_at =
      case when writes_schedule then pontual.from_ms(decided.previous_fire_at) else jobs.previous_fire_at end,
    times_triggered = case when writes_schedule then decided.times_triggered::bigint else jobs.times_triggered end,
    version = decided.version,
    updated_at = (select now from clock)
  from decided
  where jobs.id = any($3::uuid[])
    and jobs.id = decided.id
    and refusal is null
    and expected_version is not null
  returning jobs.id
),
stored as materialized (
  select id from added
  union all
  select id from changed
),
recorded as (
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
  from unnest($21::uuid[], $22::float8[], $23::float8[], $24::float8[], $25::text[], $26::text[])
    as missed (job_id, from_at, to_at, count, decision, cause)
  cross join clock
  where (job_id in (select id from stored)) is true
  on conflict do nothing
),
notified as (
  select pg_notify('pontual', $2::text)
  where $2::text is not null
    and exists (select from stored)
)
select
  id,
  case when (id in (select id from stored)) is true then 'stored' else refusal end as result
from decided
where (select count(*) from notified) >= 0`,
}

const UNIQUE_VIOLATION = '23505'
const TRIES = 20

export async function putJobs(parts: Parts, changes: readonly JobChange[]): Promise<JobPutResult[]> {
  if (isOneStatement(changes)) {
    const results = await tryBatch(parts, changes)
    // What lacks an answer met another's change; and a name may have become free by another change of the batch.
    return await inTurn(changes, (change, place) => {
      const result = results[place]
      return result === 'stored' || result === 'conflict' ? result : putOne(parts, change)
    })
  }
  return await inTurn(changes, (change) => putOne(parts, change))
}

/** Whether no change of a batch depends on another: one statement sees what was there before all of them. */
function isOneStatement(changes: readonly JobChange[]): boolean {
  const ids = new Set(changes.map(({ job }) => job.id))
  const names = new Set(changes.map(({ job }) => JSON.stringify([job.tenant, job.name])))
  return ids.size === changes.length && names.size === changes.length
}

async function inTurn<Result>(
  changes: readonly JobChange[],
  put: (change: JobChange, place: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [place, change] of changes.entries()) results.push(await put(change, place))
  return results
}

async function putOne(parts: Parts, change: JobChange): Promise<JobPutResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const [result] = await tryBatch(parts, [change])
    if (result) return result
  }
  const { id, name } = change.job
  throw new PontualError(
    'store.job_contended',
    `Job "${name}" could not be stored: it was changed ${TRIES} times meanwhile.`,
    { id, name },
  )
}

/** The answer is null for what met another's change. */
async function tryBatch(
  { driver, hints, testTime }: Parts,
  changes: readonly JobChange[],
): Promise<(JobPutResult | null)[]> {
  if (changes.length === 0) return []
  try {
    const values = [testTime(), hints.due('jobs'), ...changeValues(changes), ...missedValues(changes.map(missedOf))]
    const rows = await driver.query<{ id: string; result: JobPutResult | null }>(putJobChanges, values)
    const results = new Map(rows.map(({ id, result }) => [id, result]))
    return changes.map(({ job }) => results.get(job.id) ?? null)
  } catch (error) {
    // A name that was free when the statement began. Nothing is stored.
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return changes.map(() => null)
    throw error
  }
}

function missedOf({ job, ledger }: JobChange) {
  return { jobId: job.id, ledger }
}

function changeValues(changes: readonly JobChange[]): unknown[] {
  const jobs = changes.map(({ job }) => job)
  return [
    jobs.map(({ id }) => id),
    changes.map(({ expectedVersion }) => expectedVersion),
    changes.map(({ expectedNextFireAt }) => expectedNextFireAt !== undefined),
    changes.map(({ expectedNextFireAt }) => expectedNextFireAt ?? null),
    jobs.map(({ tenant }) => tenant),
    jobs.map(({ name }) => name),
    jobs.map(({ status }) => status),
    jobs.map(({ resumeStatus }) => resumeStatus),
    jobs.map(({ statusReason }) => storable(statusReason)),
    jobs.map(({ origin }) => origin),
    jobs.map(({ definition }) => definition.jobType),
    jobs.map(({ definition }) => JSON.stringify({ ...definition, payload: undefined })),
    jobs.map(({ definition }) => definition.payload),
    jobs.map(({ schedule }) => JSON.stringify(schedule.currentTrigger)),
    jobs.map(({ schedule }) => schedule.nextFireAt),
    jobs.map(({ schedule }) => schedule.previousFireAt),
    jobs.map(({ schedule }) => schedule.timesTriggered),
    jobs.map(({ version }) => version),
  ]
}
