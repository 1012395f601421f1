import { PontualError } from '../../../errors.ts'
import type { Failure } from '../../../job/execution/execution.ts'
import type { Statement } from '../../driver/driver.ts'
import type { CancelRequest, CancelResult } from '../../executions.ts'
import { type Place, tellPlaces } from '../histories/signals.ts'
import { notifiedIf, type Parts, storable } from '../parts.ts'
import {
  ATTEMPT_OF_LEASE,
  ATTEMPT_OF_QUEUE,
  followCancelled,
  PLACE_IN_READY,
  RESULT_COLUMNS,
  RESULT_VALUES,
} from './end-fragments.ts'
import { tellFreed } from './follow-up.ts'

/**
 * Ends executions wherever they stand. One that is moved at the same moment is found in none of the places: then its answer is null, and it
 * has to be looked for again. A durable one that has begun is left alone, unless it is DIVERGED or that is forced: it is to be asked.
 */
const cancelExecutions: Statement = {
  name: 'cancelExecutions',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
input as materialized (
  select
    input.execution_id,
    input.error,
    input.ended_by,
    body.lane,
    body.priority,
    body.lane is not null as is_known,
    body.cleans_up and not input.is_forced as cleans_up,
    (select true from pontual.results where results.execution_id = input.execution_id) is true as is_final
  from unnest($3::uuid[], $4::text[], $5::bool[], $6::text[]) as input (execution_id, error, is_forced, ended_by)
  left join lateral (
    select lane, priority, pontual.is_durable(options) as cleans_up
    from pontual.executions
    where id = input.execution_id
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
        and (ready.epoch = 0 or not input.cleans_up)
      limit 1
    ) as standing
  ))
  returning execution_id, attempt, epoch
),
from_delayed as (
  delete from pontual.delayed
  where execution_id = any($3::uuid[])
    and (epoch = 0 or divergence is not null or (execution_id in (select execution_id from input where cleans_up)) is not true)
  returning execution_id, attempt, epoch
),
from_leases as (
  delete from pontual.leases
  where execution_id = any($3::uuid[])
    and (execution_id in (select execution_id from input where cleans_up)) is not true
  returning ${ATTEMPT_OF_LEASE}
),
taken as (
  select ${ATTEMPT_OF_QUEUE}
  from from_ready
  union all
  select ${ATTEMPT_OF_QUEUE}
  from from_delayed
  union all
  select ${ATTEMPT_OF_LEASE}
  from from_leases
),
ended as materialized (
  select *
  from taken
  full join input using (execution_id)
),
recorded as (
  insert into pontual.results (${RESULT_COLUMNS}, status, is_reported, error, ended_by)
  select ${RESULT_VALUES}, 'CANCELLED', false, error, ended_by
  from ended
  cross join clock
  where epoch is not null
),
${notifiedIf('$2', 'from_leases')},
${followCancelled('ended')}
select
  execution_id as id,
  case
    when epoch is not null then 'cancelled'
    when is_final then 'final'
    when not is_known then 'unknown'
    when cleans_up then 'begun'
  end as result
from ended
where (select count(*) from notified) >= 0
union all
select id, 'freed'
from followed`,
}

const cancelRuns: Statement = {
  name: 'cancelRuns',
  text: `
select id, place
from pontual.cancel_runs($2::uuid[], $3::text[], pontual.clock($1::float8), $4::text[])`,
}

/** An execution moves twice for each of its attempts; none moves so often while it is looked for. */
const TRIES = 50

export async function cancel(parts: Parts, requests: readonly CancelRequest[]): Promise<CancelResult[]> {
  const results = new Map<string, CancelResult>()
  let open = new Map(requests.map((request) => [request.id, request]))
  for (let tries = 0; open.size > 0 && tries < TRIES; tries++) {
    const rows = await cancelOnce(parts, [...open.values()])
    const freed = rows.filter(({ result }) => result === 'freed').map(({ id }) => id)
    tellFreed(parts, freed)
    for (const { id, result } of rows) if (result && result !== 'freed' && result !== 'begun') results.set(id, result)
    const begun = rows.filter(({ result }) => result === 'begun').flatMap(({ id }) => open.get(id) ?? [])
    for (const id of await askToEnd(parts, begun)) results.set(id, 'cancelling')
    open = new Map([...open].filter(([id]) => !results.has(id)))
  }
  if (open.size > 0) throw contended([...open.keys()])
  return answersFor(requests, results)
}

async function cancelOnce({ driver, hints, testTime }: Parts, requests: readonly CancelRequest[]) {
  return await driver.query<{ id: string; result: CancelResult | 'freed' | 'begun' | null }>(cancelExecutions, [
    testTime(),
    hints.due('cancelled'),
    requests.map(({ id }) => id),
    requests.map(({ reason }) => JSON.stringify(cancelled(reason))),
    requests.map(({ force = false }) => force),
    requests.map(({ by }) => storable(by ?? null)),
  ])
}

/** Returns the ids of those that were asked, now or before. */
async function askToEnd(parts: Parts, requests: readonly CancelRequest[]): Promise<string[]> {
  if (requests.length === 0) return []
  const rows = await parts.driver.query<{ id: string; place: Place | null }>(cancelRuns, [
    parts.testTime(),
    requests.map(({ id }) => id),
    requests.map(({ reason }) => storable(reason)),
    requests.map(({ by }) => storable(by ?? null)),
  ])
  tellPlaces(parts, rows)
  return rows.map(({ id }) => id)
}

/** One that is asked for twice was ended by the first of the two. */
function answersFor(requests: readonly CancelRequest[], results: ReadonlyMap<string, CancelResult>): CancelResult[] {
  const answered = new Set<string>()
  return requests.map(({ id }) => {
    const result = results.get(id) ?? 'unknown'
    const isRepeated = answered.has(id)
    answered.add(id)
    return isRepeated && result === 'cancelled' ? 'final' : result
  })
}

function cancelled(reason: string | null): Failure {
  return { name: 'CancelledError', code: 'execution.cancelled', message: reason ?? 'Cancelled.' }
}

function contended(ids: readonly string[]): PontualError {
  const message = `${ids.length} executions could not be cancelled: they were somewhere else each of ${TRIES} times they were looked for.`
  return new PontualError('store.cancel_contended', message, { ids })
}
