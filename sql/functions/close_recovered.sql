-- Closes the alerts of jobs whose last end is a success. The chains of their tenants are locked by then: nobody else ends anything of these jobs.
create or replace function pontual.close_recovered(ended uuid[])
returns void
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
begin
  perform from pontual.alerts
  where closed_at is null
    and job_id is not null
  limit 1;
  if not found then
    return;
  end if;
  with last as materialized (
    select distinct on (executions.job_id)
      executions.job_id,
      results.status,
      results.finished_at
    from pontual.executions
    join pontual.results on results.execution_id = executions.id
    where executions.id = any(ended)
      and executions.job_id is not null
      and results.status <> 'CANCELLED'
    order by executions.job_id, results.finished_at desc, executions.id desc
  ),
  recovered as materialized (
    select alerts.id, greatest(last.finished_at, alerts.opened_at) as at
    from last
    join pontual.alerts
      on alerts.job_id = last.job_id
      and alerts.closed_at is null
    where last.status = 'SUCCESS'
    order by alerts.id
    for update of alerts
  )
  update pontual.alerts
  set
    closed_at = recovered.at,
    outcome = 'recovered'
  from recovered
  where alerts.id = recovered.id;
end
$$;
revoke execute on function pontual.close_recovered(uuid[]) from public;
