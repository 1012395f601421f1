import type { Retry } from '../../leases.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import type { Parts } from '../parts.ts'
import { ATTEMPT_COLUMNS, ENDED_VALUES, QUEUE_COLUMNS } from './end-fragments.ts'
import { deleteHeld, distinctHeld, HELD_COLUMNS } from './held.ts'

const INPUT = new RowList<'input', Retry>('input', {
  ...HELD_COLUMNS,
  status: ['text', ({ status }) => status],
  error: ['text', ({ error }) => JSON.stringify(error)],
  delay_ms: ['float8', ({ delayMs }) => delayMs],
})

export const retryExecutions = named<FieldOf<typeof INPUT> & { readonly testTime: number | null }>(
  'retryExecutions',
  `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
input as materialized (
  select *
  from unnest(${INPUT.lists}) as input (${INPUT.columns})
),
taken as (${deleteHeld('input')}
  returning execution_id, epoch, node_id, claimed_at, lane, attempt, priority, job_id
),
ended as materialized (
  select *
  from taken
  full join input using (execution_id, epoch)
),
recorded as (
  insert into pontual.attempts (${ATTEMPT_COLUMNS}, status, error)
  select ${ENDED_VALUES}, status, error
  from ended
  cross join clock
  where node_id is not null
),
postponed as (
  insert into pontual.delayed (${QUEUE_COLUMNS}, attempt, due_at)
  select ${QUEUE_COLUMNS}, attempt, now + delay_ms * interval '1 millisecond'
  from ended
  cross join clock
  where node_id is not null
)
select execution_id as id
from ended
where node_id is not null`,
)

export async function retry({ driver, testTime }: Parts, retries: readonly Retry[]): Promise<string[]> {
  if (retries.length === 0) return []
  const distinct = distinctHeld(retries)
  const values = retryExecutions.values({ testTime: testTime(), ...INPUT.of(distinct) })
  const rows = await driver.query<{ id: string }>(retryExecutions, values)
  return rows.map(({ id }) => id)
}
