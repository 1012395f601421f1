-- Those of a lane at given places, but for those that were seen. Stable on purpose: it sees what the claim sees.
create or replace function pontual.begun_heads(of_lane bigint, places tid[], seen tid[])
returns table (
  place tid,
  lane bigint,
  priority smallint,
  execution_id uuid,
  attempt integer,
  epoch integer,
  job_id uuid
)
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
  from pontual.ready
  where ready.ctid = any(places)
    and ready.ctid <> all(seen)
    and ready.lane = of_lane;
end
$$;
