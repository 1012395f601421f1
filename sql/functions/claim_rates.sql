-- The rate limits of lanes, and how many more of each may start; null where another claim holds the rate.
create or replace function pontual.claim_rates(
  test_ms double precision,
  met bigint[],
  job_types text[],
  are_shared boolean[],
  limits integer[],
  periods double precision[]
)
returns table (lane bigint, rule integer, tenant text, room integer)
language plpgsql volatile rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  rate record;
begin
  if cardinality(job_types) = 0 or cardinality(met) = 0 then
    return;
  end if;
  for rate in
    select
      limited.rule,
      limited.job_type,
      limited.holder_name,
      limited.most,
      limited.period,
      array_agg(limited.id) as lanes
    from (
      select
        own.id,
        named.rule,
        named.job_type,
        named.most,
        named.period,
        case when named.is_shared then '' else holder.name end as holder_name
      from unnest(met) as each (id)
      cross join lateral (
        select lanes.id, lanes.tenant_id, lanes.job_type
        from pontual.lanes
        where lanes.id = each.id
        limit 1
      ) as own
      cross join lateral (
        select asked.*
        from unnest(job_types, are_shared, limits, periods) with ordinality
          as asked (job_type, is_shared, most, period, rule)
        where asked.job_type = own.job_type
        limit 1
      ) as named
      cross join lateral (
        select tenants.name
        from pontual.tenants
        where tenants.id = own.tenant_id
        limit 1
      ) as holder
    ) as limited
    group by limited.rule, limited.job_type, limited.holder_name, limited.most, limited.period
    order by limited.job_type collate "C", limited.holder_name collate "C"
  loop
    rule := rate.rule;
    tenant := rate.holder_name;
    room := pontual.start_room(test_ms, rate.job_type, rate.holder_name, rate.most, rate.period, false, null, 0);
    foreach lane in array rate.lanes loop
      return next;
    end loop;
  end loop;
end
$$;
