-- Looks at successors whose predecessors may have ended before anybody could know of the link. Gives the ids of those that became ready, and whether
-- there is one that has to be looked at again.
--
-- Each predecessor is locked where it stands, so that it cannot end before the link is there for its end to see; or it stands in results. One
-- that is locked is on its way from one to the other: it is not waited for, since whoever moves it may wait for a successor.
create or replace function pontual.settle_links(successors uuid[], looked_at timestamptz, out freed uuid[], out is_unsure boolean)
language plpgsql volatile
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
  -- What is in the archive has ended.
  if cardinality(gone) > 0 then
    select ended || past.ids, statuses || past.ends, array(select unnest(gone) except select unnest(past.ids))
    into ended, statuses, gone
    from (
      select
        coalesce(array_agg(archived.id), '{}') as ids,
        coalesce(array_agg(archived.status), '{}') as ends
      from unnest(gone) as each (id)
      cross join lateral pontual.archived_end(each.id) as archived
    ) as past;
  end if;
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
