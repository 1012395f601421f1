import type { Statement } from '../../driver/driver.ts'
import type { Held } from '../../leases.ts'
import { heldValues } from '../executions/held.ts'
import type { Parts } from '../parts.ts'

const findRunsGoingOn: Statement = {
  name: 'findRunsGoingOn',
  text: `
select pontual.runs_going_on($1::uuid[], $2::int[]) as id`,
}

/** Those that had begun before, and were not lost since. */
export async function goingOn({ driver }: Parts, held: readonly Held[]): Promise<string[]> {
  if (held.length === 0) return []
  const rows = await driver.query<{ id: string }>(findRunsGoingOn, heldValues(held))
  return rows.map(({ id }) => id)
}
