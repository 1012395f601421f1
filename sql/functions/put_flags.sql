-- Switches flags for tenants, as they have settled it or as a provider has answered; null where nothing is said any more. Waits for claims under way where it
-- suspends, so that nothing of a tenant is claimed once it is.
create or replace function pontual.put_flags(names text[], flags text[], are_on boolean[], are_provided boolean)
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
