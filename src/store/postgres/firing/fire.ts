import type { Queryable } from '../../driver/driver.ts'
import type { Fired, FiredExecution, Firing } from '../../occurrences.ts'
import {
  EXECUTION_COLUMNS,
  type ExecutionRow,
  insertDelayed,
  insertExecutions,
  insertReady,
} from '../executions/execution-rows.ts'
import { tellFreed } from '../executions/follow-up.ts'
import { FIRES_FAULTED } from '../jobs/job-row.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import { notifiedIf, type Parts } from '../parts.ts'
import { consolidateOn } from './consolidate.ts'
import { insertMissed, type MISSED, missedOf } from './missed-rows.ts'

const INPUT = new RowList<'input', Firing>('input', {
  job_id: ['uuid', ({ jobId }) => jobId],
  version: ['int', ({ version }) => version],
  seen_fire_at: ['float8', ({ nextFireAt }) => nextFireAt],
  trigger_now: ['text', ({ schedule }) => JSON.stringify(schedule.currentTrigger)],
  next_fire_at: ['float8', ({ schedule }) => schedule.nextFireAt],
  previous_fire_at: ['float8', ({ schedule }) => schedule.previousFireAt],
  times_triggered: ['float8', ({ schedule }) => schedule.timesTriggered],
  seen_status: ['text', ({ status }) => status],
})

const FIRED = new RowList<'fired', FiredExecution & ExecutionRow>('fired', {
  ...EXECUTION_COLUMNS,
  run_at: ['float8', ({ runAt }) => runAt],
  misfire: ['text', ({ body: { options } }) => options?.misfire && JSON.stringify(options.misfire)],
  cause: ['text', ({ body: { options } }) => options?.misfire?.cause],
})

interface FireFields extends FieldOf<typeof INPUT>, FieldOf<typeof FIRED>, FieldOf<typeof MISSED> {
  readonly testTime: number | null
  readonly hint: string | null
}

// A job that another node fires at this moment is locked by it, and is its.
export const fireJobs = named<FireFields>(
  'fireJobs',
  `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
input as materialized (
  select input.*
  from unnest(${INPUT.lists}) as input (${INPUT.columns})
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
  from unnest(${FIRED.lists}) as fired (${FIRED.columns})
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
stored as (${insertExecutions('fired')}
  where (id in (select execution_id from recorded)) is true
),
readied as (${insertReady('fired', 'select execution_id from recorded')}
),
postponed as (${insertDelayed('fired', 'select execution_id from recorded')}
),
missed as (${insertMissed('select id from moved')}
),
${notifiedIf('$hint', 'readied')}
select id
from moved
where (select count(*) from notified) >= 0`,
)

export async function fire(parts: Parts, firings: readonly Firing[]): Promise<Fired> {
  const distinct = [...new Map(firings.toReversed().map((firing) => [firing.jobId, firing])).values()].toReversed()
  if (distinct.length === 0) return { jobIds: [], ended: [] }
  const { driver, cursor } = parts
  const fired = distinct.flatMap((firing) => firing.fired).filter(({ body }) => body.scheduledAt !== null)
  const fields = await fieldsOf(parts, distinct, fired)
  const isAlone = distinct.every(({ displaced = [] }) => displaced.length === 0)
  const answer = isAlone
    ? { jobIds: await fireOn(driver, fields), ended: [] }
    : await fireAndDisplace(parts, fields, distinct)
  for (const { body } of fired) cursor.noticed(body.id)
  return answer
}

async function fireOn(database: Queryable, fields: FireFields): Promise<string[]> {
  return (await database.query<{ id: string }>(fireJobs, fireJobs.values(fields))).map(({ id }) => id)
}

/** Of a job that queues one waits: nobody sees both what fires and what that takes the place of. */
async function fireAndDisplace(parts: Parts, fields: FireFields, firings: readonly Firing[]): Promise<Fired> {
  const { jobIds, ended, freed } = await parts.driver.transaction(async (database) => {
    const jobIds = await fireOn(database, fields)
    const displaced = firings.filter(({ jobId }) => jobIds.includes(jobId)).flatMap((firing) => firing.displaced ?? [])
    return { jobIds, ...(await consolidateOn(database, parts, displaced)) }
  })
  tellFreed(parts, freed)
  return { jobIds, ended }
}

async function fieldsOf(
  { hints, lanes, testTime }: Parts,
  firings: readonly Firing[],
  fired: readonly FiredExecution[],
): Promise<FireFields> {
  const laneOf = await lanes.idsOf(fired.map(({ body }) => body))
  return {
    testTime: testTime(),
    hint: hints.due('ready'),
    ...INPUT.of(firings),
    ...FIRED.of(fired.map((each, place) => ({ ...each, lane: laneOf[place]! }))),
    ...missedOf(firings),
  }
}
