import type { Queryable, Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'

const settleLinksOf: Statement = {
  name: 'settleLinks',
  text: `
select freed, is_unsure as "isUnsure"
from pontual.settle_links($2::uuid[], pontual.clock($1::float8))`,
}

const followUpRemoved: Statement = {
  name: 'followUpRemoved',
  text: `
select pontual.follow_up($2::uuid[], array_fill('CANCELLED'::text, array[cardinality($2::uuid[])]), pontual.clock($1::float8)) as freed`,
}

export interface Settled {
  /** Those that became ready. */
  readonly freed: readonly string[]
  /** Whether one has to be looked at again. */
  readonly isUnsure: boolean
}

/** Looks at executions that wait for others, of which some may have ended. */
export async function settleLinks(
  database: Queryable,
  ids: readonly string[],
  testTime: number | null,
): Promise<Settled> {
  const [settled] = await database.query<Settled>(settleLinksOf, [testTime, ids])
  return settled ?? { freed: [], isUnsure: false }
}

/** Moves on those behind executions that were removed before they ended. Returns those that became ready. */
export async function followRemoved(
  database: Queryable,
  ids: readonly string[],
  testTime: number | null,
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const [row] = await database.query<{ freed: readonly string[] }>(followUpRemoved, [testTime, ids])
  return row?.freed ?? []
}

/** Those behind an end became ready: this process has to see them, and others may know their job type alone. */
export function tellFreed({ cursor, hints }: Pick<Parts, 'cursor' | 'hints'>, freed: readonly string[]): void {
  for (const id of freed) cursor.noticed(id)
  if (freed.length > 0) hints.send('woken')
}
