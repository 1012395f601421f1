-- The newest executions of a tenant before an id that have ended between two instants. What was made since stands together; what was made before and has ended
-- since is found by its end, where there is room left for it. Begun is when the first attempt started, and earlier for how long attempts before the last one
-- have held a slot since. A durable execution that has waited was taken up again by its last claim, but has begun with its first step: taken is that, or the
-- claim. It is read as the owner: who asks for one tenant is given nothing of another.
create or replace function pontual.ended_of(
  tenant text,
  since timestamptz,
  until timestamptz,
  first_id uuid,
  before_id uuid,
  most integer
)
returns table (
  id uuid,
  origin text,
  status text,
  attempt integer,
  scheduled_at double precision,
  wanted_at double precision,
  begun_at double precision,
  taken_at double precision,
  started_at double precision,
  finished_at double precision,
  earlier_ms double precision
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
-- As for ended_late.
set plan_cache_mode = force_generic_plan
as $$
declare
  asked bigint := (select tenants.id from pontual.tenants where tenants.name = tenant);
begin
  if (current_setting('role') = 'pontual_api' or session_user = 'pontual_api')
    and (pontual.own_tenant() = tenant) is not true
  then
    return;
  end if;
  return query
  with young as materialized (
    select
      executions.id,
      executions.origin,
      executions.created_at,
      executions.scheduled_at,
      results.status,
      results.attempt,
      results.epoch,
      results.started_at,
      results.finished_at
    from pontual.executions
    cross join lateral (
      select *
      from pontual.results
      where results.execution_id = executions.id
        and results.finished_at >= since
        and results.finished_at < until
      offset 0
    ) as results
    where (executions.lane >> 20) = asked
      and executions.id >= first_id
      and executions.id < before_id
    order by executions.id desc
    limit most
  ),
  late as materialized (
    select
      executions.id,
      executions.origin,
      executions.created_at,
      executions.scheduled_at,
      results.status,
      results.attempt,
      results.epoch,
      results.started_at,
      results.finished_at
    from (
      select *
      from pontual.results
      where results.finished_at >= since
        and results.finished_at < until
        and (results.execution_id < least(first_id, before_id)) is true
      offset 0
    ) as results
    cross join lateral (
      select *
      from pontual.executions
      where executions.id = results.execution_id
      offset 0
    ) as executions
    where (executions.lane >> 20) = asked
    order by executions.id desc
    limit (select most - count(*) from young)
  ),
  ended as materialized (
    select * from young
    union all
    select * from late
  ),
  earlier as materialized (
    select
      retried.id,
      min(pontual.to_ms(attempts.started_at)) as started_at,
      sum(greatest(pontual.to_ms(attempts.ended_at) - pontual.to_ms(greatest(attempts.started_at, since)), 0)) as ms
    from (
      select ended.id, ended.epoch
      from ended
      where ended.epoch > 1
    ) as retried
    cross join lateral (
      select *
      from pontual.attempts
      where attempts.execution_id = retried.id
        and attempts.epoch < retried.epoch
      offset 0
    ) as attempts
    group by retried.id
  ),
  first_steps as materialized (
    select resumed.id, pontual.to_ms(entries.started_at) as started_at
    from (
      select ended.id
      from ended
      where ended.epoch > 1
    ) as resumed
    cross join lateral (
      select history_entries.started_at
      from pontual.history_entries
      where history_entries.execution_id = resumed.id
        and history_entries.epoch > 0
      order by history_entries.sequence
      limit 1
    ) as entries
  )
  select
    ended.id,
    ended.origin,
    ended.status,
    ended.attempt,
    pontual.to_ms(ended.scheduled_at),
    pontual.to_ms(greatest(ended.created_at, ended.scheduled_at)),
    least(earlier.started_at, first_steps.started_at, pontual.to_ms(ended.started_at)),
    least(first_steps.started_at, pontual.to_ms(ended.started_at)),
    pontual.to_ms(ended.started_at),
    pontual.to_ms(ended.finished_at),
    coalesce(earlier.ms, 0)
  from ended
  left join earlier on earlier.id = ended.id
  left join first_steps on first_steps.id = ended.id;
end
$$;
