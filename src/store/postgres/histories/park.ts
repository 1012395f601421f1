import type { Statement } from '../../driver/driver.ts'
import type { DivergeItem, ParkAnswer, ParkItem, ResumeFilter } from '../../histories.ts'
import type { Held } from '../../leases.ts'
import { QUEUE_COLUMNS } from '../executions/end-fragments.ts'
import { tellFreed } from '../executions/follow-up.ts'
import { deleteHeld, distinctHeld, HELD, HELD_COLUMNS } from '../executions/held.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import { type Parts, storable } from '../parts.ts'

const PARKED = new RowList<'parked', ParkItem>('parked', {
  ...HELD_COLUMNS,
  due_at: ['float8', ({ dueAt }) => dueAt],
})

/** One for which something has come is not let go; who tells it of something has its lease locked until that is committed. */
const parkRuns = named<FieldOf<typeof PARKED>>(
  'parkRuns',
  `
with input as materialized (
  select *
  from unnest(${PARKED.lists}) as parked (${PARKED.columns})
),
taken as (${deleteHeld('parked')}
    and not has_news
  returning ${QUEUE_COLUMNS}, attempt
),
let_go as materialized (
  select *
  from taken
  full join input using (execution_id, epoch)
),
parked as (
  insert into pontual.delayed (${QUEUE_COLUMNS}, attempt, due_at, is_parked)
  select ${QUEUE_COLUMNS}, attempt - 1, coalesce(pontual.from_ms(due_at), 'infinity'), true
  from let_go
  where lane is not null
)
select execution_id as "executionId", epoch
from let_go
where lane is not null`,
)

const findHeld = named<FieldOf<typeof HELD>>(
  'findHeld',
  `
select execution_id as "executionId", epoch
from pontual.leases
where execution_id = any($held.execution_id::uuid[])
  and ((execution_id, epoch) in (select * from unnest(${HELD.lists}))) is true`,
)

const DIVERGED = new RowList<'diverged', DivergeItem>('diverged', {
  ...HELD_COLUMNS,
  divergence: ['text', ({ divergence }) => storable(JSON.stringify(divergence))],
})

const divergeRuns = named<FieldOf<typeof DIVERGED>>(
  'divergeRuns',
  `
with input as materialized (
  select *
  from unnest(${DIVERGED.lists}) as diverged (${DIVERGED.columns})
),
taken as (${deleteHeld('diverged')}
  returning ${QUEUE_COLUMNS}, attempt
),
let_go as materialized (
  select *
  from taken
  full join input using (execution_id, epoch)
),
parked as (
  insert into pontual.delayed (${QUEUE_COLUMNS}, attempt, due_at, divergence)
  select ${QUEUE_COLUMNS}, attempt - 1, 'infinity', divergence
  from let_go
  where lane is not null
)
select execution_id as id
from let_go
where lane is not null`,
)

/**
 * With job types only those whose code did not fit their history; with ids whatever the reason. Whoever tells one of them of something is waited for: nobody else looks at
 * them again.
 */
const resumeRuns: Statement = {
  name: 'resumeRuns',
  text: `
with taken as (
  delete from pontual.delayed
  where execution_id = any(array(
    select execution_id
    from pontual.delayed
    where divergence is not null
      and ($1::uuid[] is null or execution_id = any($1::uuid[]))
      and (
        $2::text[] is null
        or strpos(divergence, '"reason":"mismatch"') > 0
        and (select job_type from pontual.lanes where id = delayed.lane) = any($2::text[])
      )
    order by execution_id
    limit $3::int
    for update
  ))
  returning ${QUEUE_COLUMNS}, attempt
),
readied as (
  insert into pontual.ready (${QUEUE_COLUMNS}, attempt)
  select ${QUEUE_COLUMNS}, attempt
  from taken
)
select execution_id as id
from taken
order by execution_id`,
}

export async function park({ driver }: Parts, items: readonly ParkItem[]): Promise<ParkAnswer[]> {
  const distinct = distinctHeld(items)
  if (distinct.length === 0) return []
  const parked = keysOf(await driver.query<Held>(parkRuns, parkRuns.values(PARKED.of(distinct))))
  const others = distinct.filter((item) => !parked.has(keyOf(item)))
  // By a statement that sees what the first one had to wait for.
  const values = findHeld.values(HELD.of(others))
  const held = keysOf(others.length > 0 ? await driver.query<Held>(findHeld, values) : [])
  return items.map((item) => {
    if (parked.has(keyOf(item))) return 'parked'
    return held.has(keyOf(item)) ? 'news' : 'lost'
  })
}

function keysOf(held: readonly Held[]): ReadonlySet<string> {
  return new Set(held.map(keyOf))
}

function keyOf({ executionId, epoch }: Held): string {
  return `${executionId}:${epoch}`
}

export async function diverge({ driver }: Parts, items: readonly DivergeItem[]): Promise<string[]> {
  const distinct = distinctHeld(items)
  if (distinct.length === 0) return []
  const rows = await driver.query<{ id: string }>(divergeRuns, divergeRuns.values(DIVERGED.of(distinct)))
  return rows.map(({ id }) => id)
}

export async function resume(parts: Parts, { jobTypes, ids, limit }: ResumeFilter): Promise<string[]> {
  const values = [ids ?? null, jobTypes ?? null, Math.max(0, limit)]
  const rows = await parts.driver.query<{ id: string }>(resumeRuns, values)
  const resumed = rows.map(({ id }) => id)
  tellFreed(parts, resumed)
  return resumed
}
