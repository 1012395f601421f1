import type { Pulse } from '../../store.ts'
import type { LookFields } from '../claim/claim-cursor.ts'
import { learnDeadLanes } from '../claim/dead-lanes.ts'
import { FIRES_FAULTED } from '../jobs/job-row.ts'
import { named } from '../named-statement.ts'
import type { Parts } from '../parts.ts'

export const readPulse = named<LookFields & { readonly testTime: number | null }>(
  'readPulse',
  `
select
  pontual.to_ms(pontual.clock($testTime::float8)) as "now",
  pontual.to_ms(least(
    (
      select next_fire_at
      from pontual.jobs
      where next_fire_at is not null
        and status in ('ACTIVE', 'APPROVED')
      order by next_fire_at
      limit 1
    ),
    (
      select next_fire_at
      from pontual.jobs
      where next_fire_at is not null
        and ${FIRES_FAULTED}
      order by next_fire_at
      limit 1
    ),
    (
      select paused_until
      from pontual.jobs
      where paused_until is not null
        and status = 'PAUSED'
      order by paused_until
      limit 1
    )
  )) as "nextFireAt",
  pontual.to_ms((
    select due_at
    from pontual.delayed
    where due_at < 'infinity'
    order by due_at
    limit 1
  )) as "nextDueAt",
  exists (
    select from pontual.ready_heads($lanes::bigint[], $firstHigh::uuid[], $firstMedium::uuid[], $firstLow::uuid[], array_fill(1, array[cardinality($lanes::bigint[])]))
  )
  or exists (select from pontual.busy_lanes($lanes::bigint[] || $foreign::bigint[], 0, 0, $others::int)) as "hasReady",
  are_without_retries as "areWithoutRetries",
  array(
    select name
    from pontual.tenants
    where is_without_retries is not null
      and is_without_retries <> are_without_retries
    order by name
  ) as "otherwise"
from (
  select (select not value::boolean from pontual.settings where name = 'flag.JOB_RETRY_POLICY') is true as are_without_retries
) as common`,
)

interface PulseRow extends Omit<Pulse, 'withoutRetries'> {
  /** What holds for all tenants, but for those with which it is otherwise. */
  readonly areWithoutRetries: boolean
  readonly otherwise: readonly string[]
}

export async function pulse(parts: Parts): Promise<Pulse> {
  const { driver, cursor, testTime } = parts
  const [row] = await cursor.look((known) =>
    driver.query<PulseRow>(readPulse, readPulse.values({ testTime: testTime(), ...known })),
  )
  if (!row) throw new TypeError('A select without a table gave no row.')
  learnDeadLanes(parts)
  const { areWithoutRetries, otherwise, ...told } = row
  return { ...told, withoutRetries: { isAllBut: areWithoutRetries, names: otherwise } }
}
