import { type FieldOf, named } from '../named-statement.ts'
import type { BeginningFields } from './claim-cursor.ts'
import { type ClaimParts, type RATE, WITH_RATES, WITHOUT_RATES } from './claim-rates.ts'

export interface ClaimFields extends BeginningFields {
  readonly testTime: number | null
  readonly nodeId: string
  readonly wanted: number
  readonly aged: number
  readonly queues: readonly string[]
  readonly jobTypes: readonly string[]
  readonly reach: number
  readonly restingTypes: readonly string[]
  readonly restingTenants: readonly (string | null)[]
  readonly reserved: number
  readonly running: readonly string[]
}

/** Selects what the caller is given of each claimed execution in `source`. */
export const selectClaimed = (source: string): string => `job_id as "jobId",
  priority,
  origin,
  payload,
  pontual.to_ms(scheduled_at) as "scheduledAt",
  max_attempts as "maxAttempts",
  idempotency_key as "idempotencyKey",
  options,
  (
    select misfire
    from pontual.occurrences
    where ${source}.scheduled_at is not null
      and job_id = ${source}.job_id
      and scheduled_at = ${source}.scheduled_at
      and execution_id = ${source}.execution_id
  ) as misfire,
  pontual.to_ms(created_at) as "createdAt",
  attempt + 1 as attempt,
  epoch + 1 as epoch`

/**
 * Claims from the lanes that the caller knows (`lanes`, with where each of their three priorities begins, and how deep to look) and from up to `mostLanes` that it
 * finds from `after` round to `until`: it steps from lane to lane in the index, only between those it knows or was told to leave out (`leftOut`). Neither the backlog nor what was deleted
 * from it since the last vacuum is read, where the caller knows where to begin. Of those it finds it leaves out what rests (`restingTypes`, of tenants `restingTenants`).
 *
 * Tenants take turns, beginning after the one that was served last (`served`): first the head of each, then the second of each, and so on. Within a tenant
 * it goes by priority and age. What has a limit is given as many as it has free slots; of a job's, durable ones that have begun go first, wherever they stand.
 *
 * Of the slots that are free, `reserved` stay free for tenants of which the node runs nothing (others are `running`), if there are several tenants.
 *
 * What is asked stands behind a fence: a plan that the values do not change is made once, and making one takes longer than the claim.
 *
 * The heads of the lanes are ranked without locks, then locked in that order until there are enough. Rows of `ready` are never updated, so
 * that the place of a row is good for as long as the statement lasts. One whose execution was removed goes without a trace.
 *
 * The first row tells what was found, and is there also where nothing was claimed.
 */
const claimText = (rates: ClaimParts) => `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
asked as materialized (
  select
    $wanted::int as wanted,
    $aged::int as aged,
    $lanes::bigint[] as lanes,
    $firstHigh::uuid[] as first_high,
    $firstMedium::uuid[] as first_medium,
    $firstLow::uuid[] as first_low,
    $depths::int[] as depths,
    $leftOut::bigint[] as left_out,
    $mostLanes::int as most_lanes,
    $after::bigint as after,
    $until::bigint as until,
    $served::int as served,
    $queues::text[] as queues,
    $jobTypes::text[] as job_types,
    $reach::int as reach,
    $restingTypes::text[] as resting_types,
    $restingTenants::text[] as resting_tenants,
    $reserved::int as reserved,
    $running::text[] as running${rates.asked}
),
reserve as materialized (
  select
    case when has_several_tenants then reserved else 0 end as slots,
    has_several_tenants,
    array(select id from pontual.tenants where name = any(running)) as running
  from asked
  cross join (
    select (select true from pontual.tenants order by id offset 1 limit 1) is true as has_several_tenants
  ) as known
),
node as materialized (
  select exists (
    select from pontual.nodes
    where id = $nodeId::uuid
      and expires_at > (select now from clock)
  ) as is_alive
),
began as materialized (
  select clock_timestamp() as at
),
passed as materialized (
  select
    passed.lane,
    passed.place,
    (
      select true
      from pontual.lanes
      where id = passed.lane
        and queue = any(asked.queues)
        and job_type = any(asked.job_types)
    ) is true as is_ours,
    cardinality(asked.resting_types) > 0 and exists (
      select from pontual.lanes
      join pontual.tenants on tenants.id = lanes.tenant_id
      cross join unnest(asked.resting_types, asked.resting_tenants) as resting (job_type, tenant)
      where lanes.id = passed.lane
        and resting.job_type = lanes.job_type
        and coalesce(resting.tenant, tenants.name) = tenants.name
    ) as is_resting
  from asked
  cross join lateral pontual.busy_lanes(lanes || left_out, after, until, most_lanes)
    with ordinality as passed (lane, place)
  where (select is_alive from node)
    and (select at from began) is not null
),
walk as materialized (
  select count(*)::int as found, date_part('epoch', clock_timestamp() - (select at from began)) * 1000 as ms
  from passed
  where is_ours and not is_resting
),
busy as materialized (
  select known.lane, known.first_high, known.first_medium, known.first_low, known.depth
  from asked
  cross join lateral unnest(lanes, first_high, first_medium, first_low, depths)
    as known (lane, first_high, first_medium, first_low, depth)
  where (select is_alive from node)
  union all
  select passed.lane, first_id, first_id, first_id, greatest((reach + found - 1) / found, 8)
  from asked
  cross join (select '00000000-0000-0000-0000-000000000000'::uuid as first_id) as beginning
  cross join walk
  cross join passed
  where is_ours and not is_resting
),
full_lanes as materialized (
  select lane from pontual.full_lanes(array(select lane from busy)) as lane
),
open as materialized (
  select
    array_agg(lane) as lanes,
    array_agg(first_high) as first_high,
    array_agg(first_medium) as first_medium,
    array_agg(first_low) as first_low,
    array_agg(depth) as depths,
    array_agg((select aged from asked)) as aged_depths,
    ${rates.solePriority}
  from busy
  where (lane in (select lane from full_lanes)) is not true
),
oldest as materialized (
  select head.*
  from asked
  cross join open
  cross join lateral pontual.oldest_heads(open.lanes, open.first_medium, open.first_low, aged_depths, served, aged)
    as head
  where aged > 0
    and open.lanes is not null
    and sole_priority is null
),
heads as materialized (
  select oldest.*, 0 as turn
  from oldest
  union all
  select head.*, 1
  from open
  cross join lateral pontual.ready_heads(lanes, first_high, first_medium, first_low, depths) as head
  where sole_priority is null
    and (place in (select place from oldest)) is not true
),
limited_tenants as materialized (
  select limited.*
  from asked
  cross join open
  cross join lateral pontual.tenant_slots(
    array(
      select tenant
      from (select pontual.tenant_of(lane) as tenant, min(turn) as turn from heads group by 1) as in_line
      order by (select slots > 0 and tenant = any(running) from reserve), turn, tenant <= served, tenant
    ) || case when sole_priority is not null then pontual.tenant_of(open.lanes[1]) end,
    wanted
  ) as limited
),
limited_jobs as materialized (
  select limited.* from asked cross join lateral pontual.job_slots(array(select distinct lane from heads), wanted) as limited
),
allowed as (
  select heads.*, null::int as job_slot
  from heads
  where (lane in (select lane from limited_jobs where slots is not null)) is not true
  union all
  select place, lane, priority, execution_id, attempt, epoch, job_id, turn, slots[nth]
  from (
    select
      of_job.*,
      row_number() over (partition by job_id order by is_begun desc, turn, priority, execution_id) as nth,
      row_number() over (partition by job_id, is_begun order by turn, priority, execution_id) as nth_of_kind
    from (
      select heads.*, slots, fresh, place = any(begun) as is_begun
      from heads
      join limited_jobs using (lane)
      union all
      select unseen.*, 1, slots, fresh, true
      from limited_jobs
      cross join lateral pontual.begun_heads(lane, begun, array(select place from heads)) as unseen
    ) as of_job
    where slots is not null
  ) as in_line
  where nth <= cardinality(slots)
    and (is_begun or nth_of_kind <= fresh)
),
${rates.grants}candidates as materialized (
  select
    in_line.*,
    limited_tenants.slots[nth] as tenant_slot,
    reserve.slots > 0 and nth = 1 and tenant <> all(reserve.running) as is_new
  from (
    select
      ${rates.source}.*,
      pontual.tenant_of(lane) as tenant,
      row_number() over (partition by pontual.tenant_of(lane) order by turn, priority, execution_id) as nth
    from ${rates.source}
  ) as in_line
  cross join asked
  cross join reserve
  left join limited_tenants using (tenant)
  where nth <= least(2147483647, cardinality(limited_tenants.slots))
  order by turn, nth, tenant <= served, tenant
  limit (select reach from asked)
),
locked_new as materialized (
  select candidates.*
  from candidates
  cross join lateral (
    select from pontual.ready
    where ctid = candidates.place
    for update skip locked
  ) as row
  where is_new
  limit (select wanted from asked)
),
room as materialized (
  select
    greatest(wanted - reserve.slots - (select count(*) from locked_new), 0)::int as for_others,
    case
      when sole_priority is null then 0
      when reserve.slots = 0 then wanted
      else greatest(wanted - reserve.slots, least(wanted, (pontual.tenant_of(open.lanes[1]) <> all(reserve.running))::int))
    end as for_sole
  from asked
  cross join reserve
  cross join open
),
locked as materialized (
  select * from locked_new
  union all
  select *
  from (
    select candidates.*
    from candidates
    cross join lateral (
      select from pontual.ready
      where ctid = candidates.place
      for update skip locked
    ) as row
    where not is_new
    limit (select for_others from room)
  ) as others
),
deleted as (
  delete from pontual.ready
  where ctid = any(array(select place from locked))
),
head as materialized (
  select open.lanes[1] as lane, taken.*, row_number() over () as nth
  from open
  cross join room
  cross join lateral pontual.take_head(
    open.lanes[1],
    sole_priority,
    (array[open.first_high[1], open.first_medium[1], open.first_low[1]])[sole_priority],
    least(room.for_sole, open.depths[1], (select cardinality(slots) from limited_tenants))
  ) as taken
  where sole_priority is not null
),
claimed as materialized (
  select
    execution_id, attempt, epoch, job_id, origin, payload, scheduled_at, max_attempts, idempotency_key, options,
    created_at, lane, priority, tenant, tenant_slot, job_slot
  from locked
  cross join lateral (
    select origin, payload, scheduled_at, max_attempts, idempotency_key, options, created_at
    from pontual.executions
    where id = locked.execution_id
    limit 1
  ) as body
  union all
  select
    execution_id, attempt, epoch, job_id, origin, payload, scheduled_at, max_attempts, idempotency_key, options,
    created_at, lane, sole_priority, pontual.tenant_of(lane),
    (select slots from limited_tenants where tenant = pontual.tenant_of(lane))[nth], null
  from head
  cross join open
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
    tenant_slot,
    job_slot,
    job_id
  )
  select execution_id, $nodeId::uuid, now, lane, attempt + 1, epoch + 1, priority, tenant_slot, job_slot, job_id
  from claimed
  cross join clock
),
${rates.starts}findings as materialized (
  select
    json_build_object(
      'now', pontual.to_ms(now),
      'isNodeAlive', is_alive,
      'seen', (select count(*) from candidates) + (select count(*) from head),
      'foreignLanes', array(select lane from passed where not is_ours),
      'lastLane', (select lane from passed where place = (select most_lanes from asked)),
      'served', coalesce((select tenant from locked order by turn desc, nth desc, tenant <= (select served from asked) desc, tenant desc limit 1), (select pontual.tenant_of(lane) from head limit 1)),
      'limitedTenants', array(select tenant from limited_tenants),
      'limitedLanes', array(select lane from limited_jobs union select lane from full_lanes),
${rates.findings}      'hasSeveralTenants', (select has_several_tenants from reserve),
      'kept', (
        select case
          when (select count(*) from locked) + (select count(*) from head) >= wanted then 0
          when (select count(*) from candidates where not is_new) > for_others then least(reserve.slots, wanted)
          when sole_priority is not null and (select count(*) from head) >= for_sole then least(reserve.slots, wanted)
          else 0
        end
        from asked
        cross join open
        cross join reserve
        cross join room
      ),
      'walkMs', (select ms from walk),
      'isOutrun',
        exists (
          select
          from limited_tenants
          cross join asked
          cross join reserve
          where is_contended
            and (wanted > reserve.slots or tenant <> all(reserve.running))
        )
        or exists (select from limited_jobs where is_contended)${rates.isOutrun}
    )::text as told
  from clock
  cross join node
)
select
  case row_number() over () when 1 then told end as findings,
  execution_id as id,
  lane,
  ${selectClaimed('claimed')}
from findings
left join claimed on true`

export const claimExecutions = named<ClaimFields>('claimExecutions', claimText(WITHOUT_RATES))

/** For nodes that know job types with a rate limit. */
export const claimRatedExecutions = named<ClaimFields & FieldOf<typeof RATE>>(
  'claimRatedExecutions',
  claimText(WITH_RATES),
)
