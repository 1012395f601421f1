-- Counts starts of one rate that the caller has locked, from `within_ms` after now: until then each of them has happened. Returns that instant, and when more
-- may start. The rule is that of grantStarts in src/job/rules/starts.ts.
create or replace function pontual.use_starts(
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
