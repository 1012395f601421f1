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

/** Deletes the leases that `input` names, if they still have its epoch. The list `name` holds the same rows. */
export const deleteHeld = (name: string): string => `
  delete from pontual.leases
  where execution_id = any($${name}.execution_id::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true`

/**
 * Locks the leases that `rows` names, if they still have its epoch: until the end of the transaction they can be marked, but not taken. They are locked in the
 * order of their keys, as in all statements that lock several. The list `name` holds the same rows.
 */
export const lockHeld = (name: string, rows: string): string => `held as materialized (
  select execution_id, epoch
  from pontual.leases
  where execution_id = any($${name}.execution_id::uuid[])
    and ((execution_id, epoch) in (select execution_id, epoch from ${rows})) is true
  order by execution_id
  for key share
)`
