-- Rate limits are kept by the claim: it takes no more executions than may start, in the order of priority and age, and counts their starts in the same
-- transaction. Before, executions were claimed first and those beyond the limit were handed back, so that another claim could overtake them.
--
-- Safe while old nodes run: `rates` and acquire_starts are unchanged, and both ways lock the same rows.

-- How many more attempts of one rate may start now, after returned starts were removed; null if another claim holds the rate and the caller does not wait.
-- The row stays locked until the end of the transaction.
create function pontual.start_room(
  test_ms double precision,
  of_type text,
  of_tenant text,
  most integer,
  period double precision,
  is_patient boolean,
  returned_at double precision,
  returned integer
)
returns integer
language plpgsql volatile
as $$
declare
  instants double precision[];
  numbers integer[];
  asked_at double precision;
  used integer;
  entry integer;
begin
  loop
    if is_patient then
      select starts, counts
      into instants, numbers
      from pontual.rates
      where job_type = of_type
        and tenant = of_tenant
      for update;
    else
      select starts, counts
      into instants, numbers
      from pontual.rates
      where job_type = of_type
        and tenant = of_tenant
      for update skip locked;
    end if;
    exit when found;
    if not is_patient and exists (select from pontual.rates where job_type = of_type and tenant = of_tenant) then
      return null;
    end if;
    insert into pontual.rates (job_type, tenant, starts, counts, expires_at)
    values (of_type, of_tenant, '{}', '{}', 'epoch')
    on conflict do nothing;
  end loop;
  -- Read after the lock: a caller that had to wait starts later than it asked.
  asked_at := coalesce(test_ms, floor(date_part('epoch', clock_timestamp()) * 1000));
  -- Merging moves starts to a later instant, so the first entry that is not earlier contains those that are returned.
  entry := (
    select min(place)
    from unnest(instants) with ordinality as start (at, place)
    where start.at >= returned_at
      and returned_at + period > asked_at
  );
  if entry is not null then
    numbers[entry] := greatest(numbers[entry] - returned, 0);
    update pontual.rates
    set counts = numbers
    where job_type = of_type
      and tenant = of_tenant;
  end if;
  used := (
    select coalesce(sum(start.count), 0)
    from unnest(instants, numbers) as start (at, count)
    where start.at + period > asked_at
  );
  return greatest(most - used, 0);
end
$$;

-- Counts starts of one rate that the caller has locked, from `within_ms` after now: until then each of them has happened. Returns that instant, and when more
-- may start. The rule is that of grantStarts in src/job/rules/starts.ts.
create function pontual.use_starts(
  test_ms double precision,
  of_type text,
  of_tenant text,
  most integer,
  period double precision,
  within_ms double precision,
  granted integer
)
returns table (at double precision, next_at double precision)
language plpgsql volatile rows 1
as $$
declare
  instants double precision[];
  numbers integer[];
  asked_at double precision := coalesce(test_ms, floor(date_part('epoch', clock_timestamp()) * 1000));
  newest integer;
  start_at double precision;
  part double precision;
  over integer;
begin
  select
    coalesce(array_agg(start.at order by start.place), '{}'),
    coalesce(array_agg(start.count order by start.place), '{}')
  into instants, numbers
  from pontual.rates
  cross join lateral unnest(starts, counts) with ordinality as start (at, count, place)
  where rates.job_type = of_type
    and rates.tenant = of_tenant
    and start.at + period > asked_at
    and start.count > 0;
  if granted > 0 then
    newest := cardinality(instants);
    -- A clock that was set back must not count the same time twice.
    start_at := greatest(asked_at + within_ms, coalesce(instants[newest], asked_at + within_ms));
    part := case when newest < 64 then 1 else ceil(period / 64) end;
    if newest > 0 and floor(instants[newest] / part) = floor(start_at / part) then
      instants[newest] := start_at;
      numbers[newest] := numbers[newest] + granted;
    else
      instants := instants || start_at;
      numbers := numbers || granted;
    end if;
    update pontual.rates
    set
      starts = instants,
      counts = numbers,
      expires_at = pontual.from_ms(start_at + period)
    where rates.job_type = of_type
      and rates.tenant = of_tenant;
    at := start_at;
  end if;
  over := (select coalesce(sum(number), 0) from unnest(numbers) as number) - most;
  if over >= 0 then
    for place in 1..cardinality(instants) loop
      over := over - numbers[place];
      next_at := instants[place] + period;
      exit when over < 0;
    end loop;
  end if;
  return next;
end
$$;

-- Grants starts, one rate after the other in the order of their names, so that two callers with the same rates do not wait for each other in a circle.
create function pontual.grant_starts(
  test_ms double precision,
  job_types text[],
  tenants text[],
  wanted integer[],
  limits integer[],
  periods double precision[],
  within_ms double precision[],
  returned_at double precision[],
  returned integer[]
)
returns table (turn bigint, granted integer, at double precision, next_at double precision)
language plpgsql volatile rows 10
as $$
declare
  asked record;
begin
  for asked in
    select request.*
    from unnest(job_types, tenants, wanted, limits, periods, within_ms, returned_at, returned) with ordinality
      as request (job_type, tenant, wanted, most, period, within_ms, returned_at, returned, turn)
    order by request.job_type collate "C", request.tenant collate "C", request.turn
  loop
    turn := asked.turn;
    granted := least(
      asked.wanted,
      pontual.start_room(test_ms, asked.job_type, asked.tenant, asked.most, asked.period, true, asked.returned_at, asked.returned)
    );
    select used.at, used.next_at
    into at, next_at
    from pontual.use_starts(test_ms, asked.job_type, asked.tenant, asked.most, asked.period, asked.within_ms, granted) as used;
    return next;
  end loop;
end
$$;

-- The rate limits of lanes, and how many more of each may start; null where another claim holds the rate.
create function pontual.claim_rates(
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

-- Single rates are read by their keys: the table is never smaller than 20 pages (0016), so that a plan made while it is small reads it by index.
insert into pontual.rates (job_type, tenant, starts, counts, expires_at)
select '', repeat('-', 1900) || n, '{}', '{}', 'epoch'
from generate_series(1, 100) as n;

delete from pontual.rates where job_type = '';
