-- Changes limits; -1 for none, null for the default. Waits for claims under way, so that nothing is claimed beyond a limit once it stands.
create or replace function pontual.limit_tenants(names text[], limits integer[])
returns void
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(1886352499, 0);
  insert into pontual.tenants (name, concurrency)
  select wanted.name, wanted.concurrency
  from unnest(names, limits) as wanted (name, concurrency)
  order by wanted.name collate "C"
  on conflict (name) do update
  set concurrency = excluded.concurrency;
  perform pontual.number_leases();
end
$$;
