-- The heads of lanes, each in the order of priority and age, from where each priority begins, and at most so many of each; at most 10,000.
create or replace function pontual.ready_heads(
  lanes bigint[],
  first_high uuid[],
  first_medium uuid[],
  first_low uuid[],
  depths integer[]
)
returns table (
  place tid,
  lane bigint,
  priority smallint,
  execution_id uuid,
  attempt integer,
  epoch integer,
  job_id uuid
)
language plpgsql stable rows 100
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
begin
  return query
  select head.*
  from unnest(lanes, first_high, first_medium, first_low, depths)
    as busy (lane, first_high, first_medium, first_low, depth)
  cross join lateral (
    select *
    from (
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.lane = busy.lane
          and ready.priority = 1
          and ready.execution_id >= busy.first_high
        order by ready.execution_id
        limit 10000
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.lane = busy.lane
          and ready.priority = 2
          and ready.execution_id >= busy.first_medium
        order by ready.execution_id
        limit 10000
      )
      union all
      (
        select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
        from pontual.ready
        cross join generate_series(1, one) as thousand
        cross join generate_series(1, one) as million
        where ready.lane = busy.lane
          and ready.priority = 3
          and ready.execution_id >= busy.first_low
        order by ready.execution_id
        limit 10000
      )
    ) as by_priority
    limit busy.depth
  ) as head;
end
$$;
