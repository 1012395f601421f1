-- Grants starts, one rate after the other in the order of their names, so that two callers with the same rates do not wait for each other in a circle.
create or replace function pontual.grant_starts(
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
