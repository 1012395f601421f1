-- How often attempts of job types with a rate limit start. A table and a function of their own, which old nodes do not know: what they start is not
-- counted, so that a limit holds once the last of them is gone.

-- Starts as instants in milliseconds, and how many there were at each. A tenant without a name stands for all tenants together.
create table pontual.rates (
  job_type text collate "C" not null,
  tenant text collate "C" not null,
  starts double precision[] not null,
  counts integer[] not null,
  expires_at timestamptz not null,
  primary key (job_type, tenant)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);

-- Grants starts, one rate after the other in the order of their names, so that two who ask for the same do not wait for each other in a circle. The rule
-- is that of grantStarts in src/job/rules/starts.ts.
create function pontual.acquire_starts(
  test_ms double precision,
  job_types text[],
  tenants text[],
  wanted integer[],
  limits integer[],
  periods double precision[]
)
returns table (turn bigint, granted integer, next_at double precision)
language plpgsql
as $$
declare
  asked record;
  instants double precision[];
  numbers integer[];
  used integer;
  newest integer;
  asked_at double precision;
  start_at double precision;
  part double precision;
begin
  for asked in
    select request.*
    from unnest(job_types, tenants, wanted, limits, periods) with ordinality
      as request (job_type, tenant, wanted, most, period, turn)
    order by request.job_type collate "C", request.tenant collate "C", request.turn
  loop
    loop
      select rates.starts, rates.counts
      into instants, numbers
      from pontual.rates
      where rates.job_type = asked.job_type
        and rates.tenant = asked.tenant
      for update;
      exit when found;
      insert into pontual.rates (job_type, tenant, starts, counts, expires_at)
      values (asked.job_type, asked.tenant, '{}', '{}', 'epoch')
      on conflict do nothing;
    end loop;
    -- Read once the row is held: who had to wait for it starts later than he asked.
    asked_at := coalesce(test_ms, floor(date_part('epoch', clock_timestamp()) * 1000));
    select
      coalesce(array_agg(start.at order by start.place), '{}'),
      coalesce(array_agg(start.count order by start.place), '{}'),
      coalesce(sum(start.count), 0)
    into instants, numbers, used
    from unnest(instants, numbers) with ordinality as start (at, count, place)
    where start.at + asked.period > asked_at;
    granted := least(asked.wanted, greatest(asked.most - used, 0));
    if granted > 0 then
      newest := cardinality(instants);
      start_at := greatest(asked_at, coalesce(instants[newest], asked_at));
      part := case when newest < 64 then 1 else ceil(asked.period / 64) end;
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
        expires_at = pontual.from_ms(start_at + asked.period)
      where rates.job_type = asked.job_type
        and rates.tenant = asked.tenant;
    end if;
    next_at := null;
    used := used + granted - asked.most;
    if used >= 0 then
      for place in 1..cardinality(instants) loop
        used := used - numbers[place];
        next_at := instants[place] + asked.period;
        exit when used < 0;
      end loop;
    end if;
    turn := asked.turn;
    return next;
  end loop;
end
$$;
