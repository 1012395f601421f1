-- Executions that run after others: who stands behind whom, and what an end does to those behind it.
--
-- Safe while old nodes run: the column has a default that rewrites no row, and nobody waits until somebody asks for it. An old node does
-- not move on those behind what it ends itself; so chains are for when every node is of this version.

-- How many have to end before it may run; more than none: WAITING. Its due time is then infinity, or an instant at which
-- it is to be looked at.
alter table pontual.delayed add column awaits integer not null default 0;
create index delayed_waiting on pontual.delayed (due_at) where awaits > 0;

-- Kept for as long as the successor is known. An outcome is how the predecessor ended, and null before that.
create table pontual.links (
  successor_id uuid not null,
  place integer not null,
  predecessor_id uuid not null,
  condition text not null check (condition in ('success', 'failure', 'end')),
  is_declared boolean not null,
  outcome text check (outcome in ('SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED')),
  primary key (successor_id, place)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index links_of_predecessor on pontual.links (predecessor_id);
create index links_open on pontual.links (predecessor_id) where outcome is null;

-- Moves on those that stand behind executions that have just ended, in the transaction of that end: into ready, or to their own end, and so on to
-- those behind them. Gives the ids of those that are ready.
--
-- Why none is missed: it is called after the rows of the ended ones were deleted, and its own statements see all that is committed by then. A
-- link that is committed before is seen here. One that is committed later belongs to a successor that is still to be looked at, and
-- settle_links finds the end.
--
-- Successors are locked in the order of their ids, and before their links.
create function pontual.follow_up(ended uuid[], statuses text[], ended_at timestamptz)
returns uuid[]
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  freed uuid[] := '{}';
  behind uuid[];
  moved record;
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

    with settled as (
      update pontual.links
      set outcome = over.status
      from unnest(ended, statuses) as over (id, status)
      where links.predecessor_id = over.id
        and links.successor_id = any(behind)
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
      coalesce(array_agg(execution_id) filter (where unmet is not null and is_declared), '{}') as removed
    into moved
    from taken;

    delete from pontual.links
    where successor_id = any(moved.removed);

    freed := freed || moved.freed;
    ended := moved.ended;
    statuses := array_fill('CANCELLED'::text, array[cardinality(ended)]);
  end loop;
  return freed;
end
$$;

-- Looks at successors whose predecessors may have ended before anybody could know of the link. Gives the ids of those that became ready, and whether
-- there is one that has to be looked at again.
--
-- Each predecessor is locked where it stands, so that it cannot end before the link is there for its end to see; or it stands in results. One
-- that is locked is on its way from one to the other: it is not waited for, since whoever moves it may wait for a successor.
create function pontual.settle_links(successors uuid[], looked_at timestamptz, out freed uuid[], out is_unsure boolean)
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  before uuid[] := array(
    select distinct predecessor_id
    from pontual.links
    where successor_id = any(successors)
      and outcome is null
  );
  standing uuid[];
  ended uuid[];
  statuses text[];
  gone uuid[];
begin
  standing := array(
    select ready.execution_id
    from pontual.executions
    join pontual.ready
      on ready.lane = executions.lane
      and ready.priority = executions.priority
      and ready.execution_id = executions.id
    where executions.id = any(before)
    for key share of ready skip locked
  );
  standing := standing || array(
    select execution_id
    from pontual.delayed
    where execution_id = any(before)
    for key share skip locked
  );
  standing := standing || array(
    select execution_id
    from pontual.leases
    where execution_id = any(before)
    for key share skip locked
  );
  select coalesce(array_agg(execution_id), '{}'), coalesce(array_agg(status), '{}')
  into ended, statuses
  from (
    select execution_id, status
    from pontual.results
    where execution_id = any(before)
    for key share skip locked
  ) as result;
  -- What was removed meanwhile counts as cancelled.
  gone := array(
    select id
    from unnest(before) as each (id)
    where not exists (select from pontual.executions where executions.id = each.id)
  );
  freed := pontual.follow_up(ended || gone, statuses || array_fill('CANCELLED'::text, array[cardinality(gone)]), looked_at);

  with parked as (
    update pontual.delayed
    set due_at = case
      when exists (
        select from pontual.links
        where successor_id = execution_id
          and outcome is null
          and predecessor_id <> all(standing)
      ) then looked_at + interval '50 milliseconds'
      else 'infinity'
    end
    where execution_id = any(successors)
      and awaits > 0
    returning due_at
  )
  select coalesce(bool_or(due_at < 'infinity'), false)
  into is_unsure
  from parked;
end
$$;

-- All that is known of an execution, but for its attempts.
create or replace view pontual.execution_records as
select
  executions.id,
  tenants.name as tenant,
  executions.job_id,
  lanes.job_type,
  lanes.queue,
  executions.priority,
  executions.origin,
  executions.payload,
  executions.scheduled_at,
  executions.max_attempts,
  executions.idempotency_key,
  executions.options,
  occurrences.misfire,
  executions.created_at,
  case
    when results.execution_id is not null then results.status
    when leases.execution_id is not null then 'RUNNING'
    when delayed.awaits > 0 then 'WAITING'
    else 'QUEUED'
  end as status,
  coalesce(results.attempt, leases.attempt, delayed.attempt, ready.attempt, 0) as attempt,
  coalesce(results.epoch, leases.epoch, delayed.epoch, ready.epoch, 0) as epoch,
  case when delayed.awaits > 0 then null else delayed.due_at end as due_at,
  coalesce(results.started_at, leases.claimed_at) as started_at,
  results.finished_at,
  coalesce(results.node_id, leases.node_id) as node_id,
  results.output,
  results.error,
  coalesce(results.progress, leases.progress) as progress,
  coalesce(results.progress_note, leases.progress_note) as progress_note
from pontual.executions
join pontual.lanes on lanes.id = executions.lane
join pontual.tenants on tenants.id = lanes.tenant_id
left join pontual.ready
  on ready.lane = executions.lane
  and ready.priority = executions.priority
  and ready.execution_id = executions.id
left join pontual.delayed on delayed.execution_id = executions.id
left join pontual.leases on leases.execution_id = executions.id
left join pontual.results on results.execution_id = executions.id
left join pontual.occurrences
  on occurrences.job_id = executions.job_id
  and occurrences.scheduled_at = executions.scheduled_at
  and occurrences.execution_id = executions.id;
