import type { Cancellation, ChildEnd, HistoryEntry, StoredSignal } from '../../../job/activity/history.ts'
import type { WhereToLook } from '../../archive.ts'
import type { Statement } from '../../driver/driver.ts'
import type { LoadedRun, RunNews, StoredEntry } from '../../histories.ts'
import type { Held } from '../../leases.ts'
import { distinctHeld, HELD } from '../executions/held.ts'
import { type FieldOf, named } from '../named-statement.ts'
import type { Parts } from '../parts.ts'
import { failureFrom } from '../reads/read-execution.ts'

/** As one text for each kind: a history is long, and read as a whole. */
export const hearRuns = named<FieldOf<typeof HELD> & { readonly testTime: number | null; readonly loads: boolean }>(
  'hearRuns',
  `
select
  run as "executionId",
  run_epoch as epoch,
  lost,
  entries,
  signals,
  children,
  cancellation
from pontual.hear(
  $held.execution_id::uuid[],
  $held.epoch::int[],
  $loads::bool,
  pontual.clock($testTime::float8)
)`,
)

const readHistory: Statement = {
  name: 'readHistory',
  text: `
select *
from pontual.read_history($1::uuid)`,
}

const readAnyHistory: Statement = {
  name: 'readAnyHistory',
  text: `
select *
from pontual.read_any_history($1::uuid)`,
}

const findRunsGoingOn = named<FieldOf<typeof HELD>>(
  'findRunsGoingOn',
  `
select pontual.runs_going_on($held.execution_id::uuid[], $held.epoch::int[]) as id`,
)

/** Lists are null where they are empty. */
interface HeardRow extends Held {
  readonly lost: number | null
  readonly entries: string | null
  readonly signals: string | null
  readonly children: string | null
  readonly cancellation: string | null
}

interface ChildRow extends Omit<ChildEnd, 'error'> {
  readonly error: string | null
}

export async function load(parts: Parts, held: readonly Held[]): Promise<LoadedRun[]> {
  const rows = await hear(parts, held, true)
  return rows.map((row) => ({
    ...newsFrom(row),
    entries: listFrom<HistoryEntry>(row.entries),
    lostSinceProgress: row.lost ?? 0,
  }))
}

export async function news(parts: Parts, held: readonly Held[]): Promise<RunNews[]> {
  const rows = await hear(parts, held, false)
  return rows.map(newsFrom)
}

export async function read({ driver }: Parts, executionId: string, where: WhereToLook = {}): Promise<StoredEntry[]> {
  return await driver.query<StoredEntry>(where.archived ? readAnyHistory : readHistory, [executionId])
}

/** Those that had begun before, and were not lost since. */
export async function goingOn({ driver }: Parts, held: readonly Held[]): Promise<string[]> {
  if (held.length === 0) return []
  const rows = await driver.query<{ id: string }>(findRunsGoingOn, findRunsGoingOn.values(HELD.of(held)))
  return rows.map(({ id }) => id)
}

async function hear({ driver, testTime }: Parts, held: readonly Held[], loads: boolean): Promise<HeardRow[]> {
  if (held.length === 0) return []
  const values = hearRuns.values({ testTime: testTime(), loads, ...HELD.of(distinctHeld(held)) })
  return await driver.query<HeardRow>(hearRuns, values)
}

function newsFrom({ executionId, epoch, signals, children, cancellation }: HeardRow): RunNews {
  return {
    executionId,
    epoch,
    signals: listFrom<StoredSignal>(signals),
    children: listFrom<ChildRow>(children).map((child) => ({ ...child, error: failureFrom(child.error) })),
    cancellation: cancellation === null ? null : (JSON.parse(cancellation) as Cancellation),
  }
}

function listFrom<Item>(text: string | null): Item[] {
  return text === null ? [] : (JSON.parse(text) as Item[])
}
