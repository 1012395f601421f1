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
