-- Takes the head of a lane that holds one priority only, which is what most claims meet: there is nothing to rank. Bodies are read by the same
-- statement that takes the rows: rows committed after the caller's statement began are taken too, and the caller's snapshot does not contain their bodies.
-- A row whose execution was removed is deleted and not returned. Rows are locked one by one as the outermost limit asks for them.
create or replace function pontual.take_head(one bigint, sole integer, first_id uuid, most integer)
returns table (
  execution_id uuid,
  attempt integer,
  epoch integer,
  job_id uuid,
  origin text,
  payload text,
  scheduled_at timestamptz,
  max_attempts integer,
  idempotency_key text,
  options text,
  created_at timestamptz
)
language plpgsql volatile rows 100
set plan_cache_mode = force_generic_plan
as $$
declare
  single integer := 1;
begin
  return query
  with taken as (
    delete from pontual.ready
    where ctid = any(array(
      select place
      from (
        select place
        from (
          select ready.ctid as place
          from pontual.ready
          cross join generate_series(1, single) as thousand
          cross join generate_series(1, single) as million
          where ready.lane = one
            and ready.priority = sole
            and ready.execution_id >= first_id
          order by ready.execution_id
          for update of ready skip locked
        ) as locked
        limit 10000
      ) as bounded
      limit most
    ))
    returning ready.execution_id as id, ready.attempt, ready.epoch, ready.job_id
  )
  select
    taken.id,
    taken.attempt,
    taken.epoch,
    taken.job_id,
    body.origin,
    body.payload,
    body.scheduled_at,
    body.max_attempts,
    body.idempotency_key,
    body.options,
    body.created_at
  from taken
  cross join lateral (
    select
      executions.origin,
      executions.payload,
      executions.scheduled_at,
      executions.max_attempts,
      executions.idempotency_key,
      executions.options,
      executions.created_at
    from pontual.executions
    where executions.id = taken.id
    limit 1
  ) as body;
end
$$;
