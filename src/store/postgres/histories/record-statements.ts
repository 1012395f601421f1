import type { NewEntry } from '../../../job/activity/history.ts'
import type { RecordItem } from '../../histories.ts'
import { HELD, lockHeld } from '../executions/held.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import { storable } from '../parts.ts'

/** An entry, and the item it belongs to. */
export interface ItemEntry {
  readonly item: RecordItem
  readonly entry: NewEntry
}

export const ENTRIES = new RowList<'input', ItemEntry>('input', {
  execution_id: ['uuid', ({ item }) => item.executionId],
  epoch: ['int', ({ item }) => item.epoch],
  sequence: ['int', ({ entry }) => entry.sequence],
  position: ['int', ({ entry }) => entry.position],
  calls: ['int', ({ entry }) => entry.calls],
  attempt: ['int', ({ entry }) => entry.attempt],
  started_at: ['float8', ({ entry }) => entry.startedAt],
  due_at: ['float8', ({ entry }) => entry.dueAt],
  ended_at: ['float8', ({ entry }) => entry.endedAt],
  child_id: ['uuid', ({ entry }) => entry.childId],
  kind: ['text', ({ entry }) => entry.kind],
  status: ['text', ({ entry }) => entry.status],
  name: ['text', ({ entry }) => storable(entry.name)],
  input: ['text', ({ entry }) => entry.input],
  output: ['text', ({ entry }) => entry.output],
  error: ['text', ({ entry }) => entry.error],
  details: ['text', ({ entry }) => entry.details],
})

const INPUT = `input as materialized (
  select *
  from unnest(${ENTRIES.lists}) with ordinality as input (${ENTRIES.columns}, turn)
)`

const SAME_COLUMNS =
  'execution_id, sequence, epoch, position, calls, attempt, child_id, kind, status, name, input, output, error, details'

const WRITE = `
  insert into pontual.history_entries (${SAME_COLUMNS}, started_at, due_at, ended_at)
  select ${SAME_COLUMNS}, pontual.from_ms(started_at), pontual.from_ms(due_at), pontual.from_ms(ended_at)
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
 * Records entries that consume nothing, as most do. Returns the runs that are not held.
 */
export const recordPlainly = named<FieldOf<typeof ENTRIES>>(
  'recordPlainly',
  `
with ${INPUT},
${lockHeld('input', 'input')},
written as (${WRITE}
  where ((execution_id, epoch) in (select execution_id, epoch from held)) is true${IN_PLACE}
)
select execution_id as id, epoch
from input
where ((execution_id, epoch) in (select execution_id, epoch from held)) is not true`,
)

/** The number of the item that each entry belongs to, and whether the entry settles a timer. */
export const PART = new RowList<'part', { readonly number: number; readonly isTimer: boolean }>('part', {
  number: ['int', ({ number }) => number],
  is_timer: ['bool', ({ isTimer }) => isTimer],
})

export const TAKEN = new RowList<'taken', { readonly number: number; readonly signalId: number }>('taken', {
  number: ['int', ({ number }) => number],
  signal_id: ['bigint', ({ signalId }) => signalId],
})

export const ENDED = new RowList<'ended', { readonly number: number; readonly childId: string }>('ended', {
  number: ['int', ({ number }) => number],
  child_id: ['uuid', ({ childId }) => childId],
})

interface StartedRow {
  readonly number: number
  readonly childId: string
  readonly sequence: number
}

export const STARTED = new RowList<'started', StartedRow>('started', {
  number: ['int', ({ number }) => number],
  child_id: ['uuid', ({ childId }) => childId],
  place: ['int', ({ sequence }) => -sequence],
})

interface RecordFields
  extends FieldOf<typeof ENTRIES>,
    FieldOf<typeof HELD>,
    FieldOf<typeof PART>,
    FieldOf<typeof TAKEN>,
    FieldOf<typeof ENDED>,
    FieldOf<typeof STARTED> {
  readonly testTime: number | null
}

/**
 * Any entries, by items. What they consume is told by run: signals and children that are
 * taken, and children that are started by the call of a sequence. A signal with a key is kept, so that it is known when it comes again. Gives the items that
 * were not written.
 */
export const recordItems = named<RecordFields>(
  'recordItems',
  `
with ${INPUT},
clock as materialized (
  select pontual.clock($testTime::float8) as now
),
item as materialized (
  select *
  from unnest(${HELD.lists}) with ordinality as item (${HELD.columns}, number)
),
${lockHeld('held', 'item')},
early as materialized (
  select distinct part.number
  from unnest(${PART.lists}, $input.due_at::float8[]) as part (${PART.columns}, due_at)
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
  where (($part.number::int[])[turn] in (select number from answer where answer is null)) is true${IN_PLACE}
),
taken as materialized (
  select signal_id
  from unnest(${TAKEN.lists}) as taken (${TAKEN.columns})
  where (number in (select number from answer where answer is null)) is true
),
kept as (
  update pontual.signals
  set
    is_taken = true,
    payload = null
  where id = any(array(select signal_id from taken))
    and execution_id = any($held.execution_id::uuid[])
    and idempotency_key is not null
),
removed as (
  delete from pontual.signals
  where id = any(array(select signal_id from taken))
    and execution_id = any($held.execution_id::uuid[])
    and idempotency_key is null
),
ended as materialized (
  select execution_id, child_id
  from unnest(${ENDED.lists}) as ended (${ENDED.columns})
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
  from unnest(${STARTED.lists}) as started (${STARTED.columns})
  join item using (number)
  where (number in (select number from answer where answer is null)) is true
    -- One that is there already is linked, or its end was taken note of.
    and (select true from pontual.executions where id = child_id limit 1) is null
  on conflict do nothing
)
select number, answer
from answer
where answer is not null`,
)
