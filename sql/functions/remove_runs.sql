-- Removes what hangs on executions that are removed, of which some are runs.
create or replace function pontual.remove_runs(removed uuid[], runs uuid[])
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pontual.require_own(removed || runs);
  delete from pontual.checkpoints
  where execution_id = any(removed);
  delete from pontual.execution_numbers
  where execution_id = any(removed);
  if cardinality(runs) > 0 then
    delete from pontual.history_entries
    where execution_id = any(runs);
    delete from pontual.signals
    where execution_id = any(runs);
    delete from pontual.cancellations
    where execution_id = any(runs);
    delete from pontual.replays
    where execution_id = any(runs);
  end if;
end
$$;
