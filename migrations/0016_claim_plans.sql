-- The functions of the claim and of the polls without planner settings: a planner setting such as enable_sort = off produces estimates of 10^10, and a
-- server with its default settings then compiles every call (JIT), which takes up to a second.
--
-- Safe while old nodes run: names, arguments and results of all functions are unchanged, and so is what they return.
--
-- Each query is written so that the index scan is the cheapest plan, with fresh, stale and missing statistics. Three rules lead there:
--
-- 1. Rows of `ready` and `delayed` are read in index order up to a constant number, behind "cross join generate_series(1, one)": one row, of which the
--    planner expects a thousand. It then expects far more rows than the constant, so that a plan that starts without a sort wins, whatever the statistics
--    say. Without it a table with a million dead tuples and two live ones is read sequentially: the planner divides the pages of the index by the live rows.
-- 2. One row by its key is read by "cross join lateral (select ... where id = x limit 1)", which cannot become a join that reads the whole table per row.
-- 3. A table that is small when its plan is cached has at least 20 pages, so that its index is cheaper from the start.

-- Lanes that hold anything, in their order from one on and round to another, by steps from one to the next; those that are given are left out.
create or replace function pontual.busy_lanes(left_out bigint[], after bigint, until bigint, most integer)
returns setof bigint
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
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
      cross join generate_series(1, one)
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

-- The heads of lanes, each in the order of priority and age, from where each priority begins, and at most so many of each; at most 10,000.
create or replace function pontual.ready_heads(
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
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
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
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.lane = busy.lane
          and ready.priority = 1
          and ready.execution_id >= busy.first_high
        order by ready.execution_id
        limit 10000
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.lane = busy.lane
          and ready.priority = 2
          and ready.execution_id >= busy.first_medium
        order by ready.execution_id
        limit 10000
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.lane = busy.lane
          and ready.priority = 3
          and ready.execution_id >= busy.first_low
        order by ready.execution_id
        limit 10000
      )
    ) as by_priority
    limit busy.depth
  ) as head;
end
$$;

-- The one priority of which the only lane holds anything; null where there are more lanes, where it is a job's own, and where it holds nothing, or more
-- than one priority.
create or replace function pontual.sole_priority(lanes bigint[], first_high uuid[], first_medium uuid[], first_low uuid[])
returns integer
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
  sole bigint := lanes[1];
  has_high boolean;
  has_medium boolean;
  has_low boolean;
begin
  if cardinality(lanes) <> 1 or exists (select from pontual.lanes as own where own.id = sole and own.job_id is not null) then
    return null;
  end if;
  has_high := (
    select true
    from pontual.ready
    cross join generate_series(1, one)
    where lane = sole and priority = 1 and execution_id >= first_high[1]
    order by execution_id
    limit 1
  );
  has_medium := (
    select true
    from pontual.ready
    cross join generate_series(1, one)
    where lane = sole and priority = 2 and execution_id >= first_medium[1]
    order by execution_id
    limit 1
  );
  has_low := (
    select true
    from pontual.ready
    cross join generate_series(1, one)
    where lane = sole and priority = 3 and execution_id >= first_low[1]
    order by execution_id
    limit 1
  );
  return case
    when num_nonnulls(has_high, has_medium, has_low) <> 1 then null
    when has_high then 1
    when has_medium then 2
    else 3
  end;
end
$$;

-- Takes the head of a lane that holds one priority only, which is what most claims meet: there is nothing to rank. Bodies are read by the same
-- statement that takes the rows: rows committed after the caller's statement began are taken too, and the caller's snapshot does not contain their bodies.
-- A row whose execution was removed is deleted and not returned. Rows are locked one by one as the outermost limit asks for them.
create or replace function pontual.take_head(one bigint, sole integer, first_id uuid, most integer)
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
set plan_cache_mode = force_generic_plan
as $$
declare
  single integer := 1;
begin
  return query
  with taken as (
    delete from pontual.ready
    where ctid = any(array(
      select place
      from (
        select place
        from (
          select ready.ctid as place
          from pontual.ready
          cross join generate_series(1, single) as thousand
          cross join generate_series(1, single) as million
          where ready.lane = one
            and ready.priority = sole
            and ready.execution_id >= first_id
          order by ready.execution_id
          for update of ready skip locked
        ) as locked
        limit 10000
      ) as bounded
      limit most
    ))
    returning ready.execution_id as id, ready.attempt, ready.epoch, ready.job_id
  )
  select
    taken.id,
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
  cross join lateral (
    select
      executions.origin,
      executions.payload,
      executions.scheduled_at,
      executions.max_attempts,
      executions.idempotency_key,
      executions.options,
      executions.created_at
    from pontual.executions
    where executions.id = taken.id
    limit 1
  ) as body;
end
$$;

-- Lanes of tenants, and of jobs, that have as many leases as they may, and of tenants that are suspended: a hint, so that they need not be looked at. A
-- durable execution of a job that has begun keeps its place until it ends: those that wait count, unless one may be there that continues. No job allows
-- more than 10,000 at once.
create or replace function pontual.full_lanes(asked bigint[])
returns setof bigint
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
  common integer;
  are_suspended boolean;
begin
  select
    (select value::integer from pontual.settings where name = 'tenantConcurrency'),
    (select not value::boolean from pontual.settings where name = 'flag.JOBS_SCHEDULING')
  into common, are_suspended;
  return query
  select own.id
  from unnest(asked) as each (id)
  cross join lateral (
    select lanes.id, lanes.tenant_id, lanes.job_id
    from pontual.lanes
    where lanes.id = each.id
    limit 1
  ) as own
  cross join lateral (
    select tenants.id, tenants.concurrency, tenants.is_suspended
    from pontual.tenants
    where tenants.id = own.tenant_id
    limit 1
  ) as holder
  where coalesce(holder.is_suspended, are_suspended)
    or coalesce(holder.concurrency, common, -1) >= 0
    and (
      select count(*)
      from pontual.leases
      where pontual.tenant_of(lane) = holder.id
        and tenant_slot is not null
    ) >= coalesce(holder.concurrency, common)
    or own.job_id is not null
    and (select count(*) from pontual.leases where leases.job_id = own.job_id)
      + case
        when (
          select true
          from pontual.ready
          cross join generate_series(1, one)
          where ready.job_id = own.job_id
            and ready.epoch > 0
          order by ready.execution_id
          limit 1
        ) then 0
        else cardinality(array(
          select delayed.execution_id
          from pontual.delayed
          cross join generate_series(1, one) as thousand
          cross join generate_series(1, one) as million
          where delayed.job_id = own.job_id
            and delayed.is_parked
          order by delayed.execution_id
          limit 10000
        ))
      end
      >= (select (definition ->> 'concurrency')::integer from pontual.jobs where jobs.id = own.job_id);
end
$$;

-- Free slots of jobs that have lanes of their own. A job that moved to another queue has several, which share its slots: all are given the same.
--
-- A durable execution that has begun keeps its place until it ends. So of the slots those that have not begun get the ones left by all that have begun,
-- parked or ready. These have every slot that no lease has, and wait for none that is parked: where a limit was lowered there are more of them than may run,
-- and they take turns. Those that are ready are given by their place, so that they are found behind any number of others. No job allows more than 10,000.
create or replace function pontual.job_slots(asked bigint[], most integer)
returns table (lane bigint, slots integer[], is_contended boolean, fresh integer, begun tid[])
language plpgsql volatile rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
  limited uuid[] := array(
    select distinct own.job_id
    from unnest(asked) as each (id)
    cross join lateral (
      select lanes.job_id
      from pontual.lanes
      where lanes.id = each.id
      limit 1
    ) as own
    where own.job_id is not null
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
    not held.is_locked,
    held.concurrency - held.running - held.parked - cardinality(held.begun),
    held.begun
  from (
    select
      own.id as lane,
      own.job_id = any(locked) as is_locked,
      (rule.definition ->> 'concurrency')::integer as concurrency,
      (select count(*)::integer from pontual.leases where leases.job_id = own.job_id) as running,
      cardinality(array(
        select delayed.execution_id
        from pontual.delayed
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where delayed.job_id = own.job_id
          and delayed.is_parked
        order by delayed.execution_id
        limit 10000
      )) as parked,
      array(
        select ready.ctid
        from pontual.ready
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.job_id = own.job_id
          and ready.epoch > 0
          and (select pontual.is_durable(options) from pontual.executions where id = ready.execution_id)
        order by ready.execution_id
        limit 10000
      ) as begun,
      array(
        select job_slot
        from pontual.leases
        where leases.job_id = own.job_id
          and job_slot is not null
      ) as used
    from unnest(asked) as each (id)
    cross join lateral (
      select lanes.id, lanes.job_id
      from pontual.lanes
      where lanes.id = each.id
      limit 1
    ) as own
    left join lateral (
      select jobs.definition
      from pontual.jobs
      where jobs.id = own.job_id
      limit 1
    ) as rule on true
    where own.job_id is not null
    -- Evaluated once per lane: a flattened subquery would evaluate each column wherever it is used.
    offset 0
  ) as held;
end
$$;

-- Those of a lane at given places, but for those that were seen. Stable on purpose: it sees what the claim sees.
alter function pontual.begun_heads(bigint, tid[], tid[]) reset enable_seqscan;

-- Gives a partition of executions 25 pages, by rows that are deleted at once; their ids begin with that of the month.
create function pontual.make_room(part text, first_id uuid)
returns void
language plpgsql volatile
as $$
begin
  execute format(
    'with room as (
      insert into pontual.%1$I (id, lane, priority, payload, origin, max_attempts, created_at)
      select (left($1::text, 24) || to_char(n, ''FM000000000000''))::uuid, 0, 1, repeat(''-'', 1800), ''enqueue'', 0, ''epoch''
      from generate_series(1, 100) as n
    )
    select',
    part
  )
  using first_id;
  execute format('delete from pontual.%I where lane = 0 and id < (left($1::text, 24) || ''000000000101'')::uuid', part) using first_id;
end
$$;

-- Tables of which the functions above read single rows by their keys are never smaller than 20 pages (rule 3): the room of these rows stays.
alter table pontual.tenants set (vacuum_truncate = off);
alter table pontual.lanes set (vacuum_truncate = off);
alter table pontual.jobs set (vacuum_truncate = off);
alter table pontual.occurrences set (vacuum_truncate = off);

insert into pontual.tenants (id, name)
overriding system value
select -n, repeat('-', 1900) || n
from generate_series(1, 100) as n;

insert into pontual.lanes (id, tenant_id, queue, job_type)
select (-1::bigint << 20) + n, -1, '', repeat('-', 1900) || n
from generate_series(1, 100) as n;

insert into pontual.jobs (id, tenant, name, status, origin, job_type, definition, payload, trigger_now, times_triggered, version, created_at, updated_at)
select
  ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid,
  '',
  'room-' || n,
  'DISABLED',
  'runtime',
  '',
  '{}',
  repeat('-', 1700),
  '{}',
  0,
  0,
  'epoch',
  'epoch'
from generate_series(1, 100) as n;

insert into pontual.occurrences (job_id, scheduled_at, execution_id, decision, misfire, recorded_at)
select id, 'epoch', id, 'fired', jsonb_build_object('room', repeat('-', 1700)), 'epoch'
from pontual.jobs
where id <= '00000000-0000-0000-0000-000000000100';

delete from pontual.occurrences where job_id <= '00000000-0000-0000-0000-000000000100';
delete from pontual.jobs where id <= '00000000-0000-0000-0000-000000000100';
delete from pontual.lanes where id < 0;
delete from pontual.tenants where id < 0;

-- The same for bodies: a month whose partition was vacuumed while it was empty would be read sequentially until it is analyzed. New partitions are made
-- with that room (src/store/postgres/partitions.ts).
do $$
declare
  part text;
  first_id uuid;
begin
  for part, first_id in
    select
      relname,
      case
        when relname = 'executions_default' then '00000000-0000-0000-0000-000000000000'::uuid
        else pontual.first_uuid_at((replace(right(relname, 7), '_', '-') || '-01T00:00:00Z')::timestamptz)
      end
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = 'pontual.executions'::regclass
      and pg_relation_size(pg_class.oid) < 20 * 8192
    order by relname
  loop
    execute format('alter table pontual.%I set (vacuum_truncate = off)', part);
    perform pontual.make_room(part, first_id);
  end loop;
end
$$;
