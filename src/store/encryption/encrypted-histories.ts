import type { ChildEnd, HistoryEntry, NewEntry, StoredSignal } from '../../job/activity/history.ts'
import type { HistoryStore, RunNews, TenantHistoryStore } from '../histories.ts'
import type { Box, Place } from './box.ts'
import type { Boxes } from './boxes.ts'
import { withoutHashes } from './encrypted-jobs.ts'
import { boxesOfExecutions } from './encrypted-leases.ts'
import type { Owners } from './owners.ts'
import { openFailure, openText, outputOf, sealNew, sealText } from './sealed-body.ts'

const stateOf = (id: string): Place => ({ table: 'checkpoints', id, column: 'state' })
/** Its number is given by the store. */
export const signalAt = (id: string, name: string): Place => ({
  table: 'signals',
  id: `${id}/${name}`,
  column: 'payload',
})
export const entryAt = (id: string, sequence: number | string, column: string): Place => ({
  table: 'history_entries',
  id: `${id}/${sequence}`,
  column,
})

export function encryptedHistories(histories: HistoryStore, boxes: Boxes, owners: Owners): HistoryStore {
  const boxOfEach = boxesOfExecutions(boxes, owners)
  const runOfEach = (wanted: readonly string[]) => runsOf(boxes, owners, wanted)
  return {
    ...histories,
    ...encryptedTenantHistories(histories, boxes, owners),
    async record(items) {
      const runOf = await runOfEach(idsOf(items))
      return await histories.record(
        items.map((item) => ({ ...item, entries: sealEntries(runOf(item.executionId), item.entries) })),
      )
    },
    async transact(held, work) {
      const run = (await runOfEach([held.executionId]))(held.executionId)
      let given: Awaited<ReturnType<typeof work>> | null = null
      const written = await histories.transact(held, async (client) => {
        given = await work(client)
        return { ...given, entries: sealEntries(run, given.entries) }
      })
      return written && given
    },
    async startChildren(items) {
      const runOf = await runOfEach(idsOf(items))
      const childBoxOf = await boxes.needed(items.map(({ child }) => child.body.tenant))
      return await histories.startChildren(
        items.map((item) => ({
          ...item,
          entries: sealEntries(runOf(item.executionId), item.entries),
          child: sealNew(childBoxOf(item.child.body.tenant), item.child),
        })),
      )
    },
    async load(held) {
      const runs = await histories.load(held)
      const runOf = await runOfEach(idsOf(runs))
      return runs.map((loaded) => {
        const run = runOf(loaded.executionId)
        return { ...openNews(run.box, loaded), entries: openEntries(run, loaded.entries) }
      })
    },
    async news(held) {
      const news = await histories.news(held)
      const boxOf = await boxOfEach(idsOf(news))
      return news.map((each) => openNews(boxOf(each.executionId), each))
    },
    async continueAs(items) {
      const runOf = await runOfEach(idsOf(items))
      return await histories.continueAs(
        items.map((item) => ({ ...item, entry: sealEntry(runOf(item.executionId), item.entry) })),
      )
    },
    async checkpoint(items) {
      const boxOf = await boxOfEach(idsOf(items))
      return await histories.checkpoint(
        items.map((item) => ({
          ...item,
          state: sealText(boxOf(item.executionId), stateOf(item.executionId), item.state),
        })),
      )
    },
  }
}

export function encryptedTenantHistories(
  histories: TenantHistoryStore,
  boxes: Boxes,
  owners: Owners,
): TenantHistoryStore {
  return {
    ...histories,
    async signal(signals) {
      const found = await owners.of(idsOf(signals))
      const boxOf = await boxes.needed([...found.values()].map(({ tenant }) => tenant))
      return await histories.signal(
        signals.map((signal) => {
          const owner = found.get(signal.executionId)
          const { executionId, name, payload, audit } = signal
          // One that is unknown is sent to nobody.
          if (!owner) return { ...signal, payload: null }
          const box = boxOf(owner.tenant)
          return {
            ...signal,
            payload: sealText(box, signalAt(executionId, name), payload),
            ...(audit && { audit: withoutHashes(box, audit) }),
          }
        }),
      )
    },
    async fork(executionId, sequence, execution, audit) {
      const boxOf = await boxes.needed([execution.body.tenant])
      return await histories.fork(executionId, sequence, sealNew(boxOf(execution.body.tenant), execution), audit)
    },
    async read(executionId, where) {
      const entries = await histories.read(executionId, where)
      if (entries.length === 0) return entries
      return openEntries((await runsOf(boxes, owners, [executionId]))(executionId), entries)
    },
    async lastCheckpoint(executionId) {
      const state = await histories.lastCheckpoint(executionId)
      if (state === null) return null
      return openText((await boxesOfExecutions(boxes, owners)([executionId]))(executionId), stateOf(executionId), state)
    },
  }
}

function idsOf(items: readonly { readonly executionId: string }[]): string[] {
  return items.map(({ executionId }) => executionId)
}

/** A fork begins with a copy of another's history: entries are sealed for the execution with which their history began. */
interface Run {
  readonly box: Box | null
  readonly origin: string
}

async function runsOf(boxes: Boxes, owners: Owners, ids: readonly string[]): Promise<(id: string) => Run> {
  const found = await owners.of(ids)
  const boxOf = await boxes.of([...found.values()].map(({ tenant }) => tenant))
  return (id) => {
    const owner = found.get(id)
    return { box: owner ? boxOf(owner.tenant) : null, origin: owner?.origin ?? id }
  }
}

function sealEntries(run: Run, entries: readonly NewEntry[]): NewEntry[] {
  return entries.map((entry) => sealEntry(run, entry))
}

function sealEntry({ box, origin }: Run, entry: NewEntry): NewEntry {
  return changed(entry, (column, text) => sealText(box, entryAt(origin, entry.sequence, column), text))
}

function openEntries<Entry extends HistoryEntry>({ box, origin }: Run, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) =>
    changed(entry, (column, text) => openText(box, entryAt(origin, entry.sequence, column), text)),
  )
}

function changed<Entry extends HistoryEntry>(
  entry: Entry,
  change: (column: string, text: string | null) => string | null,
): Entry {
  return {
    ...entry,
    input: change('input', entry.input),
    output: change('output', entry.output),
    error: change('error', entry.error),
    details: change('details', entry.details),
  }
}

function openNews<Each extends RunNews>(box: Box | null, news: Each): Each {
  const { executionId, signals, children } = news
  if (signals.length === 0 && children.length === 0) return news
  return {
    ...news,
    signals: signals.map(
      (signal): StoredSignal => ({
        ...signal,
        payload: openText(box, signalAt(executionId, signal.name), signal.payload),
      }),
    ),
    // A child is of the tenant of its parent.
    children: children.map(
      (child): ChildEnd => ({
        ...child,
        output: openText(box, outputOf(child.executionId), child.output),
        error: openFailure(box, child.executionId, child.error),
      }),
    ),
  }
}
