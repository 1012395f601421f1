-- The one priority of which the only lane holds anything; null where there are more lanes, where it is a job's own, and where it holds nothing, or more
-- than one priority.
create or replace function pontual.sole_priority(lanes bigint[], first_high uuid[], first_medium uuid[], first_low uuid[])
returns integer
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
  sole bigint := lanes[1];
  has_high boolean;
  has_medium boolean;
  has_low boolean;
begin
  if cardinality(lanes) <> 1 or exists (select from pontual.lanes as own where own.id = sole and own.job_id is not null) then
    return null;
  end if;
  has_high := (
    select true
    from pontual.ready
    cross join generate_series(1, one)
    where lane = sole and priority = 1 and execution_id >= first_high[1]
    order by execution_id
    limit 1
  );
  has_medium := (
    select true
    from pontual.ready
    cross join generate_series(1, one)
    where lane = sole and priority = 2 and execution_id >= first_medium[1]
    order by execution_id
    limit 1
  );
  has_low := (
    select true
    from pontual.ready
    cross join generate_series(1, one)
    where lane = sole and priority = 3 and execution_id >= first_low[1]
    order by execution_id
    limit 1
  );
  return case
    when num_nonnulls(has_high, has_medium, has_low) <> 1 then null
    when has_high then 1
    when has_medium then 2
    else 3
  end;
end
$$;
