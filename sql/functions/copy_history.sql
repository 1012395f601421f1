-- Begins the history of a run as that of another began before a call. Whoever was doing an activity did so for the other run, and may have been told to end
-- with it.
create or replace function pontual.copy_history(other uuid, first integer, run uuid)
returns void
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into pontual.history_entries (
    execution_id,
    sequence,
    epoch,
    position,
    calls,
    attempt,
    started_at,
    due_at,
    ended_at,
    child_id,
    kind,
    status,
    name,
    input,
    output,
    error,
    details
  )
  select
    run,
    history.sequence,
    0,
    history.position,
    least(history.calls, first - 1),
    history.attempt,
    history.started_at,
    history.due_at,
    history.ended_at,
    case when history.status <> 'RUNNING' or history.kind = 'child' then history.child_id end,
    history.kind,
    history.status,
    history.name,
    history.input,
    history.output,
    history.error,
    history.details
  from pontual.history_entries as history
  where history.execution_id = other
    and history.sequence < first
    and (history.sequence >= 0 or history.calls < first);
  perform pontual.relink_children(run);
end
$$;
