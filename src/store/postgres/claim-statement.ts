import type { Statement } from '../driver/driver.ts'

/**
 * Claims from the lanes that the caller knows ($5, with where each of their three priorities begins) and from up to 64 that it finds: it steps from
 * lane to lane in the index, only between those it knows or was told to leave out ($9). Neither the backlog nor what was deleted from it
 * since the last vacuum is read, where the caller knows where to begin.
 *
 * What is asked stands behind a fence: a plan that the values do not change is made once, and making one takes longer than the claim.
 *
 * The heads of the lanes are ranked without locks, then locked in that order until there are enough. Rows of `ready` are never updated, so
 * that the place of a row is good for as long as the statement lasts. One whose execution was removed goes without a trace.
 */
export const claimExecutions: Statement = {
  name: 'claimExecutions',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
asked as materialized (
  select
    $3::int as wanted,
    $4::int as aged,
    $5::int[] as lanes,
    $6::uuid[] as first_high,
    $7::uuid[] as first_medium,
    $8::uuid[] as first_low,
    $9::int[] as foreign_lanes,
    $10::int as after,
    $11::text[] as queues,
    $12::text[] as job_types,
    $13::int as reach
),
node as materialized (
  select exists (
    select from pontual.nodes
    where id = $2::uuid
      and expires_at > (select now from clock)
  ) as is_alive
),
passed as materialized (
  select
    passed.lane,
    (
      select true
      from pontual.lanes
      where id = passed.lane
        and queue = any(asked.queues)
        and job_type = any(asked.job_types)
    ) is true as is_ours
  from asked
  cross join lateral pontual.busy_lanes(lanes || foreign_lanes, after, 64) as passed (lane)
  where (select is_alive from node)
),
busy as materialized (
  select
    lanes || found as lanes,
    first_high || unbegun as first_high,
    first_medium || unbegun as first_medium,
    first_low || unbegun as first_low,
    array_fill('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, array[cardinality(lanes || found)]) as none,
    least(reach, greatest(4096 / greatest(cardinality(lanes || found), 1), 64)) as depth,
    aged
  from asked
  cross join lateral (
    select array(select lane from passed where is_ours) as found
  ) as new
  cross join lateral (
    select array_fill('00000000-0000-0000-0000-000000000000'::uuid, array[cardinality(found)]) as unbegun
  ) as beginning
  where (select is_alive from node)
),
aged_heads as materialized (
  select head.*
  from busy
  cross join lateral (
    select *
    from pontual.ready_heads(lanes, none, first_medium, none, aged)
    union all
    select *
    from pontual.ready_heads(lanes, none, none, first_low, aged)
  ) as head
  where aged > 0
  order by head.execution_id
  limit (select aged from asked)
),
candidates as materialized (
  select *
  from (
    select aged_heads.*, 0 as turn
    from aged_heads
    union all
    (
      select heads.*, 1
      from busy
      cross join lateral pontual.ready_heads(lanes, first_high, first_medium, first_low, depth) as heads
      where (place in (select place from aged_heads)) is not true
      order by priority, execution_id
      limit (select reach from asked)
    )
  ) as ranked
  order by turn, priority, execution_id
),
locked as materialized (
  select candidates.*
  from candidates
  cross join lateral (
    select from pontual.ready
    where ctid = candidates.place
    for update skip locked
  ) as row
  limit (select wanted from asked)
),
taken as (
  delete from pontual.ready
  where ctid = any(array(select place from locked))
),
claimed as materialized (
  select
    locked.execution_id,
    locked.lane,
    locked.priority,
    locked.attempt + 1 as attempt,
    locked.epoch + 1 as epoch,
    locked.job_id,
    body.origin,
    body.payload,
    body.scheduled_at,
    body.max_attempts,
    body.idempotency_key,
    body.options,
    body.created_at
  from locked
  cross join lateral (
    select *
    from pontual.executions
    where id = locked.execution_id
    limit 1
  ) as body
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
  select execution_id, $2::uuid, now, lane, attempt, epoch, priority, job_id
  from claimed
  cross join clock
)
select
  pontual.to_ms(now) as "now",
  is_alive as "isNodeAlive",
  (select count(*) from candidates) as seen,
  array(select lane from passed where not is_ours) as "foreignLanes",
  (select max(lane) from passed having count(*) = 64) as "lastLane",
  claimed.execution_id as id,
  claimed.lane,
  claimed.job_id as "jobId",
  claimed.priority,
  claimed.origin,
  claimed.payload,
  pontual.to_ms(claimed.scheduled_at) as "scheduledAt",
  claimed.max_attempts as "maxAttempts",
  claimed.idempotency_key as "idempotencyKey",
  claimed.options,
  occurrence.misfire,
  pontual.to_ms(claimed.created_at) as "createdAt",
  claimed.attempt,
  claimed.epoch
from clock
cross join node
left join claimed on true
left join lateral (
  select misfire
  from pontual.occurrences
  where job_id = claimed.job_id
    and scheduled_at = claimed.scheduled_at
    and execution_id = claimed.execution_id
  limit 1
) as occurrence on true
order by claimed.priority, claimed.execution_id`,
}
