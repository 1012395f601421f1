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
