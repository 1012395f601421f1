import type { NewChild } from '../../histories.ts'
import { enqueueWithin } from '../executions/enqueue.ts'
import type { Parts } from '../parts.ts'
import { recordOn, type StartingItem } from './record.ts'

/** In one transaction: the end of a child finds the link, since the child is not there before it. */
export async function startChildren(parts: Parts, items: readonly NewChild[]): Promise<boolean[]> {
  if (items.length === 0) return []
  const { driver, lanes, hints, cursor, testTime } = parts
  // Looked up ahead: inside a transaction it might wait for a connection that others hold who wait for the same.
  await lanes.idsOf(items.map(({ child }) => child.body))
  const starting = items.map(startingItem)
  const started = await driver.transaction(async (database) => {
    const answers = await recordOn(database, starting, testTime())
    const isStarted = answers.map((answer) => answer === 'recorded')
    const children = items.filter((_, index) => isStarted[index]).map(({ child }) => child)
    await enqueueWithin(parts, children, database)
    return isStarted
  })
  for (const { child } of items) cursor.noticed(child.body.id)
  if (started.includes(true)) hints.send(items.some(({ child }) => isLater(child)) ? 'jobs' : 'ready')
  return started
}

function startingItem(item: NewChild): StartingItem {
  const { executionId, epoch, entries, child } = item
  return { executionId, epoch, entries, startsChild: { id: child.body.id, sequence: sequenceOf(item) } }
}

function sequenceOf({ entries, child }: NewChild): number {
  return (entries.find(({ childId }) => childId === child.body.id) ?? entries.at(-1))?.sequence ?? 0
}

function isLater({ runAt, delayMs = 0 }: NewChild['child']): boolean {
  return runAt !== null || delayMs > 0
}
