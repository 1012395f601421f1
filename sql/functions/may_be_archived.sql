-- Whether an execution is older than the youngest month in the archive. What is asked many times, and mostly of what is younger, asks this first: to look into
-- the archive is to lock each of its months.
create or replace function pontual.may_be_archived(execution uuid)
returns boolean
language plpgsql stable strict parallel safe
as $$
begin
  return coalesce(
    execution operator(pg_catalog.<) (
      select (value operator(pg_catalog.#>>) '{}'::text[])::uuid
      from pontual.settings
      where name operator(pg_catalog.=) 'archivedBefore'
    ),
    false
  );
end
$$;
