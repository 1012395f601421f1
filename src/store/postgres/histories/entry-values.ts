import type { NewEntry } from '../../../job/activity/history.ts'
import type { RecordItem } from '../../histories.ts'
import { listOf } from '../executions/held.ts'
import { storable } from '../parts.ts'

/** An entry, and the item it belongs to. */
export interface ItemEntry {
  readonly item: RecordItem
  readonly entry: NewEntry
}

/**
 * Entries as a statement takes them, one list per column: ids and epochs of their runs, then what they tell, seventeen in all. What none of
 * them has is no list at all, which to the server is a list of nulls.
 */
export function entryValues(entries: readonly ItemEntry[]): unknown[] {
  return [
    listOf(entries.map(({ item }) => item.executionId)),
    listOf(entries.map(({ item }) => item.epoch)),
    listOf(entries.map(({ entry }) => entry.sequence)),
    numbers(entries, ({ position }) => position),
    listOf(entries.map(({ entry }) => entry.calls)),
    listOf(entries.map(({ entry }) => entry.attempt)),
    numbers(entries, ({ startedAt }) => startedAt),
    numbers(entries, ({ dueAt }) => dueAt),
    numbers(entries, ({ endedAt }) => endedAt),
    numbers(entries, ({ childId }) => childId),
    listOf(entries.map(({ entry }) => entry.kind)),
    listOf(entries.map(({ entry }) => entry.status)),
    texts(entries, ({ name }) => storable(name)),
    texts(entries, ({ input }) => input),
    texts(entries, ({ output }) => output),
    texts(entries, ({ error }) => error),
    texts(entries, ({ details }) => details),
  ]
}

/** What needs no quotes. */
function numbers(entries: readonly ItemEntry[], of: (entry: NewEntry) => number | string | null): string | null {
  let hasAny = false
  const values = entries.map(({ entry }) => {
    const value = of(entry)
    hasAny ||= value !== null
    return value ?? 'null'
  })
  return hasAny ? listOf(values) : null
}

function texts(entries: readonly ItemEntry[], of: (entry: NewEntry) => string | null): string | null {
  let list = ''
  let hasAny = false
  for (const { entry } of entries) {
    const value = of(entry)
    hasAny ||= value !== null
    list += list === '' ? '{' : ','
    list += value === null ? 'null' : quoted(value)
  }
  return hasAny ? `${list}}` : null
}

/** As an element of a list that the server reads. */
function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}
