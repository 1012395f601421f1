-- Changes the limit of those that have none of their own; null for none.
create or replace function pontual.limit_other_tenants(concurrency integer)
returns void
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(1886352499, 0);
  if concurrency is null then
    delete from pontual.settings where name = 'tenantConcurrency';
    return;
  end if;
  insert into pontual.settings (name, value)
  values ('tenantConcurrency', to_jsonb(concurrency))
  on conflict (name) do update
  set value = excluded.value;
  perform pontual.number_leases();
end
$$;
