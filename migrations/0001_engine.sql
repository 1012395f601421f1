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

-- A lane is what a node may or may not take: tenant, queue and job type, as one small number. Lanes are never removed.
create table pontual.lanes (
  id integer generated always as identity primary key,
  tenant text collate "C" not null,
  queue text collate "C" not null,
  job_type text collate "C" not null,
  unique (tenant, queue, job_type)
);

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
  lane integer not null,
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
  lane integer not null,
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

-- Lanes that hold anything, in their order: by steps from one to the next, leaving out those that are given.
create function pontual.busy_lanes(left_out integer[], after integer, most integer)
returns setof integer
language plpgsql stable rows 10
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  gap record;
  found_lane integer;
begin
  for gap in
    select border.lane as since, lead(border.lane, 1, 2147483647) over (order by border.lane) as until
    from unnest(left_out || after) as border (lane)
    where border.lane >= after
    order by border.lane
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

-- The heads of lanes, each in the order of priority and age, from where each priority begins.
create function pontual.ready_heads(
  lanes integer[],
  first_high uuid[],
  first_medium uuid[],
  first_low uuid[],
  depth integer
)
returns table (
  place tid,
  lane integer,
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
  from unnest(lanes, first_high, first_medium, first_low) as busy (lane, first_high, first_medium, first_low)
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
        limit depth
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        where ready.lane = busy.lane
          and ready.priority = 2
          and ready.execution_id >= busy.first_medium
        order by ready.execution_id
        limit depth
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        where ready.lane = busy.lane
          and ready.priority = 3
          and ready.execution_id >= busy.first_low
        order by ready.execution_id
        limit depth
      )
    ) as by_priority
    limit depth
  ) as head;
end
$$;

create table pontual.delayed (
  execution_id uuid primary key,
  due_at timestamptz not null,
  lane integer not null,
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
  lane integer not null,
  attempt integer not null,
  epoch integer not null,
  priority smallint not null,
  job_id uuid,
  progress double precision,
  progress_note text
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index leases_of_job on pontual.leases (job_id) where job_id is not null;

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
  lanes.tenant,
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
