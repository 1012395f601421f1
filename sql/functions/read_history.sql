-- The history of an execution, and how often each entry was followed again.
create or replace function pontual.read_history(run uuid)
returns table (
  sequence integer,
  kind text,
  name text,
  status text,
  "position" integer,
  calls integer,
  attempt integer,
  input text,
  output text,
  error text,
  details text,
  "childId" uuid,
  "startedAt" double precision,
  "dueAt" double precision,
  "endedAt" double precision,
  replayed bigint
)
language plpgsql stable rows 100
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select
    history.sequence,
    history.kind,
    history.name,
    history.status,
    history.position,
    history.calls,
    history.attempt,
    history.input,
    history.output,
    history.error,
    history.details,
    history.child_id,
    pontual.to_ms(history.started_at),
    pontual.to_ms(history.due_at),
    pontual.to_ms(history.ended_at),
    (
      select count(*)
      from pontual.replays
      where replays.execution_id = run
        and replays.epoch > history.epoch
    )
  from pontual.history_entries as history
  where history.execution_id = run
  order by history.sequence;
end
$$;
