import type { Held } from '../../leases.ts'
import { type Columns, RowList } from '../named-statement.ts'

/** What is named twice is done once. */
export function distinctHeld<Each extends Held>(held: readonly Each[]): Each[] {
  if (new Set(held.map(({ executionId }) => executionId)).size === held.length) return [...held]
  const seen = new Map<string, Each>()
  for (const each of held) {
    const key = `${each.executionId}:${each.epoch}`
    if (!seen.has(key)) seen.set(key, each)
  }
  return [...seen.values()]
}

/** A lease that a node holds, as values of a statement. */
export const HELD_COLUMNS: Columns<Held> = {
  execution_id: ['uuid', ({ executionId }) => executionId],
  epoch: ['int', ({ epoch }) => epoch],
}

export const HELD = new RowList<'held', Held>('held', HELD_COLUMNS)
