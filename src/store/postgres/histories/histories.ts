import type { Statement } from '../../driver/driver.ts'
import type { CheckpointItem, HistoryStore, TenantHistoryStore } from '../../histories.ts'
import { distinctHeld, HELD_COLUMNS, lockHeld } from '../executions/held.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import type { Parts } from '../parts.ts'
import { storable } from '../parts.ts'
import { startChildren } from './children.ts'
import { continueAs, cut, fork } from './fork.ts'
import { goingOn, load, news, read } from './load.ts'
import { diverge, park, resume } from './park.ts'
import { record, transact } from './record.ts'
import { signal, wake } from './signals.ts'

const INPUT = new RowList<'input', CheckpointItem>('input', {
  ...HELD_COLUMNS,
  state: ['text', ({ state }) => storable(state)],
})

const saveCheckpoints = named<FieldOf<typeof INPUT> & { readonly testTime: number | null }>(
  'saveCheckpoints',
  `
with input as materialized (
  select *
  from unnest(${INPUT.lists}) as input (${INPUT.columns})
),
${lockHeld('input', 'input')}
insert into pontual.checkpoints (execution_id, state, saved_at)
select execution_id, state, pontual.clock($testTime::float8)
from input
where ((execution_id, epoch) in (select execution_id, epoch from held)) is true
order by execution_id
on conflict (execution_id) do update
set
  state = excluded.state,
  saved_at = excluded.saved_at
returning execution_id as id`,
)

const findCheckpoint: Statement = {
  name: 'findCheckpoint',
  text: `
select state
from pontual.checkpoints
where execution_id = $1::uuid`,
}

async function checkpoint({ driver, testTime }: Parts, items: readonly CheckpointItem[]): Promise<string[]> {
  if (items.length === 0) return []
  // The last word counts.
  const latest: readonly CheckpointItem[] = distinctHeld(items.toReversed())
  const values = saveCheckpoints.values({ testTime: testTime(), ...INPUT.of(latest) })
  const rows = await driver.query<{ id: string }>(saveCheckpoints, values)
  return rows.map(({ id }) => id)
}

async function lastCheckpoint({ driver }: Parts, executionId: string): Promise<string | null> {
  const [row] = await driver.query<{ state: string }>(findCheckpoint, [executionId])
  return row?.state ?? null
}

export function tenantHistoryStore(parts: Parts): TenantHistoryStore {
  return {
    resume: (filter) => resume(parts, filter),
    wake: (ids) => wake(parts, ids),
    signal: (signals) => signal(parts, signals),
    cut: (executionId, sequence, audit) => cut(parts, executionId, sequence, audit),
    fork: (executionId, sequence, execution, audit) => fork(parts, executionId, sequence, execution, audit),
    read: (executionId, where) => read(parts, executionId, where),
    lastCheckpoint: (executionId) => lastCheckpoint(parts, executionId),
  }
}

export function historyStore(parts: Parts): HistoryStore {
  return {
    ...tenantHistoryStore(parts),
    record: (items) => record(parts, items),
    transact: (held, work) => transact(parts, held, work),
    startChildren: (items) => startChildren(parts, items),
    load: (held) => load(parts, held),
    news: (held) => news(parts, held),
    goingOn: (held) => goingOn(parts, held),
    park: (items) => park(parts, items),
    diverge: (items) => diverge(parts, items),
    continueAs: (items) => continueAs(parts, items),
    checkpoint: (items) => checkpoint(parts, items),
  }
}
