-- Whose a thing is; null where there is none, and not where it is another's. They are asked for each row: to set the search path each time would take longer
-- than the rest, so that their operators name their schema.
create or replace function pontual.owner_of_execution(execution uuid)
returns integer
language plpgsql stable parallel safe security definer
as $$
declare
  owner integer := (
    select (executions.lane operator(pg_catalog.>>) 20)::pg_catalog.int4
    from pontual.executions
    where executions.id operator(pg_catalog.=) execution
  );
begin
  if owner is null and pontual.may_be_archived(execution) then
    owner := (
      select (executions_archive.lane operator(pg_catalog.>>) 20)::pg_catalog.int4
      from pontual.executions_archive
      where executions_archive.id operator(pg_catalog.=) execution
    );
  end if;
  return owner;
end
$$;
