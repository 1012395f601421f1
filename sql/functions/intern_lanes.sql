-- The lanes of executions, made where they are missing. One at a time and in the order of their names, so that two who make the same do not wait
-- for each other in a circle.
create or replace function pontual.intern_lanes(tenants text[], queues text[], job_types text[], jobs uuid[])
returns table (tenant text, queue text, job_type text, job_id uuid, id bigint)
language plpgsql
as $$
declare
  asked record;
  tenant_number integer;
  found_lane bigint;
begin
  for asked in
    select wanted.tenant, wanted.queue, wanted.job_type, wanted.job_id
    from unnest(tenants, queues, job_types, jobs) as wanted (tenant, queue, job_type, job_id)
    order by wanted.tenant collate "C", wanted.queue collate "C", wanted.job_type collate "C", wanted.job_id
  loop
    select tenants.id into tenant_number from pontual.tenants where name = asked.tenant;
    if tenant_number is null then
      insert into pontual.tenants (name) values (asked.tenant) on conflict do nothing;
      select tenants.id into tenant_number from pontual.tenants where name = asked.tenant;
    end if;
    for tries in 1..2 loop
      select lanes.id into found_lane
      from pontual.lanes
      where lanes.tenant_id = tenant_number
        and lanes.queue = asked.queue
        and lanes.job_type = asked.job_type
        and lanes.job_id is not distinct from asked.job_id;
      exit when found_lane is not null;
      -- Who makes a lane of this tenant at the same moment has the next number.
      perform from pontual.tenants where tenants.id = tenant_number for no key update;
      insert into pontual.lanes (id, tenant_id, queue, job_type, job_id)
      select
        coalesce(max(lanes.id) + 1, tenant_number::bigint << 20),
        tenant_number,
        asked.queue,
        asked.job_type,
        asked.job_id
      from pontual.lanes
      where lanes.id >= tenant_number::bigint << 20
        and lanes.id < (tenant_number + 1)::bigint << 20
      on conflict do nothing;
    end loop;
    tenant := asked.tenant;
    queue := asked.queue;
    job_type := asked.job_type;
    job_id := asked.job_id;
    id := found_lane;
    return next;
  end loop;
end
$$;
