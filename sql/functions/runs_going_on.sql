-- Those of the runs that are taken up which had begun before, and were not lost since. What was written, or followed again, under an epoch shows that the run
-- had begun by then; a copied entry has epoch 0, and shows nothing.
create or replace function pontual.runs_going_on(runs uuid[], epochs integer[])
returns setof uuid
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select held.execution_id
  from unnest(runs, epochs) as held (execution_id, epoch)
  cross join lateral (
    select greatest(
      (
        select max(history_entries.epoch)
        from pontual.history_entries
        where history_entries.execution_id = held.execution_id
          and history_entries.epoch < held.epoch
      ),
      (
        select max(replays.epoch)
        from pontual.replays
        where replays.execution_id = held.execution_id
          and replays.epoch < held.epoch
      )
    ) as epoch
  ) as begun
  where begun.epoch > coalesce(
    (
      select max(attempts.epoch)
      from pontual.attempts
      where attempts.execution_id = held.execution_id
        and attempts.status = 'LOST'
    ),
    0
  );
end
$$;
