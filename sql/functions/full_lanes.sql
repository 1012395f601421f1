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
