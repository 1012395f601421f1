-- All other functions without planner settings: enable_seqscan = off and similar produce estimates of 10^10, and a server with its default settings then
-- compiles every call (JIT), which takes up to a second. What these settings were for, that a plan cached while a table was small reads it by index, is left
-- to room: a table that grows is never smaller than some pages, so that its index is cheaper from the start (0016).
--
-- Safe while old nodes run: names, arguments and results of all functions are unchanged, and so is what they return.

do $$
declare
  planned regprocedure;
  switch text;
begin
  for planned, switch in
    select pg_proc.oid::regprocedure, split_part(setting, '=', 1)
    from pg_proc
    cross join unnest(proconfig) as setting
    where pronamespace = 'pontual'::regnamespace
      and starts_with(setting, 'enable_')
    order by 1, 2
  loop
    execute format('alter function %s reset %I', planned, switch);
  end loop;
end
$$;

-- How many executions of each tenant run, could be claimed (counted up to a number), and of how many attempts that ended within the last hour how many timed
-- out. Tenants without any of these are left out. Attempts are counted only where at least two have timed out, and then of a sample: the newest executions, of
-- which many may not have started, and those up to the last that has timed out. The more tenants, the fewer of each, so that it never takes long. Between one
-- and the same is an order that only the index of tenants has. Single rows are read behind "limit 1", which cannot become a join that reads the whole table.
create or replace function pontual.alert_figures(instant timestamptz, count_to integer, oldest uuid)
returns table (tenant text, running integer, most integer, queued integer, attempts integer, timeouts integer)
language plpgsql stable rows 100
set plan_cache_mode = force_generic_plan
as $$
declare
  common integer := (select value::integer from pontual.settings where name = 'tenantConcurrency');
  since timestamptz := instant - interval '1 hour';
begin
  return query
  with held as materialized (
    select pontual.tenant_of(leases.lane) as tenant_id, count(*)::integer as running
    from pontual.leases
    group by 1
  ),
  late as materialized (
    select
      body.lane >> 20 as tenant_id,
      max(timed_out.execution_id::text)::uuid as last_id,
      greatest(100, least(2500, 20000 / count(*) over ())) as most
    from (
      (
        select results.execution_id
        from pontual.results
        where results.status = 'TIMEOUT'
          and results.finished_at >= since
        order by results.finished_at desc
        limit 5000
      )
      union all
      (
        select attempts.execution_id
        from pontual.attempts
        where attempts.status = 'TIMEOUT'
          and attempts.ended_at >= since
        order by attempts.ended_at desc
        limit 5000
      )
    ) as timed_out
    cross join lateral (
      select executions.lane
      from pontual.executions
      where executions.id = timed_out.execution_id
      limit 1
    ) as body
    group by 1
    having count(*) > 1
  ),
  tried as materialized (
    select late.tenant_id, counted.attempts, counted.timeouts
    from late
    cross join lateral (
      select count(*)::integer as attempts, (count(*) filter (where ended.status = 'TIMEOUT'))::integer as timeouts
      from (
        (
          select executions.id
          from pontual.executions
          where executions.lane >> 20 between late.tenant_id and late.tenant_id
            and executions.id >= oldest
          order by executions.lane >> 20 desc, executions.id desc
          limit late.most
        )
        union
        (
          select executions.id
          from pontual.executions
          where executions.lane >> 20 between late.tenant_id and late.tenant_id
            and executions.id >= oldest
            and executions.id <= late.last_id
          order by executions.lane >> 20 desc, executions.id desc
          limit late.most
        )
      ) as newest
      cross join lateral (
        select results.status
        from pontual.results
        where results.execution_id = newest.id
          and results.finished_at >= since
          and results.started_at is not null
          and (
            select true
            from pontual.attempts
            where attempts.execution_id = newest.id
              and attempts.epoch = results.epoch
          ) is null
        union all
        select attempts.status
        from pontual.attempts
        where attempts.execution_id = newest.id
          and attempts.ended_at >= since
      ) as ended
    ) as counted
  ),
  figures as materialized (
    select
      tenants.name as tenant,
      coalesce(held.running, 0) as running,
      nullif(coalesce(tenants.concurrency, common, -1), -1) as most,
      (
        select count(*)::integer
        from (
          select
          from pontual.ready
          where ready.lane >= tenants.id::bigint << 20
            and ready.lane < (tenants.id + 1)::bigint << 20
          limit count_to
        ) as counted
      ) as queued,
      coalesce(tried.attempts, 0) as attempts,
      coalesce(tried.timeouts, 0) as timeouts
    from pontual.tenants
    left join held on held.tenant_id = tenants.id
    left join tried on tried.tenant_id = tenants.id
  )
  select figures.tenant, figures.running, figures.most, figures.queued, figures.attempts, figures.timeouts
  from figures
  where figures.running > 0
    or figures.queued > 0
    or figures.attempts > 0
  order by figures.tenant;
end
$$;

-- Executions that were made before an id and have finished since. Both bounds of the instant are given, so that a plan that does not know their values expects
-- few rows and takes the index of ends. In plpgsql, so that it is not inlined: its caller would read the whole history.
create or replace function pontual.ended_late(since timestamptz, before_id uuid)
returns setof pontual.results
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select *
  from pontual.results
  where finished_at >= since
    and finished_at < 'infinity'
    and (execution_id < before_id) is true;
end
$$;

-- What belongs to a tenant is found by its lanes; lanes_shared (0001) leaves out those of jobs.
create index lanes_of_tenant on pontual.lanes (tenant_id);

-- Gives a partition of what is recorded of executions 100 pages, by rows that are deleted at once; their ids begin with that of the month.
create function pontual.make_room_in(parent text, part text, first_id uuid)
returns void
language plpgsql volatile
as $$
declare
  key text := case parent when 'executions' then 'id' else 'execution_id' end;
  last_id uuid := (left(first_id::text, 24) || '000000000400')::uuid;
begin
  if parent = 'audit_entries' then
    return;
  end if;
  execute format('alter table pontual.%I set (vacuum_truncate = off)', part);
  execute format(
    'insert into pontual.%I (%I, %s) select (left($1::text, 24) || to_char(n, ''FM000000000000''))::uuid, %s from generate_series(1, 400) as n',
    part,
    key,
    case parent
      when 'executions' then 'lane, priority, payload, origin, max_attempts, created_at'
      when 'results' then 'output, status, attempt, epoch, is_reported, finished_at'
      when 'attempts' then 'error, attempt, epoch, status, node_id, started_at, ended_at'
      when 'execution_logs' then 'message, sequence, attempt, at, level'
      when 'history_entries' then 'output, sequence, epoch, calls, attempt, started_at, kind, status, name'
    end,
    case parent
      when 'executions' then '0, 1, repeat(''-'', 1800), ''enqueue'', 0, ''epoch'''
      when 'results' then 'repeat(''-'', 1800), ''SUCCESS'', 0, 0, true, ''epoch'''
      when 'attempts' then 'repeat(''-'', 1800), 0, 0, ''FAILED'', $1, ''epoch'', ''epoch'''
      when 'execution_logs' then 'repeat(''-'', 1800), 0, 0, ''epoch'', 0'
      when 'history_entries' then 'repeat(''-'', 1800), 0, 0, 0, 0, ''epoch'', ''activity'', ''COMPLETED'', '''''
    end
  )
  using first_id;
  execute format('delete from pontual.%I where %I between (left($1::text, 24) || ''000000000001'')::uuid and $2', part, key)
  using first_id, last_id;
end
$$;

do $$
declare
  parent text;
  part text;
  first_id uuid;
begin
  for parent, part, first_id in
    select
      archived.title,
      relname,
      case
        when relname like '%\_default' then '00000000-0000-0000-0000-000000000000'::uuid
        else pontual.first_uuid_at((replace(right(relname, 7), '_', '-') || '-01T00:00:00Z')::timestamptz)
      end
    from pontual.archived_tables() as archived
    join pg_inherits on inhparent = format('pontual.%I', archived.title)::regclass
    join pg_class on pg_class.oid = inhrelid
    where pg_relation_size(pg_class.oid) < 20 * 8192
    order by relname
  loop
    perform pontual.make_room_in(parent, part, first_id);
  end loop;
end
$$;

-- The same for tables of which single rows are read by their keys.
alter table pontual.execution_numbers set (vacuum_truncate = off);
alter table pontual.alerts set (vacuum_truncate = off);
alter table pontual.idempotency_keys set (vacuum_truncate = off);

-- Rows of few bytes: 185 of them are a page.
insert into pontual.execution_numbers (execution_id, number)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 0
from generate_series(1, 4000) as n;
delete from pontual.execution_numbers where execution_id <= '00000000-0000-0000-0000-000000004000';

insert into pontual.execution_counters (job_id, ended)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 0
from generate_series(1, 2500) as n;
delete from pontual.execution_counters where job_id <= '00000000-0000-0000-0000-000000002500';

insert into pontual.idempotency_keys (tenant, job_type, key, execution_id)
select '', repeat('-', 1800), n::text, ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid
from generate_series(1, 100) as n;
delete from pontual.idempotency_keys where tenant = '';

select pontual.secure_rows();
