import { named } from '../named-statement.ts'
import type { SoleLane } from './claim-cursor.ts'
import { selectClaimed } from './claim-statement.ts'

interface HeadFields extends SoleLane {
  readonly testTime: number | null
  readonly nodeId: string
  readonly wanted: number
}

/**
 * Claims from one lane that holds one priority of a tenant without a limit: nothing is to be ranked, and nothing looked for. Where it is otherwise
 * nothing is taken, and the claim that looks at everything has to follow. The first row tells what was found.
 */
export const claimHead = named<HeadFields>(
  'claimHead',
  `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
node as materialized (
  select exists (
    select from pontual.nodes
    where id = $nodeId::uuid
      and expires_at > (select now from clock)
  ) as is_alive
),
sole as materialized (
  select pontual.sole_priority(array[$lane::bigint], array[$firstHigh::uuid], array[$firstMedium::uuid], array[$firstLow::uuid]) as priority
  from node
  where is_alive
),
limited as materialized (
  select count(*) as count
  from sole
  cross join lateral pontual.tenant_slots(array[pontual.tenant_of($lane::bigint)], 1)
  where priority is not null
),
head as materialized (
  select taken.*, priority
  from sole
  cross join limited
  cross join lateral pontual.take_head(
    $lane::bigint,
    priority,
    (array[$firstHigh::uuid, $firstMedium::uuid, $firstLow::uuid])[priority],
    $wanted::int
  ) as taken
  where priority is not null
    and limited.count = 0
),
leased as (
  insert into pontual.leases (
    execution_id,
    node_id,
    claimed_at,
    lane,
    attempt,
    epoch,
    priority,
    job_id
  )
  select execution_id, $nodeId::uuid, now, $lane::bigint, attempt + 1, epoch + 1, priority, job_id
  from head
  cross join clock
)
select
  case row_number() over () when 1 then json_build_object('now', pontual.to_ms(now), 'isNodeAlive', is_alive)::text end
    as findings,
  execution_id as id,
  $lane::bigint as lane,
  ${selectClaimed('head')}
from clock
cross join node
left join head on true`,
)
