-- The engine's tables. Nothing existed before, so nothing is unsafe while old nodes run.
--
-- Status is where an execution stands, not a column: its body is written once, and it moves from ready or delayed
-- through leases to results. Each move deletes from one table and inserts into the next in one statement.
--
-- JSON that is only kept for its readers is text: jsonb refuses what JSON allows (\u0000, half a surrogate pair), and
-- an error message must never be what fails a batch. Names are in the order of their code points ("C"), as elsewhere.

create function pontual.to_ms(instant timestamptz)
returns double precision
language sql stable strict parallel safe
as $$ select round(date_part('epoch', instant) * 1000) $$;

create function pontual.from_ms(ms double precision)
returns timestamptz
language sql immutable strict parallel safe
as $$ select to_timestamp(ms / 1000) $$;

-- The time that rules: a test's own, else the database's; in whole milliseconds, so that a reader's reckoning agrees.
create function pontual.clock(test_ms double precision)
returns timestamptz
language sql stable parallel safe
as $$ select coalesce(pontual.from_ms(test_ms), date_trunc('milliseconds', statement_timestamp())) $$;

-- A tenant's number is small, since it stands in every lane. Concurrency: how many of its executions may run at once; null where the default
-- holds, -1 for any number.
create table pontual.tenants (
  id integer generated always as identity primary key,
  name text collate "C" not null unique,
  concurrency integer check (concurrency >= -1)
);

-- What holds for everything that does not say otherwise.
create table pontual.settings (
  name text primary key,
  value jsonb not null
);

create function pontual.tenant_of(lane bigint)
returns integer
language sql immutable strict parallel safe
as $$ select (lane >> 20)::integer $$;

-- A lane is what a node may or may not take: tenant, queue and job type, as one number; a job that limits how many of it run has lanes of its own.
-- The upper bits are the tenant's number, so that the lanes of a tenant are neighbours. Lanes are never removed.
create table pontual.lanes (
  id bigint primary key,
  tenant_id integer not null references pontual.tenants,
  queue text collate "C" not null,
  job_type text collate "C" not null,
  job_id uuid,
  check (pontual.tenant_of(id) = tenant_id)
);
create unique index lanes_shared on pontual.lanes (tenant_id, queue, job_type) where job_id is null;
create unique index lanes_of_job on pontual.lanes (job_id, tenant_id, queue, job_type) where job_id is not null;

-- The lanes of executions, made where they are missing. One at a time and in the order of their names, so that two who make the same do not wait
-- for each other in a circle.
create function pontual.intern_lanes(tenants text[], queues text[], job_types text[], jobs uuid[])
returns table (tenant text, queue text, job_type text, job_id uuid, id bigint)
language plpgsql
as $$
declare
  asked record;
  tenant_number integer;
  found_lane bigint;
begin
  for asked in
    select wanted.tenant, wanted.queue, wanted.job_type, wanted.job_id
    from unnest(tenants, queues, job_types, jobs) as wanted (tenant, queue, job_type, job_id)
    order by wanted.tenant collate "C", wanted.queue collate "C", wanted.job_type collate "C", wanted.job_id
  loop
    select tenants.id into tenant_number from pontual.tenants where name = asked.tenant;
    if tenant_number is null then
      insert into pontual.tenants (name) values (asked.tenant) on conflict do nothing;
      select tenants.id into tenant_number from pontual.tenants where name = asked.tenant;
    end if;
    for tries in 1..2 loop
      select lanes.id into found_lane
      from pontual.lanes
      where lanes.tenant_id = tenant_number
        and lanes.queue = asked.queue
        and lanes.job_type = asked.job_type
        and lanes.job_id is not distinct from asked.job_id;
      exit when found_lane is not null;
      -- Who makes a lane of this tenant at the same moment has the next number.
      perform from pontual.tenants where tenants.id = tenant_number for no key update;
      insert into pontual.lanes (id, tenant_id, queue, job_type, job_id)
      select
        coalesce(max(lanes.id) + 1, tenant_number::bigint << 20),
        tenant_number,
        asked.queue,
        asked.job_type,
        asked.job_id
      from pontual.lanes
      where lanes.id >= tenant_number::bigint << 20
        and lanes.id < (tenant_number + 1)::bigint << 20
      on conflict do nothing;
    end loop;
    tenant := asked.tenant;
    queue := asked.queue;
    job_type := asked.job_type;
    job_id := asked.job_id;
    id := found_lane;
    return next;
  end loop;
end
$$;

create table pontual.jobs (
  id uuid primary key,
  tenant text collate "C" not null,
  name text collate "C" not null,
  status text not null check (status in ('ACTIVE', 'PAUSED', 'DISABLED', 'FAULTED', 'PENDING_APPROVAL', 'APPROVED', 'DELETED')),
  resume_status text,
  status_reason text,
  origin text not null check (origin in ('code', 'runtime')),
  job_type text not null,
  definition jsonb not null,
  payload text,
  trigger_now jsonb not null,
  next_fire_at timestamptz,
  previous_fire_at timestamptz,
  times_triggered bigint not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index jobs_name on pontual.jobs (tenant, name) where status <> 'DELETED';
create index jobs_due on pontual.jobs (next_fire_at) where next_fire_at is not null and status in ('ACTIVE', 'APPROVED');

create table pontual.calendars (
  tenant text collate "C" not null,
  name text collate "C" not null,
  definition jsonb not null,
  primary key (tenant, name)
);

create table pontual.nodes (
  id uuid primary key,
  name text not null,
  slots integer not null,
  queues text[] not null,
  job_types text[] not null,
  lease_ms double precision not null,
  started_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null
);

-- Ids are UUIDs of version 7, so that a range of ids is a range of creation times: partitions by month keep a key of one
-- column. The default partitions take what a wrong clock dates outside of every month there is.
create table pontual.executions (
  id uuid primary key,
  lane bigint not null,
  priority smallint not null,
  job_id uuid,
  origin text not null check (origin in ('enqueue', 'schedule', 'manual', 'retry')),
  payload text,
  scheduled_at timestamptz,
  max_attempts integer not null,
  idempotency_key text,
  options text,
  created_at timestamptz not null
) partition by range (id);
create index executions_of_job on pontual.executions (job_id, id) where job_id is not null;
create table pontual.executions_default partition of pontual.executions default;

-- Tables that fill and empty all day are vacuumed early, and never truncated: a plan made for an empty table would
-- read a full one from end to end.
create table pontual.ready (
  lane bigint not null,
  attempt integer not null,
  epoch integer not null,
  priority smallint not null,
  execution_id uuid not null,
  job_id uuid,
  primary key (lane, priority, execution_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index ready_of_job on pontual.ready (job_id) where job_id is not null;

-- The next two read `ready` in the order of its key, whatever the planner believes: a plan that was made while the table was
-- empty would else read and sort all of it, until someone counts anew.

-- Lanes that hold anything, in their order from one on and round to another, by steps from one to the next; those that are given are left out.
create function pontual.busy_lanes(left_out bigint[], after bigint, until bigint, most integer)
returns setof bigint
language plpgsql stable rows 10
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  gap record;
  found_lane bigint;
begin
  for gap in
    select
      segment.nth,
      border.lane as since,
      lead(border.lane, 1, segment.last + 1) over (partition by segment.nth order by border.lane) as until
    from (
      select 1, after, case when until > after then until else 9223372036854775806 end
      union all
      select 2, -1, until
      where until <= after
    ) as segment (nth, first, last)
    cross join lateral (
      select segment.first
      union all
      select each
      from unnest(left_out) as each
      where each > segment.first
        and each <= segment.last
    ) as border (lane)
    order by segment.nth, border.lane
  loop
    found_lane := gap.since;
    loop
      exit when most <= 0;
      select ready.lane into found_lane
      from pontual.ready
      where ready.lane > found_lane
        and ready.lane < gap.until
      order by ready.lane
      limit 1;
      exit when found_lane is null;
      most := most - 1;
      return next found_lane;
    end loop;
  end loop;
end
$$;

-- The heads of lanes, each in the order of priority and age, from where each priority begins, and at most so many of each.
create function pontual.ready_heads(
  lanes bigint[],
  first_high uuid[],
  first_medium uuid[],
  first_low uuid[],
  depths integer[]
)
returns table (
  place tid,
  lane bigint,
  priority smallint,
  execution_id uuid,
  attempt integer,
  epoch integer,
  job_id uuid
)
language plpgsql stable rows 100
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select head.*
  from unnest(lanes, first_high, first_medium, first_low, depths)
    as busy (lane, first_high, first_medium, first_low, depth)
  cross join lateral (
    select *
    from (
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        where ready.lane = busy.lane
          and ready.priority = 1
          and ready.execution_id >= busy.first_high
        order by ready.execution_id
        limit busy.depth
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        where ready.lane = busy.lane
          and ready.priority = 2
          and ready.execution_id >= busy.first_medium
        order by ready.execution_id
        limit busy.depth
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        where ready.lane = busy.lane
          and ready.priority = 3
          and ready.execution_id >= busy.first_low
        order by ready.execution_id
        limit busy.depth
      )
    ) as by_priority
    limit busy.depth
  ) as head;
end
$$;

-- The oldest of the lower priorities, tenant by tenant in turn, beginning after the one that was served last.
create function pontual.oldest_heads(
  lanes bigint[],
  first_medium uuid[],
  first_low uuid[],
  depths integer[],
  served integer,
  most integer
)
returns table (
  place tid,
  lane bigint,
  priority smallint,
  execution_id uuid,
  attempt integer,
  epoch integer,
  job_id uuid
)
language plpgsql stable rows 100
set plan_cache_mode = force_generic_plan
as $$
declare
  none uuid[] := array_fill('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, array[cardinality(lanes)]);
begin
  return query
  select by_age.place, by_age.lane, by_age.priority, by_age.execution_id, by_age.attempt, by_age.epoch, by_age.job_id
  from (
    select
      head.*,
      pontual.tenant_of(head.lane) as tenant,
      row_number() over (partition by pontual.tenant_of(head.lane) order by head.execution_id) as nth
    from (
      select * from pontual.ready_heads(lanes, none, first_medium, none, depths)
      union all
      select * from pontual.ready_heads(lanes, none, none, first_low, depths)
    ) as head
  ) as by_age
  order by by_age.nth, by_age.tenant <= served, by_age.tenant
  limit most;
end
$$;

-- The one priority of which the only lane holds anything; null where there are more lanes, where it is a job's own, and where it holds nothing, or more
-- than one priority.
create function pontual.sole_priority(lanes bigint[], first_high uuid[], first_medium uuid[], first_low uuid[])
returns integer
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  one bigint := lanes[1];
  has_high boolean;
  has_medium boolean;
  has_low boolean;
begin
  if cardinality(lanes) <> 1 or exists (select from pontual.lanes as own where own.id = one and own.job_id is not null) then
    return null;
  end if;
  has_high := exists (select from pontual.ready where lane = one and priority = 1 and execution_id >= first_high[1]);
  has_medium := exists (select from pontual.ready where lane = one and priority = 2 and execution_id >= first_medium[1]);
  has_low := exists (select from pontual.ready where lane = one and priority = 3 and execution_id >= first_low[1]);
  return case
    when has_high::integer + has_medium::integer + has_low::integer <> 1 then null
    when has_high then 1
    when has_medium then 2
    else 3
  end;
end
$$;

-- Takes the head of a lane that holds one priority only, which is what most claims meet: there is nothing to rank. Bodies are read by the same
-- statement that takes the rows: what was committed after the caller's statement began is taken too, and the caller could not see its body. One whose
-- execution was removed goes without a trace.
create function pontual.take_head(one bigint, sole integer, first_id uuid, most integer)
returns table (
  execution_id uuid,
  attempt integer,
  epoch integer,
  job_id uuid,
  origin text,
  payload text,
  scheduled_at timestamptz,
  max_attempts integer,
  idempotency_key text,
  options text,
  created_at timestamptz
)
language plpgsql volatile rows 100
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  with taken as (
    delete from pontual.ready
    where ctid = any(array(
      select ready.ctid
      from pontual.ready
      where ready.lane = one
        and ready.priority = sole
        and ready.execution_id >= first_id
      order by ready.execution_id
      limit most
      for update skip locked
    ))
    returning ready.execution_id as id, ready.attempt, ready.epoch, ready.job_id
  )
  select
    id,
    taken.attempt,
    taken.epoch,
    taken.job_id,
    body.origin,
    body.payload,
    body.scheduled_at,
    body.max_attempts,
    body.idempotency_key,
    body.options,
    body.created_at
  from taken
  full join (
    select *
    from pontual.executions
    where executions.id = any(array(select taken.id from taken))
  ) as body using (id)
  where taken.epoch is not null
    and body.origin is not null;
end
$$;

create table pontual.delayed (
  execution_id uuid primary key,
  due_at timestamptz not null,
  lane bigint not null,
  attempt integer not null,
  epoch integer not null,
  priority smallint not null,
  job_id uuid
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index delayed_due on pontual.delayed (due_at);
create index delayed_of_job on pontual.delayed (job_id) where job_id is not null;

create table pontual.leases (
  execution_id uuid primary key,
  node_id uuid not null,
  claimed_at timestamptz not null,
  lane bigint not null,
  attempt integer not null,
  epoch integer not null,
  priority smallint not null,
  tenant_slot integer,
  job_slot integer,
  job_id uuid,
  progress double precision,
  progress_note text
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index leases_of_job on pontual.leases (job_id) where job_id is not null;

-- More than may run at once cannot be stored, and no counter can drift.
create unique index leases_tenant_slot on pontual.leases (pontual.tenant_of(lane), tenant_slot) where tenant_slot is not null;
create unique index leases_job_slot on pontual.leases (job_id, job_slot) where job_slot is not null;

-- Who may take how much. Both are volatile on purpose: what they read after a lock is what stands at that moment, not what stood when the
-- statement began. So they see every lease of those who had the lock before, and a limit that was changed meanwhile. Who does not get a lock
-- takes nothing there this time, and waits for nobody.

-- Free slots of those tenants that have a limit, at most so many each: the lowest numbers. Leases beyond a limit that was lowered count too. No
-- limit changes until the claim is over: who changes one waits for claims under way, and those that come meanwhile find all contended.
create function pontual.tenant_slots(asked integer[], most integer)
returns table (tenant integer, slots integer[], is_contended boolean)
language plpgsql volatile rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  common integer;
  limited integer[];
  locked integer[];
begin
  if not pg_try_advisory_xact_lock_shared(1886352499, 0) then
    return query
    select each, '{}'::integer[], true
    from unnest(asked) as each;
    return;
  end if;
  common := (select value::integer from pontual.settings where name = 'tenantConcurrency');
  limited := array(
    select id
    from pontual.tenants
    where id = any(asked)
      and coalesce(concurrency, common, -1) >= 0
    order by array_position(asked, id)
  );
  if cardinality(limited) = 0 then
    return;
  end if;
  -- In the order that is given, and no more than are wanted: others may take from the rest meanwhile.
  locked := array(
    select each
    from unnest(limited) as each
    where pg_try_advisory_xact_lock(1886352500, each)
    limit most
  );
  return query
  select
    held.id,
    array(
      select number
      from generate_series(1, least(held.concurrency, cardinality(held.used) + most)) as number
      where number <> all(held.used)
      order by number
      limit least(greatest(held.concurrency - cardinality(held.used), 0), most)
    ),
    false
  from (
    select
      tenants.id,
      coalesce(tenants.concurrency, common) as concurrency,
      array(
        select tenant_slot
        from pontual.leases
        where pontual.tenant_of(lane) = tenants.id
          and tenant_slot is not null
      ) as used
    from pontual.tenants
    where tenants.id = any(locked)
  ) as held;
  return query
  select each, '{}'::integer[], true
  from unnest(limited) as each
  where each <> all(locked);
end
$$;

-- Lanes of tenants, and of jobs, that have as many leases as they may: a hint, so that they need not be looked at.
create function pontual.full_lanes(asked bigint[])
returns setof bigint
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  common integer := (select value::integer from pontual.settings where name = 'tenantConcurrency');
begin
  return query
  select lanes.id
  from pontual.lanes
  join pontual.tenants on tenants.id = lanes.tenant_id
  where lanes.id = any(asked)
    and (
      coalesce(tenants.concurrency, common, -1) >= 0
      and (
        select count(*)
        from pontual.leases
        where pontual.tenant_of(lane) = tenants.id
          and tenant_slot is not null
      ) >= coalesce(tenants.concurrency, common)
      or lanes.job_id is not null
      and (select count(*) from pontual.leases where leases.job_id = lanes.job_id)
        >= (select (definition ->> 'concurrency')::integer from pontual.jobs where jobs.id = lanes.job_id)
    );
end
$$;

-- What runs without a slot although its tenant has a limit, because it had none when that began, is given one. Rows are locked in the order of
-- their keys, as by all who take several leases.
create function pontual.number_leases()
returns void
language sql
as $$
  with common as materialized (
    select (select value::integer from pontual.settings where name = 'tenantConcurrency') as concurrency
  ),
  unnumbered as materialized (
    select execution_id, pontual.tenant_of(lane) as tenant
    from pontual.leases
    where tenant_slot is null
      and pontual.tenant_of(lane) in (
        select id
        from pontual.tenants
        cross join common
        where coalesce(tenants.concurrency, common.concurrency, -1) >= 0
      )
    order by execution_id
    for update
  ),
  given as materialized (
    select
      execution_id,
      row_number() over (partition by tenant order by execution_id) + (
        select coalesce(max(tenant_slot), 0)
        from pontual.leases
        where pontual.tenant_of(lane) = tenant
          and tenant_slot is not null
      ) as slot
    from unnumbered
  )
  update pontual.leases
  set tenant_slot = given.slot
  from given
  where leases.execution_id = given.execution_id
$$;

-- Changes limits; -1 for none, null for the default. Waits for claims under way, so that nothing is claimed beyond a limit once it stands.
create function pontual.limit_tenants(names text[], limits integer[])
returns void
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(1886352499, 0);
  insert into pontual.tenants (name, concurrency)
  select wanted.name, wanted.concurrency
  from unnest(names, limits) as wanted (name, concurrency)
  order by wanted.name collate "C"
  on conflict (name) do update
  set concurrency = excluded.concurrency;
  perform pontual.number_leases();
end
$$;

-- Changes the limit of those that have none of their own; null for none.
create function pontual.limit_other_tenants(concurrency integer)
returns void
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(1886352499, 0);
  if concurrency is null then
    delete from pontual.settings where name = 'tenantConcurrency';
    return;
  end if;
  insert into pontual.settings (name, value)
  values ('tenantConcurrency', to_jsonb(concurrency))
  on conflict (name) do update
  set value = excluded.value;
  perform pontual.number_leases();
end
$$;

-- The same for jobs that have lanes of their own. A job that moved to another queue has several, which share its slots: all are given the same.
create function pontual.job_slots(asked bigint[], most integer)
returns table (lane bigint, slots integer[], is_contended boolean)
language plpgsql volatile rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  limited uuid[] := array(
    select distinct lanes.job_id
    from pontual.lanes
    where lanes.id = any(asked)
      and lanes.job_id is not null
  );
  locked uuid[];
begin
  if cardinality(limited) = 0 then
    return;
  end if;
  locked := array(
    select each
    from unnest(limited) as each
    where pg_try_advisory_xact_lock(1886352501, hashtext(each::text))
  );
  return query
  select
    held.lane,
    case
      when not held.is_locked then '{}'
      when held.concurrency is null then null
      else array(
        select number
        from generate_series(1, least(held.concurrency, cardinality(held.used) + most)) as number
        where number <> all(held.used)
        order by number
        limit least(greatest(held.concurrency - held.running, 0), most)
      )
    end,
    not held.is_locked
  from (
    select
      own.id as lane,
      own.job_id = any(locked) as is_locked,
      (jobs.definition ->> 'concurrency')::integer as concurrency,
      (select count(*)::integer from pontual.leases where leases.job_id = own.job_id) as running,
      array(
        select job_slot
        from pontual.leases
        where leases.job_id = own.job_id
          and job_slot is not null
      ) as used
    from pontual.lanes as own
    left join pontual.jobs on jobs.id = own.job_id
    where own.id = any(asked)
      and own.job_id is not null
  ) as held;
end
$$;

-- A result is reported where the node that ran the execution has sent it; else someone cancelled, or recovered it.
create table pontual.results (
  execution_id uuid primary key,
  status text not null check (status in ('SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED')),
  attempt integer not null,
  epoch integer not null,
  is_reported boolean not null,
  node_id uuid,
  started_at timestamptz,
  finished_at timestamptz not null,
  output text,
  error text,
  progress double precision,
  progress_note text
) partition by range (execution_id);
create index results_finished on pontual.results using brin (finished_at) with (pages_per_range = 32, autosummarize = on);
create table pontual.results_default partition of pontual.results default;

-- Attempts that did not end their execution, or that ended it by being lost; any other last one is told by the result.
create table pontual.attempts (
  execution_id uuid not null,
  attempt integer not null,
  epoch integer not null,
  status text not null check (status in ('FAILED', 'TIMEOUT', 'LOST')),
  node_id uuid not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  error text,
  primary key (execution_id, epoch)
) partition by range (execution_id);
create table pontual.attempts_default partition of pontual.attempts default;

create table pontual.execution_logs (
  execution_id uuid not null,
  sequence bigint not null,
  attempt integer not null,
  at timestamptz not null,
  level smallint not null,
  message text not null,
  fields text,
  primary key (execution_id, sequence)
) partition by range (execution_id);
create table pontual.execution_logs_default partition of pontual.execution_logs default;

create table pontual.idempotency_keys (
  tenant text collate "C" not null,
  job_type text collate "C" not null,
  key text collate "C" not null,
  execution_id uuid not null,
  primary key (tenant, job_type, key)
);

-- The key is what makes firing at most once.
create table pontual.occurrences (
  job_id uuid not null,
  scheduled_at timestamptz not null,
  execution_id uuid not null,
  decision text not null check (decision in ('fired', 'firedLate', 'consolidated', 'skipped')),
  cause text,
  misfire jsonb,
  recorded_at timestamptz not null,
  primary key (job_id, scheduled_at)
);

-- Occurrences that were not fired, as ranges.
create table pontual.missed (
  job_id uuid not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  count bigint not null,
  decision text not null check (decision in ('consolidated', 'skipped', 'dropped')),
  cause text not null,
  recorded_at timestamptz not null,
  primary key (job_id, from_at, to_at, decision, cause)
);

-- All that is known of an execution, but for its attempts.
create view pontual.execution_records as
select
  executions.id,
  tenants.name as tenant,
  executions.job_id,
  lanes.job_type,
  lanes.queue,
  executions.priority,
  executions.origin,
  executions.payload,
  executions.scheduled_at,
  executions.max_attempts,
  executions.idempotency_key,
  executions.options,
  occurrences.misfire,
  executions.created_at,
  case
    when results.execution_id is not null then results.status
    when leases.execution_id is not null then 'RUNNING'
    else 'QUEUED'
  end as status,
  coalesce(results.attempt, leases.attempt, delayed.attempt, ready.attempt, 0) as attempt,
  coalesce(results.epoch, leases.epoch, delayed.epoch, ready.epoch, 0) as epoch,
  delayed.due_at,
  coalesce(results.started_at, leases.claimed_at) as started_at,
  results.finished_at,
  coalesce(results.node_id, leases.node_id) as node_id,
  results.output,
  results.error,
  coalesce(results.progress, leases.progress) as progress,
  coalesce(results.progress_note, leases.progress_note) as progress_note
from pontual.executions
join pontual.lanes on lanes.id = executions.lane
join pontual.tenants on tenants.id = lanes.tenant_id
left join pontual.ready
  on ready.lane = executions.lane
  and ready.priority = executions.priority
  and ready.execution_id = executions.id
left join pontual.delayed on delayed.execution_id = executions.id
left join pontual.leases on leases.execution_id = executions.id
left join pontual.results on results.execution_id = executions.id
left join pontual.occurrences
  on occurrences.job_id = executions.job_id
  and occurrences.scheduled_at = executions.scheduled_at
  and occurrences.execution_id = executions.id;

-- Plans are kept for as long as nobody counts a table anew, and one that was made for a table of a page reads all of it. So the
-- tables that empty themselves are never that small: the room of these rows stays.
insert into pontual.ready (lane, attempt, epoch, priority, execution_id)
select 0, 0, 0, 1, ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid
from generate_series(1, 8000) as n;
delete from pontual.ready;

insert into pontual.delayed (execution_id, due_at, lane, attempt, epoch, priority)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 'epoch', 0, 0, 0, 1
from generate_series(1, 8000) as n;
delete from pontual.delayed;

insert into pontual.leases (execution_id, node_id, claimed_at, lane, attempt, epoch, priority)
select id, id, 'epoch', 0, 0, 0, 1
from generate_series(1, 8000) as n
cross join lateral (
  select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid as id
) as filler;
delete from pontual.leases;
