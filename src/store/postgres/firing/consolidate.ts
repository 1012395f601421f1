import type { Failure } from '../../../job/execution/execution.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import type { WaitingChange } from '../../occurrences.ts'
import {
  ATTEMPT_OF_LEASE,
  ATTEMPT_OF_QUEUE,
  followCancelled,
  PLACE_IN_READY,
  RESULT_COLUMNS,
  RESULT_VALUES,
} from '../executions/end-fragments.ts'
import { tellFreed } from '../executions/follow-up.ts'
import { notifiedIf, type Parts } from '../parts.ts'

const consolidateOccurrences: Statement = {
  name: 'consolidateOccurrences',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
input as materialized (
  select input.*, body.lane, body.priority
  from unnest(
    $3::uuid[],
    $4::uuid[],
    $5::float8[],
    $6::int[],
    $7::text[],
    $8::text[],
    $9::text[],
    $10::text[]
  ) as input (execution_id, job_id, scheduled_at, held_epoch, decision, cause, error, misfire)
  left join lateral (
    select lane, priority
    from pontual.executions
    where id = input.execution_id
      and job_id = input.job_id
    limit 1
  ) as body on true
),
from_ready as (
  delete from pontual.ready
  where ctid = any(array(
    select standing.place
    from input
    cross join lateral (
      ${PLACE_IN_READY}
        and ready.epoch = 0
      limit 1
    ) as standing
    where input.misfire is null
      and input.held_epoch is null
  ))
  returning execution_id, attempt, epoch
),
from_leases as (
  delete from pontual.leases
  where execution_id = any($3::uuid[])
    and ((execution_id, epoch) in (select execution_id, held_epoch from input where misfire is null and lane is not null)) is true
  returning ${ATTEMPT_OF_LEASE}
),
taken as (
  select ${ATTEMPT_OF_QUEUE}
  from from_ready
  union all
  select ${ATTEMPT_OF_LEASE}
  from from_leases
),
decided as materialized (
  select
    *,
    input.misfire is not null
      and input.lane is not null
      and not exists (select from pontual.results where results.execution_id = input.execution_id) as may_carry
  from taken
  full join input using (execution_id)
),
recorded as (
  insert into pontual.results (${RESULT_COLUMNS}, status, is_reported, error)
  select ${RESULT_VALUES}, 'CANCELLED', false, error
  from decided
  cross join clock
  where epoch is not null
),
changed as (
  update pontual.occurrences
  set
    decision = decided.decision,
    cause = decided.cause,
    misfire = coalesce(decided.misfire::jsonb, occurrences.misfire)
  from decided
  where occurrences.job_id = decided.job_id
    and occurrences.scheduled_at = pontual.from_ms(decided.scheduled_at)
    and occurrences.execution_id = decided.execution_id
    -- The decision is seen anew where another has just changed the row, as the results above are not.
    and (decided.epoch is not null or (decided.may_carry and occurrences.decision in ('fired', 'firedLate')))
),
${notifiedIf('$2', 'from_leases')},
${followCancelled('decided')}
select execution_id as id, false as "isFreed"
from decided
where epoch is not null
  and (select count(*) from notified) >= 0
union all
select id, true
from followed`,
}

const CONSOLIDATED: Failure = {
  name: 'MisfireError',
  code: 'execution.consolidated',
  message: 'Consolidated into another run.',
}

const SKIPPED: Failure = {
  name: 'MisfireError',
  code: 'execution.skipped',
  message: 'Skipped by the misfire policy.',
}

/** What was ended, and what waited for that. */
export interface Consolidated {
  readonly ended: readonly string[]
  readonly freed: readonly string[]
}

export async function consolidate(parts: Parts, changes: readonly WaitingChange[]): Promise<string[]> {
  const { ended, freed } = await consolidateOn(parts.driver, parts, changes)
  tellFreed(parts, freed)
  return [...ended]
}

/** On a connection of the caller's, who tells what was freed when it has committed. */
export async function consolidateOn(
  database: Queryable,
  { hints, testTime }: Parts,
  changes: readonly WaitingChange[],
): Promise<Consolidated> {
  const distinct = [...new Map(changes.map((change) => [change.executionId, change])).values()]
  if (distinct.length === 0) return { ended: [], freed: [] }
  const rows = await database.query<{ id: string; isFreed: boolean }>(consolidateOccurrences, [
    testTime(),
    hints.due('cancelled'),
    distinct.map(({ executionId }) => executionId),
    distinct.map(({ jobId }) => jobId),
    distinct.map(({ scheduledAt }) => scheduledAt),
    distinct.map((change) => ('misfire' in change ? null : change.epoch)),
    distinct.map((change) => ('misfire' in change ? 'firedLate' : change.decision)),
    distinct.map((change) => ('misfire' in change ? change.misfire.cause : change.cause)),
    distinct.map((change) => ('misfire' in change ? null : errorOf(change.decision))),
    distinct.map((change) => ('misfire' in change ? JSON.stringify(change.misfire) : null)),
  ])
  return {
    ended: rows.filter(({ isFreed }) => !isFreed).map(({ id }) => id),
    freed: rows.filter(({ isFreed }) => isFreed).map(({ id }) => id),
  }
}

function errorOf(decision: 'consolidated' | 'skipped'): string {
  return JSON.stringify(decision === 'consolidated' ? CONSOLIDATED : SKIPPED)
}
