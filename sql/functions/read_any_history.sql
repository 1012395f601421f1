-- The history of an execution wherever it is, and how often each entry was followed again.
create or replace function pontual.read_any_history(run uuid)
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
language sql stable rows 100
as $$
  select *
  from pontual.read_history(run)
  union all
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
  from pontual.history_entries_archive as history
  where history.execution_id = run
  order by 1
$$;
