-- Free slots of jobs that have lanes of their own. A job that moved to another queue has several, which share its slots: all are given the same.
--
-- A durable execution that has begun keeps its place until it ends. So of the slots those that have not begun get the ones left by all that have begun,
-- parked or ready. These have every slot that no lease has, and wait for none that is parked: where a limit was lowered there are more of them than may run,
-- and they take turns. Those that are ready are given by their place, so that they are found behind any number of others. No job allows more than 10,000.
create or replace function pontual.job_slots(asked bigint[], most integer)
returns table (lane bigint, slots integer[], is_contended boolean, fresh integer, begun tid[])
language plpgsql volatile rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
  limited uuid[] := array(
    select distinct own.job_id
    from unnest(asked) as each (id)
    cross join lateral (
      select lanes.job_id
      from pontual.lanes
      where lanes.id = each.id
      limit 1
    ) as own
    where own.job_id is not null
  );
  locked uuid[];
begin
  if cardinality(limited) = 0 then
    return;
  end if;
  locked := array(
    select each
    from unnest(limited) as each
    where pg_try_advisory_xact_lock(1886352501, hashtext(each::text))
  );
  return query
  select
    held.lane,
    case
      when not held.is_locked then '{}'
      when held.concurrency is null then null
      else array(
        select number
        from generate_series(1, least(held.concurrency, cardinality(held.used) + most)) as number
        where number <> all(held.used)
        order by number
        limit least(greatest(held.concurrency - held.running, 0), most)
      )
    end,
    not held.is_locked,
    held.concurrency - held.running - held.parked - cardinality(held.begun),
    held.begun
  from (
    select
      own.id as lane,
      own.job_id = any(locked) as is_locked,
      (rule.definition ->> 'concurrency')::integer as concurrency,
      (select count(*)::integer from pontual.leases where leases.job_id = own.job_id) as running,
      cardinality(array(
        select delayed.execution_id
        from pontual.delayed
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where delayed.job_id = own.job_id
          and delayed.is_parked
        order by delayed.execution_id
        limit 10000
      )) as parked,
      array(
        select ready.ctid
        from pontual.ready
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.job_id = own.job_id
          and ready.epoch > 0
          and (select pontual.is_durable(options) from pontual.executions where id = ready.execution_id)
        order by ready.execution_id
        limit 10000
      ) as begun,
      array(
        select job_slot
        from pontual.leases
        where leases.job_id = own.job_id
          and job_slot is not null
      ) as used
    from unnest(asked) as each (id)
    cross join lateral (
      select lanes.id, lanes.job_id
      from pontual.lanes
      where lanes.id = each.id
      limit 1
    ) as own
    left join lateral (
      select jobs.definition
      from pontual.jobs
      where jobs.id = own.job_id
      limit 1
    ) as rule on true
    where own.job_id is not null
    -- Evaluated once per lane: a flattened subquery would evaluate each column wherever it is used.
    offset 0
  ) as held;
end
$$;
