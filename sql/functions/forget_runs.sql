-- Forgets what runs that are held have come to, but for what was sent to them, which is news again. Gives the runs. Nobody takes them until this is committed;
-- they may be marked until the last moment, since who ends a child holds its link and then marks.
create or replace function pontual.forget_runs(runs uuid[], epochs integer[])
returns uuid[]
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
declare
  held uuid[] := array(
    select leases.execution_id
    from pontual.leases
    where leases.execution_id = any(runs)
      and ((leases.execution_id, leases.epoch) in (select * from unnest(runs, epochs))) is true
    order by leases.execution_id
    for key share
  );
begin
  -- In the order in which ends of children lock them; as text, or they might be read in that order, those of all runs.
  perform from pontual.links
  where successor_id = any(held)
    and is_child
  order by predecessor_id::text collate "C"
  for update;
  delete from pontual.links
  where successor_id = any(held)
    and is_child;
  delete from pontual.history_entries
  where execution_id = any(held);
  delete from pontual.replays
  where execution_id = any(held);
  perform from pontual.leases
  where execution_id = any(held)
  order by execution_id
  for no key update;
  update pontual.leases
  set
    has_news =
      (select true from pontual.signals where execution_id = leases.execution_id and not is_taken limit 1) is true
      or (select true from pontual.cancellations where execution_id = leases.execution_id) is true
  where execution_id = any(held);
  return held;
end
$$;
