import type { Ending } from '../../leases.ts'
import { listOf, named } from '../named-statement.ts'
import type { Parts } from '../parts.ts'
import { ATTEMPT_OF_LEASE, RESULT_COLUMNS, RESULT_VALUES } from './end-fragments.ts'
import { tellFreed } from './follow-up.ts'

/**
 * Successes that have nothing to tell, all of the same epoch: what most ends are. One that was asked to end itself is refused; it was marked, or was asked before it
 * was claimed, which nobody is who has not begun.
 */
export const finishPlainly = named<{
  readonly testTime: number | null
  readonly ids: string
  readonly epoch: number
}>(
  'finishPlainly',
  `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
taken as (
  delete from pontual.leases
  where execution_id = any($ids::uuid[])
    and epoch = $epoch::int
    and not is_cancelling
    and ($epoch::int = 1 or (select true from pontual.cancellations where execution_id = leases.execution_id) is null)
  returning ${ATTEMPT_OF_LEASE}
),
recorded as (
  insert into pontual.results (${RESULT_COLUMNS}, status, is_reported)
  select ${RESULT_VALUES}, 'SUCCESS', true
  from taken
  cross join clock
),
over as materialized (
  select array(select execution_id from taken) as ids
)
select
  cardinality(ids) as count,
  pontual.follow_up(ids, array_fill('SUCCESS'::text, array[cardinality(ids)]), now) as freed
from over
cross join clock`,
)

export function isPlain({ status, output, error, faultsJobId, healsJobId, cachedFrom }: Ending): boolean {
  const tellsNothing = output === null && error === null && !cachedFrom
  return status === 'SUCCESS' && tellsNothing && faultsJobId === null && healsJobId === null
}

/** Returns whether all were accepted. */
export async function finishSuccesses(parts: Parts, ids: readonly string[], epoch: number): Promise<boolean> {
  const values = finishPlainly.values({ testTime: parts.testTime(), ids: listOf(ids), epoch })
  const [row] = await parts.driver.query<{ count: number; freed: string[] }>(finishPlainly, values)
  tellFreed(parts, row?.freed ?? [])
  return row?.count === ids.length
}
