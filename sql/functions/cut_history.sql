-- Lets a run that is DIVERGED go on from before a call: nothing that is left may wait for calls that are not. False where it is not DIVERGED.
create or replace function pontual.cut_history(run uuid, first integer)
returns boolean
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
begin
  perform from pontual.delayed
  where execution_id = run
    and divergence is not null
  for update;
  if not found then
    return false;
  end if;
  delete from pontual.history_entries
  where execution_id = run
    and (sequence >= first or (sequence < 0 and calls >= first));
  update pontual.history_entries
  set calls = first - 1
  where execution_id = run
    and calls >= first;
  perform pontual.relink_children(run);
  with taken as (
    delete from pontual.delayed
    where execution_id = run
    returning execution_id, lane, attempt, epoch, priority, job_id
  )
  insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
  select lane, attempt, epoch, priority, execution_id, job_id
  from taken;
  return true;
end
$$;
