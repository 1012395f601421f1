-- Flags: what is switched off, for a tenant or for all. Two of them are the engine's, and stand with the tenants as well: the claim and the scheduler read
-- them there, and no further table.
--
-- Safe while old nodes run: their claims ask the functions below, and take nothing of a tenant that is suspended. What fires meanwhile they put into the
-- queue instead of skipping it, and they try again what fails, until they are replaced.

-- Each null where nobody has said anything about the tenant: what holds for all stands in pontual.settings.
alter table pontual.tenants
  add column is_suspended boolean,
  add column is_without_retries boolean;
create index tenants_without_retries on pontual.tenants (name) where is_without_retries is not null;

-- What a tenant has settled, and what a provider of flags has answered for it, which goes before.
create table pontual.tenant_flags (
  tenant text collate "C" not null,
  flag text collate "C" not null,
  stored boolean,
  provided boolean,
  primary key (tenant, flag)
);

-- Free slots of those tenants that have a limit, at most so many each: the lowest numbers. Leases beyond a limit that was lowered count too. One that is
-- suspended has none. No limit changes until the claim is over: who changes one waits for claims under way, and those that come meanwhile find all contended.
create or replace function pontual.tenant_slots(asked integer[], most integer)
returns table (tenant integer, slots integer[], is_contended boolean)
language plpgsql volatile rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  common integer;
  are_suspended boolean;
  limited integer[];
  locked integer[];
begin
  if not pg_try_advisory_xact_lock_shared(1886352499, 0) then
    return query
    select each, '{}'::integer[], true
    from unnest(asked) as each;
    return;
  end if;
  select
    (select value::integer from pontual.settings where name = 'tenantConcurrency'),
    (select not value::boolean from pontual.settings where name = 'flag.JOBS_SCHEDULING')
  into common, are_suspended;
  limited := array(
    select id
    from pontual.tenants
    where id = any(asked)
      and (coalesce(concurrency, common, -1) >= 0 or coalesce(is_suspended, are_suspended))
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
      case when coalesce(tenants.is_suspended, are_suspended) then 0 else coalesce(tenants.concurrency, common) end
        as concurrency,
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

-- Lanes of tenants, and of jobs, that have as many leases as they may, and of tenants that are suspended: a hint, so that they need not be looked at. A
-- durable execution of a job that has begun keeps its place until it ends: those that wait count, unless one may be there that goes on.
create or replace function pontual.full_lanes(asked bigint[])
returns setof bigint
language plpgsql stable rows 10
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
declare
  common integer;
  are_suspended boolean;
begin
  select
    (select value::integer from pontual.settings where name = 'tenantConcurrency'),
    (select not value::boolean from pontual.settings where name = 'flag.JOBS_SCHEDULING')
  into common, are_suspended;
  return query
  select lanes.id
  from pontual.lanes
  join pontual.tenants on tenants.id = lanes.tenant_id
  where lanes.id = any(asked)
    and (
      coalesce(tenants.is_suspended, are_suspended)
      or coalesce(tenants.concurrency, common, -1) >= 0
      and (
        select count(*)
        from pontual.leases
        where pontual.tenant_of(lane) = tenants.id
          and tenant_slot is not null
      ) >= coalesce(tenants.concurrency, common)
      or lanes.job_id is not null
      and (select count(*) from pontual.leases where leases.job_id = lanes.job_id)
        + case
          when (
            select true
            from pontual.ready
            where ready.job_id = lanes.job_id
              and ready.epoch > 0
            order by ready.execution_id
            limit 1
          ) then 0
          else cardinality(array(
            select delayed.execution_id
            from pontual.delayed
            where delayed.job_id = lanes.job_id
              and delayed.is_parked
            order by delayed.execution_id
          ))
        end
        >= (select (definition ->> 'concurrency')::integer from pontual.jobs where jobs.id = lanes.job_id)
    );
end
$$;

-- Switches flags for tenants, as they have settled it or as a provider has answered; null where nothing is said any more. Waits for claims under way where it
-- suspends, so that nothing of a tenant is claimed once it is.
create function pontual.put_flags(names text[], flags text[], are_on boolean[], are_provided boolean)
returns void
language plpgsql volatile
as $$
begin
  if 'JOBS_SCHEDULING' = any(flags) then
    perform pg_advisory_xact_lock(1886352499, 0);
  end if;
  insert into pontual.tenant_flags (tenant, flag, stored, provided)
  select
    wanted.name,
    wanted.flag,
    case when not are_provided then wanted.is_on end,
    case when are_provided then wanted.is_on end
  from unnest(names, flags, are_on) as wanted (name, flag, is_on)
  where wanted.is_on is not null
    or exists (
      select
      from pontual.tenant_flags
      where tenant_flags.tenant = wanted.name
        and tenant_flags.flag = wanted.flag
    )
  order by wanted.name collate "C", wanted.flag collate "C"
  on conflict (tenant, flag) do update
  set
    stored = case when are_provided then tenant_flags.stored else excluded.stored end,
    provided = case when are_provided then excluded.provided else tenant_flags.provided end
  where case when are_provided then tenant_flags.provided else tenant_flags.stored end
    is distinct from case when are_provided then excluded.provided else excluded.stored end;

  insert into pontual.tenants (name)
  select distinct wanted.name collate "C"
  from unnest(names) as wanted (name)
  where not exists (select from pontual.tenants where tenants.name = wanted.name)
  order by 1
  on conflict do nothing;
  update pontual.tenants
  set
    is_suspended = said.is_suspended,
    is_without_retries = said.is_without_retries
  from (
    select
      tenant_flags.tenant,
      bool_or(not coalesce(provided, stored)) filter (where flag = 'JOBS_SCHEDULING') as is_suspended,
      bool_or(not coalesce(provided, stored)) filter (where flag = 'JOB_RETRY_POLICY') as is_without_retries
    from pontual.tenant_flags
    where tenant_flags.tenant = any(names)
    group by tenant_flags.tenant
  ) as said
  where tenants.name = said.tenant
    and (tenants.is_suspended, tenants.is_without_retries)
      is distinct from (said.is_suspended, said.is_without_retries);
end
$$;

-- Switches flags for all tenants of which nothing else is said; null for what holds by itself.
create function pontual.put_default_flags(flags text[], are_on boolean[])
returns void
language plpgsql volatile
as $$
begin
  if 'JOBS_SCHEDULING' = any(flags) then
    perform pg_advisory_xact_lock(1886352499, 0);
  end if;
  delete from pontual.settings
  using unnest(flags, are_on) as wanted (flag, is_on)
  where settings.name = 'flag.' || wanted.flag
    and wanted.is_on is null;
  insert into pontual.settings (name, value)
  select 'flag.' || wanted.flag, to_jsonb(wanted.is_on)
  from unnest(flags, are_on) as wanted (flag, is_on)
  where wanted.is_on is not null
  order by 1
  on conflict (name) do update
  set value = excluded.value;
end
$$;

select pontual.secure_rows();
