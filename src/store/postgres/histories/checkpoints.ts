import type { Statement } from '../../driver/driver.ts'
import type { CheckpointItem } from '../../histories.ts'
import { distinctHeld, heldValues } from '../executions/held.ts'
import { type Parts, storable } from '../parts.ts'

const saveCheckpoints: Statement = {
  name: 'saveCheckpoints',
  text: `
with input as materialized (
  select *
  from unnest($2::uuid[], $3::int[], $4::text[]) as input (execution_id, epoch, state)
),
held as materialized (
  select execution_id, epoch
  from pontual.leases
  where execution_id = any($2::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true
  order by execution_id
  for key share
)
insert into pontual.checkpoints (execution_id, state, saved_at)
select execution_id, state, pontual.clock($1::float8)
from input
where ((execution_id, epoch) in (select execution_id, epoch from held)) is true
order by execution_id
on conflict (execution_id) do update
set
  state = excluded.state,
  saved_at = excluded.saved_at
returning execution_id as id`,
}

const findCheckpoint: Statement = {
  name: 'findCheckpoint',
  text: `
select state
from pontual.checkpoints
where execution_id = $1::uuid`,
}

export async function checkpoint({ driver, testTime }: Parts, items: readonly CheckpointItem[]): Promise<string[]> {
  if (items.length === 0) return []
  // The last word counts.
  const latest: readonly CheckpointItem[] = distinctHeld(items.toReversed())
  const rows = await driver.query<{ id: string }>(saveCheckpoints, [
    testTime(),
    ...heldValues(latest),
    latest.map(({ state }) => storable(state)),
  ])
  return rows.map(({ id }) => id)
}

export async function lastCheckpoint({ driver }: Parts, executionId: string): Promise<string | null> {
  const [row] = await driver.query<{ state: string }>(findCheckpoint, [executionId])
  return row?.state ?? null
}
