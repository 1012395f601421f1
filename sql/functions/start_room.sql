-- How many more attempts of one rate may start now, after returned starts were removed; null if another claim holds the rate and the caller does not wait.
-- The row stays locked until the end of the transaction.
create or replace function pontual.start_room(
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
