import type { Ending, Held } from '../../leases.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import { notifiedIf, type Parts } from '../parts.ts'
import { faultJobs, RESULT_COLUMNS, RESULT_VALUES } from './end-fragments.ts'
import { finishSuccesses, isPlain } from './finish-plainly.ts'
import { tellFreed } from './follow-up.ts'
import { deleteHeld, distinctHeld, HELD, HELD_COLUMNS } from './held.ts'

const INPUT = new RowList<'input', Ending>('input', {
  ...HELD_COLUMNS,
  status: ['text', ({ status }) => status],
  output: ['text', ({ output }) => output],
  error: ['text', ({ error }) => error && JSON.stringify(error)],
  faults_job_id: ['uuid', ({ faultsJobId }) => faultsJobId],
  heals_job_id: ['uuid', ({ healsJobId }) => healsJobId],
  cached_from: ['uuid', ({ cachedFrom }) => cachedFrom],
})

interface FinishFields extends FieldOf<typeof INPUT> {
  readonly testTime: number | null
  /** Whether an ending faults or heals a job. */
  readonly changesJobs: boolean
  readonly hint: string | null
}

// Two lists whose lengths the planner cannot know meet in full joins and in filters "is true": neither can become a loop over both.
export const finishExecutions = named<FinishFields>(
  'finishExecutions',
  `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
input as materialized (
  select *
  from unnest(${INPUT.lists}) as input (${INPUT.columns})
),
taken as (${deleteHeld('input')}
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
  insert into pontual.results (${RESULT_COLUMNS}, status, is_reported, output, error, cached_from)
  select ${RESULT_VALUES}, status, true, output, error, cached_from
  from ended
  cross join clock
  where node_id is not null
),
faulted as (${faultJobs('ended', 'faults_job_id', 'node_id is not null')}
    and $changesJobs::bool
),
healed as (
  update pontual.jobs
  set
    status = coalesce(resume_status, 'ACTIVE'),
    resume_status = null,
    status_reason = null,
    version = version + 1,
    updated_at = (select now from clock)
  where $changesJobs::bool
    and id = any(array(select heals_job_id from ended where node_id is not null))
    and status = 'FAULTED'
  returning id
),
${notifiedIf('$hint', 'healed')},
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
)

/** Ends that the same epoch has reported before: the answer to that call was lost. */
const findReported = named<FieldOf<typeof HELD>>(
  'findReported',
  `
select held.execution_id as id
from unnest(${HELD.lists}) as held (${HELD.columns})
cross join lateral (
  select from pontual.results
  where results.execution_id = held.execution_id
    and results.epoch = held.epoch
    and results.is_reported
  limit 1
) as result`,
)

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
  const values = finishExecutions.values({
    testTime: testTime(),
    changesJobs,
    hint: heals ? hints.due('jobs') : null,
    ...INPUT.of(endings),
  })
  const rows = await driver.query<{ id: string; isFreed: boolean }>(finishExecutions, values)
  const accepted: string[] = []
  const freed: string[] = []
  for (const { id, isFreed } of rows) (isFreed ? freed : accepted).push(id)
  tellFreed(parts, freed)
  return accepted
}

/** Ends that stand as the same epoch has reported them: by this call, or by one whose answer was lost. */
async function reportedBefore({ driver }: Parts, endings: readonly Held[]): Promise<string[]> {
  const rows = await driver.query<{ id: string }>(findReported, findReported.values(HELD.of(endings)))
  return rows.map(({ id }) => id)
}
