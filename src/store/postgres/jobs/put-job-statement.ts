import type { Statement } from '../../driver/driver.ts'
import type { JobChange } from '../../jobs.ts'
import { searchTags, searchText } from '../../search-text.ts'
import { missedValues } from '../firing/missed-values.ts'
import { storable, storableJson } from '../parts.ts'
import { auditValues } from '../service/write-audit.ts'

/**
 * Rows are locked before anything is decided about them, in the order of their ids. A job that another adds at the same moment, under the same
 * id or name, is seen by nobody here: then the answer is null, and the change has to be tried again.
 */
export const putJobChanges: Statement = {
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
    $20::int[],
    $21::float8[],
    $22::text[],
    $23::text[],
    $24::text[]
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
    version,
    paused_until,
    details,
    search_text,
    search_tags
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
    paused_until,
    details,
    search_text,
    search_tags,
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
    pontual.from_ms(paused_until),
    details::jsonb,
    search_text,
    search_tags,
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
    paused_until = pontual.from_ms(decided.paused_until),
    details = decided.details::jsonb,
    search_text = decided.search_text,
    search_tags = decided.search_tags,
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
  from unnest($25::uuid[], $26::float8[], $27::float8[], $28::float8[], $29::text[], $30::text[])
    as missed (job_id, from_at, to_at, count, decision, cause)
  cross join clock
  where (job_id in (select id from stored)) is true
  on conflict do nothing
  returning 1
),
audited as (
  select pontual.write_audit(
    array_agg(entry.tenant),
    array_agg(now),
    array_agg(entry.operation),
    array_agg(entry.user_id),
    array_agg(entry.job_id),
    array_agg(entry.execution_id),
    array_agg(entry.old_values),
    array_agg(entry.new_values)
  )
  from unnest(
    $31::uuid[],
    $32::text[],
    $33::text[],
    $34::text[],
    $35::uuid[],
    $36::uuid[],
    $37::text[],
    $38::text[]
  ) as entry (stored_id, tenant, operation, user_id, job_id, execution_id, old_values, new_values)
  cross join clock
  where (entry.stored_id in (select id from stored)) is true
    -- A chain is locked last.
    and (select count(*) from recorded) >= 0
  having count(*) > 0
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
where (select count(*) from notified) >= 0
  and (select count(*) from audited) >= 0`,
}

/** Changes as the statement takes them, one list per column. */
export function changeValues(changes: readonly JobChange[]): unknown[] {
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
    jobs.map(({ pausedUntil }) => pausedUntil),
    jobs.map(({ details }) => storableJson(details)),
    jobs.map((job) => storable(searchText(job))),
    jobs.map((job) => storable(searchTags(job))),
    ...missedValues(changes.map(missedOf)),
    ...toldValues(changes),
  ]
}

/** What the audit log is told, and about which of the jobs. */
function toldValues(changes: readonly JobChange[]): unknown[] {
  const told = changes.flatMap(({ job: { id, tenant }, audit }) => (audit ? [{ id, entry: { ...audit, tenant } }] : []))
  return [told.map(({ id }) => id), ...auditValues(told.map(({ entry }) => entry))]
}

function missedOf({ job, ledger }: JobChange) {
  return { jobId: job.id, ledger }
}
