-- What runs without a slot although its tenant has a limit, because it had none when that began, is given one. Rows are locked in the order of
-- their keys, as by all who take several leases.
create or replace function pontual.number_leases()
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
