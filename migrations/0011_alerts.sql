-- Alerts: what is wrong, from when it was noticed until it was over; by which rules; and where figures stand that may yet become one.
--
-- Safe while old nodes run: a job that fails or recovers on an old node opens and closes its alert too. Nothing ends while the two indexes are made, which
-- read all results and attempts there are.

create table pontual.alerts (
  id uuid primary key,
  tenant text collate "C" not null,
  scope text not null check (scope in ('tenant', 'global')),
  kind text not null,
  job_id uuid,
  execution_id uuid,
  value double precision,
  threshold double precision,
  since timestamptz not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  outcome text check (outcome in ('recovered', 'cleared', 'removed', 'disabled')),
  is_opening_told boolean not null default false,
  is_closing_told boolean not null default false,
  check ((closed_at is null) = (outcome is null))
) with (fillfactor = 80, vacuum_truncate = off);
-- One at a time is open, of a job and of a figure.
create unique index alerts_open_of_job on pontual.alerts (job_id) where closed_at is null and job_id is not null;
create unique index alerts_open_of_figure on pontual.alerts (tenant, scope, kind) where closed_at is null and job_id is null;
-- As they are listed, from the end.
create index alerts_of_tenant on pontual.alerts (tenant, (closed_at is null), opened_at, id);
create index alerts_untold on pontual.alerts (opened_at, id)
where not is_opening_told or (closed_at is not null and not is_closing_told);
create index alerts_recovered on pontual.alerts (tenant, closed_at) where outcome = 'recovered';
create index alerts_closed on pontual.alerts (closed_at) where closed_at is not null;

-- What a tenant has settled in place of what is usual.
create table pontual.alert_rules (
  tenant text collate "C" not null,
  scope text not null check (scope in ('tenant', 'global')),
  kind text collate "C" not null,
  is_enabled boolean not null,
  threshold double precision,
  clear_at double precision,
  hold_seconds integer not null,
  clear_seconds integer not null,
  updated_at timestamptz not null,
  primary key (tenant, scope, kind)
);

-- Figures that are not simply well.
create table pontual.alert_states (
  tenant text collate "C" not null,
  scope text not null,
  kind text collate "C" not null,
  alert_id uuid,
  high_since timestamptz,
  low_since timestamptz,
  primary key (tenant, scope, kind)
) with (vacuum_truncate = off);

-- One row: when somebody looks at everything next, and when a node was last seen alive.
create table pontual.alert_watch (
  is_only boolean primary key default true check (is_only),
  due_at timestamptz not null,
  alive_at timestamptz not null
) with (fillfactor = 50, vacuum_truncate = off);

create index results_timed_out on pontual.results (finished_at) where status = 'TIMEOUT';
create index attempts_timed_out on pontual.attempts (ended_at) where status = 'TIMEOUT';

-- What is told of executions of jobs that have failed for good, in the transaction in which they have: to people, and by the alert of each job. It is named
-- after the execution that failed first.
alter function pontual.tell_failures(text[], timestamptz[], uuid[], uuid[]) rename to post_failures;
create function pontual.tell_failures(tenants text[], instants timestamptz[], jobs uuid[], executions uuid[])
returns void
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pontual.post_failures(tenants, instants, jobs, executions);
  insert into pontual.alerts (id, tenant, scope, kind, job_id, execution_id, since, opened_at)
  select distinct on (failure.job_id)
    failure.execution_id,
    failure.tenant,
    'tenant',
    'jobFailed',
    failure.job_id,
    failure.execution_id,
    failure.at,
    failure.at
  from unnest(tenants, instants, jobs, executions) as failure (tenant, at, job_id, execution_id)
  where not exists (
    select from pontual.alert_rules
    where alert_rules.tenant = failure.tenant
      and alert_rules.scope = 'tenant'
      and alert_rules.kind = 'jobFailed'
      and not alert_rules.is_enabled
  )
  order by failure.job_id, failure.at, failure.execution_id
  on conflict do nothing;
end
$$;

revoke execute on function
  pontual.tell_failures(text[], timestamptz[], uuid[], uuid[]),
  pontual.post_failures(text[], timestamptz[], uuid[], uuid[])
from public;

-- Closes the alerts of jobs whose last end is a success. The chains of their tenants are locked by then: nobody else ends anything of these jobs.
create function pontual.close_recovered(ended uuid[])
returns void
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform from pontual.alerts
  where closed_at is null
    and job_id is not null
  limit 1;
  if not found then
    return;
  end if;
  with last as materialized (
    select distinct on (executions.job_id)
      executions.job_id,
      results.status,
      results.finished_at
    from pontual.executions
    join pontual.results on results.execution_id = executions.id
    where executions.id = any(ended)
      and executions.job_id is not null
      and results.status <> 'CANCELLED'
    order by executions.job_id, results.finished_at desc, executions.id desc
  ),
  recovered as materialized (
    select alerts.id, greatest(last.finished_at, alerts.opened_at) as at
    from last
    join pontual.alerts
      on alerts.job_id = last.job_id
      and alerts.closed_at is null
    where last.status = 'SUCCESS'
    order by alerts.id
    for update of alerts
  )
  update pontual.alerts
  set
    closed_at = recovered.at,
    outcome = 'recovered'
  from recovered
  where alerts.id = recovered.id;
end
$$;

-- Numbers executions that have just ended, writes the entry of each, tells of failures, and closes the alerts of jobs that have recovered.
alter function pontual.write_ends(uuid[]) rename to write_told_ends;
create function pontual.write_ends(ended uuid[])
returns void
language plpgsql volatile
as $$
begin
  perform pontual.write_told_ends(ended);
  perform pontual.close_recovered(ended);
end
$$;

revoke execute on function pontual.write_ends(uuid[]), pontual.write_told_ends(uuid[]), pontual.close_recovered(uuid[]) from public;

-- How many executions of each tenant run, could be claimed (counted up to a number), and of how many attempts that ended within the last hour how many timed
-- out. Tenants without any of these are left out. Attempts are counted only where at least two have timed out, and then of a sample: the newest executions, of
-- which many may not have begun, and those up to the last that has timed out. The more tenants, the fewer of each, so that it never takes long. Between one
-- and the same is an order that only the index of tenants has.
create function pontual.alert_figures(instant timestamptz, count_to integer, oldest uuid)
returns table (tenant text, running integer, most integer, queued integer, attempts integer, timeouts integer)
language plpgsql stable rows 100
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
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
      executions.lane >> 20 as tenant_id,
      max(executions.id::text)::uuid as last_id,
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
    join pontual.executions on executions.id = timed_out.execution_id
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
          and not exists (
            select from pontual.attempts
            where attempts.execution_id = results.execution_id
              and attempts.epoch = results.epoch
          )
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

-- Keeps where figures stand, opens alerts and closes them, each where the figure still stands as whoever decided saw it. Gives the alerts that were opened or
-- closed. In the order of the figures, so that two who do this at once wait for one another.
create function pontual.record_alerts(changes jsonb)
returns setof uuid
language plpgsql volatile rows 10
as $$
declare
  change jsonb;
  own_key record;
  was jsonb;
  becomes jsonb;
  alert jsonb;
begin
  for change in
    select each
    from jsonb_array_elements(changes) as each
    order by each ->> 'tenant' collate "C", each ->> 'scope', each ->> 'kind'
  loop
    select change ->> 'tenant' as tenant, change ->> 'scope' as scope, change ->> 'kind' as kind into own_key;
    was := nullif(change -> 'before', 'null');
    becomes := nullif(change -> 'after', 'null');
    if was is null and becomes is not null then
      insert into pontual.alert_states (tenant, scope, kind, alert_id, high_since, low_since)
      values (
        own_key.tenant,
        own_key.scope,
        own_key.kind,
        (becomes ->> 'alertId')::uuid,
        pontual.from_ms((becomes ->> 'highSince')::float8),
        pontual.from_ms((becomes ->> 'lowSince')::float8)
      )
      on conflict do nothing;
    elsif becomes is null then
      delete from pontual.alert_states
      where alert_states.tenant = own_key.tenant
        and alert_states.scope = own_key.scope
        and alert_states.kind = own_key.kind
        and alert_states.alert_id is not distinct from (was ->> 'alertId')::uuid
        and alert_states.high_since is not distinct from pontual.from_ms((was ->> 'highSince')::float8)
        and alert_states.low_since is not distinct from pontual.from_ms((was ->> 'lowSince')::float8);
    else
      update pontual.alert_states
      set
        alert_id = (becomes ->> 'alertId')::uuid,
        high_since = pontual.from_ms((becomes ->> 'highSince')::float8),
        low_since = pontual.from_ms((becomes ->> 'lowSince')::float8)
      where alert_states.tenant = own_key.tenant
        and alert_states.scope = own_key.scope
        and alert_states.kind = own_key.kind
        and alert_states.alert_id is not distinct from (was ->> 'alertId')::uuid
        and alert_states.high_since is not distinct from pontual.from_ms((was ->> 'highSince')::float8)
        and alert_states.low_since is not distinct from pontual.from_ms((was ->> 'lowSince')::float8);
    end if;
    continue when not found;
    alert := nullif(change -> 'opens', 'null');
    if alert is not null then
      insert into pontual.alerts (id, tenant, scope, kind, value, threshold, since, opened_at)
      values (
        (alert ->> 'id')::uuid,
        own_key.tenant,
        own_key.scope,
        own_key.kind,
        (alert ->> 'value')::float8,
        (alert ->> 'threshold')::float8,
        pontual.from_ms((alert ->> 'since')::float8),
        pontual.from_ms((alert ->> 'openedAt')::float8)
      )
      on conflict do nothing;
      if found then
        return next (alert ->> 'id')::uuid;
      end if;
    end if;
    alert := nullif(change -> 'closes', 'null');
    if alert is not null then
      update pontual.alerts
      set
        closed_at = pontual.from_ms((alert ->> 'at')::float8),
        outcome = alert ->> 'outcome'
      where id = (alert ->> 'id')::uuid
        and closed_at is null;
      if found then
        return next (alert ->> 'id')::uuid;
      end if;
    end if;
  end loop;
end
$$;

select pontual.secure_rows();
