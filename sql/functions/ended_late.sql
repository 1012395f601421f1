-- Executions that were made before an id and have finished since. Both bounds of the instant are given, so that a plan that does not know their values expects
-- few rows and takes the index of ends. In plpgsql, so that it is not inlined: its caller would read the whole history.
create or replace function pontual.ended_late(since timestamptz, before_id uuid)
returns setof pontual.results
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select *
  from pontual.results
  where finished_at >= since
    and finished_at < 'infinity'
    and (execution_id < before_id) is true;
end
$$;
