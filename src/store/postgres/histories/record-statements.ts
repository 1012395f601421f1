import type { Statement } from '../../driver/driver.ts'

const INPUT = `
input as materialized (
  select *
  from unnest(
    $1::uuid[],
    $2::int[],
    $3::int[],
    $4::int[],
    $5::int[],
    $6::int[],
    $7::float8[],
    $8::float8[],
    $9::float8[],
    $10::uuid[],
    $11::text[],
    $12::text[],
    $13::text[],
    $14::text[],
    $15::text[],
    $16::text[],
    $17::text[]
  ) with ordinality as input (
    execution_id,
    epoch,
    sequence,
    position,
    calls,
    attempt,
    started_at,
    due_at,
    ended_at,
    child_id,
    kind,
    status,
    name,
    input,
    output,
    error,
    details,
    turn
  )
)`

const WRITE = `
  insert into pontual.history_entries (
    execution_id,
    sequence,
    epoch,
    position,
    calls,
    attempt,
    started_at,
    due_at,
    ended_at,
    child_id,
    kind,
    status,
    name,
    input,
    output,
    error,
    details
  )
  select
    execution_id,
    sequence,
    epoch,
    position,
    calls,
    attempt,
    pontual.from_ms(started_at),
    pontual.from_ms(due_at),
    pontual.from_ms(ended_at),
    child_id,
    kind,
    status,
    name,
    input,
    output,
    error,
    details
  from input`

/** What is settled stays so: a late word on its beginning changes nothing. */
const IN_PLACE = `
  on conflict (execution_id, sequence) do update
  set
    epoch = excluded.epoch,
    position = excluded.position,
    calls = excluded.calls,
    attempt = excluded.attempt,
    started_at = excluded.started_at,
    due_at = excluded.due_at,
    ended_at = excluded.ended_at,
    child_id = excluded.child_id,
    kind = excluded.kind,
    status = excluded.status,
    name = excluded.name,
    input = excluded.input,
    output = excluded.output,
    error = excluded.error,
    details = excluded.details
  where excluded.status <> 'RUNNING'
    or history_entries.status = 'RUNNING'`

/**
 * Entries that consume nothing: what most are. Leases are locked against everyone who would take them, until this is committed, and not against who marks them;
 * in the order of their keys, as by all who take several. Gives the runs that are not held.
 */
export const recordPlainly: Statement = {
  name: 'recordPlainly',
  text: `
with ${INPUT.trim()},
held as materialized (
  select execution_id, epoch
  from pontual.leases
  where execution_id = any($1::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true
  order by execution_id
  for key share
),
written as (${WRITE}
  where ((execution_id, epoch) in (select execution_id, epoch from held)) is true${IN_PLACE}
)
select execution_id as id, epoch
from input
where ((execution_id, epoch) in (select execution_id, epoch from held)) is not true`,
}

/**
 * Any entries, by items: $18 tells the item of each entry, and $19 which of them settle timers. What they consume is told by run: signals and children that are
 * taken, and children that are started by the call of a sequence. A signal with a key is kept, so that it is known when it comes again. Gives the items that
 * were not written.
 */
export const recordItems: Statement = {
  name: 'recordItems',
  text: `
with ${INPUT.trim()},
clock as materialized (
  select pontual.clock($20::float8) as now
),
item as materialized (
  select *
  from unnest($21::uuid[], $22::int[]) with ordinality as item (execution_id, epoch, number)
),
held as materialized (
  select execution_id, epoch
  from pontual.leases
  where execution_id = any($21::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from item)) is true
  order by execution_id
  for key share
),
early as materialized (
  select distinct part.number
  from unnest($18::int[], $19::bool[], $8::float8[]) as part (number, is_timer, due_at)
  cross join clock
  where is_timer
    and pontual.from_ms(part.due_at) > now
),
answer as materialized (
  select
    number,
    case
      when ((execution_id, epoch) in (select execution_id, epoch from held)) is not true then 'refused'
      when (number in (select number from early)) is true then 'early'
    end as answer
  from item
),
written as (${WRITE}
  where (($18::int[])[turn] in (select number from answer where answer is null)) is true${IN_PLACE}
),
taken as materialized (
  select signal_id
  from unnest($23::int[], $24::bigint[]) as taken (number, signal_id)
  where (number in (select number from answer where answer is null)) is true
),
kept as (
  update pontual.signals
  set
    is_taken = true,
    payload = null
  where id = any(array(select signal_id from taken))
    and execution_id = any($21::uuid[])
    and idempotency_key is not null
),
removed as (
  delete from pontual.signals
  where id = any(array(select signal_id from taken))
    and execution_id = any($21::uuid[])
    and idempotency_key is null
),
ended as materialized (
  select execution_id, child_id
  from unnest($25::int[], $26::uuid[]) as ended (number, child_id)
  join item using (number)
  where (number in (select number from answer where answer is null)) is true
),
unlinked as (
  delete from pontual.links
  where predecessor_id = any(array(select child_id from ended))
    and ((successor_id, predecessor_id) in (select execution_id, child_id from ended)) is true
    and is_child
),
linked as (
  insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared, is_child)
  select execution_id, place, child_id, 'end', false, true
  from unnest($27::int[], $28::uuid[], $29::int[]) as started (number, child_id, place)
  join item using (number)
  where (number in (select number from answer where answer is null)) is true
    -- One that is there already is linked, or its end was taken note of.
    and (select true from pontual.executions where id = child_id limit 1) is null
  on conflict do nothing
)
select number, answer
from answer
where answer is not null`,
}
