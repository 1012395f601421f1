import type { Statement } from '../driver/driver.ts'
import type { NewExecution } from '../executions.ts'
import type { ContinueItem } from '../histories.ts'
import { enqueue } from './enqueue.ts'
import { tellFreed } from './follow-up.ts'
import { distinctHeld, heldValues } from './held.ts'
import type { Parts } from './parts.ts'
import { recordOn } from './record-entries.ts'

const lockRuns: Statement = {
  name: 'lockRuns',
  text: `
select execution_id as id
from pontual.leases
where execution_id = any($1::uuid[])
  and ((execution_id, epoch) in (select * from unnest($1::uuid[], $2::int[]))) is true
order by execution_id
for no key update`,
}

/** Forgets what runs have come to, but for what was sent to them; of runs that are locked, so that it sees all of that. */
const forgetRuns: Statement = {
  name: 'forgetRuns',
  text: `
with from_history as (
  delete from pontual.history_entries
  where execution_id = any($1::uuid[])
),
from_replays as (
  delete from pontual.replays
  where execution_id = any($1::uuid[])
),
from_links as (
  delete from pontual.links
  where successor_id = any($1::uuid[])
    and is_child
)
update pontual.leases
set
  has_news =
    (select true from pontual.signals where execution_id = leases.execution_id and not is_taken limit 1) is true
    or (select true from pontual.cancellations where execution_id = leases.execution_id) is true
where execution_id = any($1::uuid[])`,
}

const cutHistory: Statement = {
  name: 'cutHistory',
  text: `
select pontual.cut_history($1::uuid, $2::int) as "isCut"`,
}

const copyHistory: Statement = {
  name: 'copyHistory',
  text: `
select pontual.copy_history($1::uuid, $2::int, $3::uuid)`,
}

const findExecution: Statement = {
  name: 'findExecution',
  text: `
select id
from pontual.executions
where id = $1::uuid`,
}

/** Begins runs anew, with another input. */
export async function continueAs({ driver, testTime }: Parts, items: readonly ContinueItem[]): Promise<string[]> {
  const distinct = distinctHeld(items)
  if (distinct.length === 0) return []
  return await driver.transaction(async (database) => {
    const rows = await database.query<{ id: string }>(lockRuns, heldValues(distinct))
    const accepted = rows.map(({ id }) => id)
    if (accepted.length === 0) return []
    await database.query(forgetRuns, [accepted])
    await recordOn(
      database,
      distinct.map(({ executionId, epoch, entry }) => ({ executionId, epoch, entries: [entry] })),
      testTime(),
    )
    return accepted
  })
}

/** Lets a run that is DIVERGED go on from an earlier point. */
export async function cut(parts: Parts, executionId: string, sequence: number): Promise<boolean> {
  const [row] = await parts.driver.query<{ isCut: boolean }>(cutHistory, [executionId, sequence])
  if (row?.isCut) tellFreed(parts, [executionId])
  return row?.isCut ?? false
}

/** Stores an execution that begins as another one did. */
export async function fork(
  parts: Parts,
  executionId: string,
  sequence: number,
  execution: NewExecution,
): Promise<boolean> {
  const { driver, lanes, hints, cursor } = parts
  await lanes.idsOf([execution.body])
  const isForked = await driver.transaction(async (database) => {
    const known = await database.query(findExecution, [executionId])
    if (known.length === 0) return false
    const query = (text: string, values: unknown[]) => database.query({ name: 'fork', text }, values)
    const [answer] = await enqueue(parts, [execution], { transaction: { query } })
    if (answer?.isNew) await database.query(copyHistory, [executionId, sequence, answer.id])
    return true
  })
  cursor.noticed(execution.body.id)
  if (isForked) hints.send('ready')
  return isForked
}
