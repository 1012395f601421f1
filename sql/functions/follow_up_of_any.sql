-- Moves on those that stand behind executions that have just ended, in the transaction of that end: into ready, or to their own end, and so on to
-- those behind them. Runs whose children have ended are told, unless they have just ended too. Gives the ids of those that are ready.
--
-- Why none is missed: it is called after the rows of the ended ones were deleted, and its own statements see all that is committed by then. A
-- link that is committed before is seen here. One that is committed later belongs to a successor that is still to be looked at, and
-- settle_links finds the end.
--
-- Successors are locked in the order of their ids, and before their links.
create or replace function pontual.follow_up_of_any(ended uuid[], statuses text[], ended_at timestamptz)
returns uuid[]
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
declare
  freed uuid[] := '{}';
  behind uuid[];
  over uuid[] := ended;
  moved record;
  told record;
begin
  loop
    behind := array(
      select successor_id
      from pontual.links
      where predecessor_id = any(ended)
        and outcome is null
    );
    exit when cardinality(behind) = 0;
    perform from pontual.delayed
    where execution_id = any(behind)
    order by execution_id
    for update;
    perform from pontual.links
    where predecessor_id = any(ended)
      and outcome is null
    order by predecessor_id, successor_id
    for update;

    -- By those that have ended alone: a run may have many children, and there may be many runs.
    with settled as (
      update pontual.links
      set outcome = end_of.status
      from unnest(ended, statuses) as end_of (id, status)
      where links.predecessor_id = any(ended)
        and links.predecessor_id = end_of.id
        and (links.successor_id = any(behind)) is true
        and links.outcome is null
      returning links.*
    ),
    decided as materialized (
      select
        successor_id,
        count(*)::integer as settled,
        bool_or(is_declared) as is_declared,
        (
          array_agg(
            json_build_object(
              'name', 'NotNeededError',
              'code', 'execution.not_needed',
              'message', format(
                'Execution "%s" ended as %s; this one was to run after its %s.',
                predecessor_id,
                outcome,
                condition
              )
            )::text
            order by place
          ) filter (
            where case condition
              when 'success' then outcome <> 'SUCCESS'
              when 'failure' then outcome not in ('FAILED', 'TIMEOUT')
              else false
            end
          )
        )[1] as unmet
      from settled
      where not is_child
      group by successor_id
    ),
    reduced as (
      update pontual.delayed
      set awaits = awaits - settled
      from decided
      where execution_id = successor_id
        and unmet is null
        and awaits > settled
    ),
    taken as (
      delete from pontual.delayed
      using decided
      where execution_id = successor_id
        and awaits > 0
        and (unmet is not null or awaits <= settled)
      returning execution_id, lane, attempt, epoch, priority, job_id, unmet, is_declared
    ),
    readied as (
      insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
      select lane, attempt, epoch, priority, execution_id, job_id
      from taken
      where unmet is null
    ),
    recorded as (
      insert into pontual.results (execution_id, status, attempt, epoch, is_reported, finished_at, error)
      select execution_id, 'CANCELLED', attempt, epoch, false, ended_at, unmet
      from taken
      where unmet is not null
        and not is_declared
    ),
    removed as (
      delete from pontual.executions
      where id = any(array(select execution_id from taken where unmet is not null and is_declared))
    )
    select
      coalesce(array_agg(execution_id) filter (where unmet is null), '{}') as freed,
      coalesce(array_agg(execution_id) filter (where unmet is not null), '{}') as ended,
      coalesce(array_agg(execution_id) filter (where unmet is not null and is_declared), '{}') as removed,
      array(select successor_id from settled where is_child and successor_id <> all(over)) as parents
    into moved
    from taken;

    if cardinality(moved.removed) > 0 then
      delete from pontual.links
      where successor_id = any(moved.removed);
      delete from pontual.signals
      where execution_id = any(moved.removed);
    end if;

    if cardinality(moved.parents) > 0 then
      select * into told from pontual.wake(moved.parents);
      freed := freed || told.freed;
      if told.is_marked then
        perform pg_notify('pontual', 'news');
      end if;
    end if;

    freed := freed || moved.freed;
    ended := moved.ended;
    over := over || ended;
    statuses := array_fill('CANCELLED'::text, array[cardinality(ended)]);
  end loop;
  return freed;
end
$$;
