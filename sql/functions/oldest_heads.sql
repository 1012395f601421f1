-- The oldest of the lower priorities, tenant by tenant in turn, beginning after the one that was served last.
create or replace function pontual.oldest_heads(
  lanes bigint[],
  first_medium uuid[],
  first_low uuid[],
  depths integer[],
  served integer,
  most integer
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
  none uuid[] := array_fill('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, array[cardinality(lanes)]);
begin
  return query
  select by_age.place, by_age.lane, by_age.priority, by_age.execution_id, by_age.attempt, by_age.epoch, by_age.job_id
  from (
    select
      head.*,
      pontual.tenant_of(head.lane) as tenant,
      row_number() over (partition by pontual.tenant_of(head.lane) order by head.execution_id) as nth
    from (
      select * from pontual.ready_heads(lanes, none, first_medium, none, depths)
      union all
      select * from pontual.ready_heads(lanes, none, none, first_low, depths)
    ) as head
  ) as by_age
  order by by_age.nth, by_age.tenant <= served, by_age.tenant
  limit most;
end
$$;
