create or replace function pontual.audit_caused_ends()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pontual.write_waiting_ends();
  return null;
end
$$;
