import type { NewEntry, RecordAnswer } from '../../../job/activity/history.ts'
import type { Queryable, Statement, Transaction } from '../../driver/driver.ts'
import type { TransactionClient } from '../../executions.ts'
import type { RecordItem } from '../../histories.ts'
import type { Held } from '../../leases.ts'
import { HELD } from '../executions/held.ts'
import type { Parts } from '../parts.ts'
import {
  ENDED,
  ENTRIES,
  type ItemEntry,
  PART,
  recordItems,
  recordPlainly,
  STARTED,
  TAKEN,
} from './record-statements.ts'

/** An item, and the child that it starts. */
export interface StartingItem extends RecordItem {
  readonly startsChild?: { readonly id: string; readonly sequence: number } | undefined
}

/** The answers stand in the order of the items. */
export async function record(
  { driver, testTime }: Pick<Parts, 'driver' | 'testTime'>,
  items: readonly RecordItem[],
): Promise<RecordAnswer[]> {
  return await recordOn(driver, items, testTime())
}

/** The same within a transaction. */
export async function recordOn(
  database: Queryable,
  items: readonly StartingItem[],
  testTime: number | null,
): Promise<RecordAnswer[]> {
  const answers = new Array<RecordAnswer>(items.length).fill('recorded')
  for (const round of roundsOf(items)) {
    const chosen = round.map((index) => items[index]!)
    const others = chosen.every(isPlain)
      ? await writePlainly(database, chosen)
      : await writeItems(database, chosen, testTime)
    for (const [place, answer] of others) answers[round[place]!] = answer
  }
  return answers
}

/**
 * One statement writes an entry once. Where a later item has the sequence of an earlier one it goes with a later statement, and so does all of its run that comes
 * after it.
 */
function roundsOf(items: readonly RecordItem[]): number[][] {
  const rounds: number[][] = []
  const lastOf = new Map<string, { round: number; sequences: Set<number> }>()
  for (const [index, { executionId, entries }] of items.entries()) {
    const last = lastOf.get(executionId)
    const isRepeated = last !== undefined && entries.some(({ sequence }) => last.sequences.has(sequence))
    const round = last === undefined ? 0 : last.round + (isRepeated ? 1 : 0)
    const sequences = last && !isRepeated ? last.sequences : new Set<number>()
    for (const { sequence } of entries) sequences.add(sequence)
    lastOf.set(executionId, { round, sequences })
    const places = rounds[round]
    if (places) places.push(index)
    else rounds[round] = [index]
  }
  return rounds
}

/** Whether it is written wherever its run is held, and nothing goes with it. */
function isPlain({ entries, discards, startsChild }: StartingItem): boolean {
  return (
    entries.length > 0 &&
    !discards?.length &&
    !startsChild &&
    entries.every(({ isTimer, signalId, takesChild }) => !isTimer && signalId === undefined && !takesChild)
  )
}

async function writePlainly(
  database: Queryable,
  items: readonly RecordItem[],
): Promise<ReadonlyMap<number, RecordAnswer>> {
  const rows = await database.query<{ id: string; epoch: number }>(
    recordPlainly,
    recordPlainly.values(ENTRIES.of(entriesOf(items))),
  )
  if (rows.length === 0) return new Map()
  const refused = new Set(rows.map(({ id, epoch }) => `${id}:${epoch}`))
  const answers = new Map<number, RecordAnswer>()
  for (const [place, { executionId, epoch }] of items.entries()) {
    if (refused.has(`${executionId}:${epoch}`)) answers.set(place, 'refused')
  }
  return answers
}

async function writeItems(
  database: Queryable,
  items: readonly StartingItem[],
  testTime: number | null,
): Promise<ReadonlyMap<number, RecordAnswer>> {
  const entries = entriesOf(items)
  const numbers = new Map(items.map((item, index) => [item, index + 1]))
  const numberOf = (item: RecordItem) => numbers.get(item) ?? 0
  const values = recordItems.values({
    testTime,
    ...ENTRIES.of(entries),
    ...PART.of(entries.map(({ item, entry }) => ({ number: numberOf(item), isTimer: entry.isTimer ?? false }))),
    ...HELD.of(items),
    ...TAKEN.of(items.flatMap((item) => signalsOf(item).map((signalId) => ({ number: numberOf(item), signalId })))),
    ...ENDED.of(
      entries.flatMap(({ item, entry: { takesChild } }) =>
        takesChild ? [{ number: numberOf(item), childId: takesChild }] : [],
      ),
    ),
    ...STARTED.of(
      items.flatMap((item) =>
        item.startsChild
          ? [{ number: numberOf(item), childId: item.startsChild.id, sequence: item.startsChild.sequence }]
          : [],
      ),
    ),
  })
  const rows = await database.query<{ number: number; answer: RecordAnswer }>(recordItems, values)
  return new Map(rows.map(({ number, answer }) => [number - 1, answer]))
}

function entriesOf(items: readonly RecordItem[]): ItemEntry[] {
  return items.flatMap((item) => lastOfEach(item.entries).map((entry) => ({ item, entry })))
}

/** The last word on a sequence counts, but what is settled stays so. */
function lastOfEach(entries: readonly NewEntry[]): readonly NewEntry[] {
  if (entries.length < 2) return entries
  const bySequence = new Map<number, NewEntry>()
  for (const entry of entries) {
    const before = bySequence.get(entry.sequence)?.status ?? 'RUNNING'
    if (entry.status !== 'RUNNING' || before === 'RUNNING') bySequence.set(entry.sequence, entry)
  }
  return [...bySequence.values()]
}

function signalsOf({ entries, discards = [] }: RecordItem): number[] {
  return [...discards, ...entries.flatMap(({ signalId }) => signalId ?? [])]
}

const holdRun: Statement = {
  name: 'holdRun',
  text: `
select execution_id
from pontual.leases
where execution_id = $1::uuid
  and epoch = $2::int
for key share`,
}

/** Of the caller's work, which is done once: the driver would do it again where the server has undone it for the sake of another. */
class WorkFailedError extends Error {}

/** The caller's SQL and what is recorded of it, in one transaction. */
export async function transact(
  { driver, testTime }: Parts,
  held: Held,
  work: (client: TransactionClient) => Promise<RecordItem>,
): Promise<RecordItem | null> {
  let isBegun = false
  try {
    return await driver.transaction(async (database) => {
      if (isBegun) throw new WorkFailedError('The server has undone a transaction at its commit.')
      const leases = await database.query(holdRun, [held.executionId, held.epoch])
      if (leases.length === 0) return null
      isBegun = true
      return await perform(database, work, testTime())
    })
  } catch (error) {
    throw error instanceof WorkFailedError ? (error.cause ?? error) : error
  }
}

async function perform(
  database: Transaction,
  work: (client: TransactionClient) => Promise<RecordItem>,
  testTime: number | null,
): Promise<RecordItem | null> {
  try {
    const query = async (text: string, values: readonly unknown[] = []) => {
      return { rows: await database.query({ name: 'transact', text, isOnce: true, isForeign: true }, values) }
    }
    const item = await work({ query })
    const [answer] = await recordOn(database, [item], testTime)
    if (answer === 'recorded') return item
    throw new Error(`What a transaction was to be recorded with was ${answer}.`)
  } catch (cause) {
    throw new WorkFailedError('The work of a transaction failed.', { cause })
  }
}
