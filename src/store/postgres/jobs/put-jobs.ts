import { PontualError } from '../../../errors.ts'
import type { NewAuditEntry } from '../../audit.ts'
import type { JobChange, JobPutResult } from '../../jobs.ts'
import { searchTags, searchText } from '../../search-text.ts'
import { sqlStateOf } from '../../unavailable.ts'
import { insertMissed, type MISSED, missedOf } from '../firing/missed-rows.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import { notifiedIf, type Parts, storable, storableJson } from '../parts.ts'
import { ENTRY_COLUMNS } from '../service/write-audit.ts'

const INPUT = new RowList<'input', JobChange>('input', {
  id: ['uuid', ({ job }) => job.id],
  expected_version: ['int', ({ expectedVersion }) => expectedVersion],
  writes_schedule: ['bool', ({ expectedNextFireAt }) => expectedNextFireAt !== undefined],
  expected_next_fire_at: ['float8', ({ expectedNextFireAt }) => expectedNextFireAt],
  tenant: ['text', ({ job }) => job.tenant],
  name: ['text', ({ job }) => job.name],
  status: ['text', ({ job }) => job.status],
  resume_status: ['text', ({ job }) => job.resumeStatus],
  status_reason: ['text', ({ job }) => storable(job.statusReason)],
  origin: ['text', ({ job }) => job.origin],
  job_type: ['text', ({ job }) => job.definition.jobType],
  definition: ['text', ({ job }) => JSON.stringify({ ...job.definition, payload: undefined })],
  payload: ['text', ({ job }) => job.definition.payload],
  trigger_now: ['text', ({ job }) => JSON.stringify(job.schedule.currentTrigger)],
  next_fire_at: ['float8', ({ job }) => job.schedule.nextFireAt],
  previous_fire_at: ['float8', ({ job }) => job.schedule.previousFireAt],
  times_triggered: ['float8', ({ job }) => job.schedule.timesTriggered],
  version: ['int', ({ job }) => job.version],
  paused_until: ['float8', ({ job }) => job.pausedUntil],
  details: ['text', ({ job }) => storableJson(job.details)],
  search_text: ['text', ({ job }) => storable(searchText(job))],
  search_tags: ['text', ({ job }) => storable(searchTags(job))],
})

interface ChangeEntry extends NewAuditEntry {
  readonly storedId: string
}

const ENTRY = new RowList<'entry', ChangeEntry>('entry', {
  stored_id: ['uuid', ({ storedId }) => storedId],
  ...ENTRY_COLUMNS,
})

interface PutFields extends FieldOf<typeof INPUT>, FieldOf<typeof ENTRY>, FieldOf<typeof MISSED> {
  readonly testTime: number | null
  readonly hint: string | null
}

/**
 * Rows are locked before anything is decided about them, in the order of their ids. A job that another adds at the same moment, under the same
 * id or name, is seen by nobody here: then the answer is null, and the change has to be tried again.
 */
const putJobChanges = named<PutFields>(
  'putJobs',
  `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
input as materialized (
  select *
  from unnest(${INPUT.lists}) as input (${INPUT.columns})
),
found as materialized (
  select id, version as found_version, next_fire_at as found_next_fire_at
  from pontual.jobs
  where id = any($input.id::uuid[])
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
  where jobs.id = any($input.id::uuid[])
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
recorded as (${insertMissed('select id from stored')}
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
  from unnest(${ENTRY.lists}) as entry (${ENTRY.columns})
  cross join clock
  where (entry.stored_id in (select id from stored)) is true
    -- A chain is locked last.
    and (select count(*) from recorded) >= 0
  having count(*) > 0
),
${notifiedIf('$hint', 'stored')}
select
  id,
  case when (id in (select id from stored)) is true then 'stored' else refusal end as result
from decided
where (select count(*) from notified) >= 0
  and (select count(*) from audited) >= 0`,
)

function changeFields(changes: readonly JobChange[]): Omit<PutFields, 'testTime' | 'hint'> {
  const entries = changes.flatMap(({ job: { id, tenant }, audit }) =>
    audit ? [{ ...audit, tenant, storedId: id }] : [],
  )
  const missed = missedOf(changes.map(({ job, ledger }) => ({ jobId: job.id, ledger })))
  return { ...INPUT.of(changes), ...missed, ...ENTRY.of(entries) }
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
    const fields = { testTime: testTime(), hint: hints.due('jobs'), ...changeFields(changes) }
    const values = putJobChanges.values(fields)
    const rows = await driver.query<{ id: string; result: JobPutResult | null }>(putJobChanges, values)
    const results = new Map(rows.map(({ id, result }) => [id, result]))
    return changes.map(({ job }) => results.get(job.id) ?? null)
  } catch (error) {
    // A name that was free when the statement began. Nothing is stored.
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return changes.map(() => null)
    throw error
  }
}
