-- Tells an execution that something has come for it: marks its lease, or makes it ready where it is parked. Wherever it stands it is locked there, so that
-- nobody takes it up, parks it or ends it before what has come is committed; that is why none is told in vain. Gives where it stands, and null where there is none.
-- Found nowhere it has just moved, and is looked for again: each statement here sees all that is committed by then.
create or replace function pontual.touch(run uuid, cancels boolean, out place text, out last_epoch integer, out is_diverged boolean)
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
begin
  is_diverged := false;
  for tries in 1..100 loop
    update pontual.leases
    set
      has_news = true,
      is_cancelling = is_cancelling or cancels
    where execution_id = run
    returning epoch into last_epoch;
    if found then
      place := 'leases';
      return;
    end if;

    with taken as (
      delete from pontual.delayed
      where execution_id = run
        and is_parked
      returning execution_id, lane, attempt, epoch, priority, job_id
    )
    insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
    select lane, attempt, epoch, priority, execution_id, job_id
    from taken
    returning epoch into last_epoch;
    if found then
      place := 'woken';
      return;
    end if;

    select epoch, divergence is not null
    into last_epoch, is_diverged
    from pontual.delayed
    where execution_id = run
    for no key update;
    if found then
      place := 'delayed';
      return;
    end if;

    select ready.epoch
    into last_epoch
    from pontual.executions
    join pontual.ready
      on ready.lane = executions.lane
      and ready.priority = executions.priority
      and ready.execution_id = executions.id
    where executions.id = run
    for no key update of ready;
    if found then
      place := 'ready';
      return;
    end if;

    select epoch
    into last_epoch
    from pontual.results
    where execution_id = run;
    if found then
      place := 'results';
      return;
    end if;

    perform from pontual.executions
    where id = run;
    if not found then
      return;
    end if;
  end loop;
  raise exception 'Execution % was somewhere else each time it was looked for.', run
  using errcode = 'serialization_failure';
end
$$;
