import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'
import type { DeadLane } from './known-lanes.ts'

const findDeadLanes: Statement = {
  name: 'findDeadLanes',
  text: `
select lane, is_ours as "isOurs", pontual.to_ms(pontual.clock($1::float8)) as now
from (
  select
    id as lane,
    queue = any($2::text[]) and job_type = any($3::text[]) as is_ours,
    clock_timestamp() as began_at,
    exists (select from pontual.busy_lanes('{}', id - 1, id, 1)) as is_busy,
    clock_timestamp() as ended_at
  from pontual.lanes
  where id <> all($4::bigint[])
  limit $5::int
) as looked
where not is_busy
  and ended_at - began_at > interval '10 milliseconds'
order by ended_at - began_at desc
limit $6::int`,
}

/** How many lanes are looked at to find those that are dead, and how many of these are worth to be known: the others make room for none that lives. */
const MOST_LANES = 10_000
const MOST_DEAD = 64

/**
 * Steps from lane to lane lead over what is dead each time, unless the lane is known. Who comes when there is nothing to claim from it any more does not know it, and has to
 * find out once. That may take long, and nobody waits for it; where it fails it is tried again after the next slow walk.
 */
export function learnDeadLanes({ driver, cursor, testTime }: Parts): void {
  const search = cursor.lookForDead(({ queues, jobTypes, known }) =>
    driver.query<DeadLane>(findDeadLanes, [testTime(), queues, jobTypes, known, MOST_LANES, MOST_DEAD]),
  )
  void search.catch(() => {})
}
