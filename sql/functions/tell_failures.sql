-- What is told of executions of jobs that have failed for good, in the transaction in which they have: to people, and by the alert of each job. It is named
-- after the execution that failed first.
create or replace function pontual.tell_failures(tenants text[], instants timestamptz[], jobs uuid[], executions uuid[])
returns void
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pontual.post_failures(tenants, instants, jobs, executions);
  insert into pontual.alerts (id, tenant, scope, kind, job_id, execution_id, since, opened_at)
  select distinct on (failure.job_id)
    failure.execution_id,
    failure.tenant,
    'tenant',
    'jobFailed',
    failure.job_id,
    failure.execution_id,
    failure.at,
    failure.at
  from unnest(tenants, instants, jobs, executions) as failure (tenant, at, job_id, execution_id)
  where not exists (
    select from pontual.alert_rules
    where alert_rules.tenant = failure.tenant
      and alert_rules.scope = 'tenant'
      and alert_rules.kind = 'jobFailed'
      and not alert_rules.is_enabled
  )
  order by failure.job_id, failure.at, failure.execution_id
  on conflict do nothing;
end
$$;
revoke execute on function pontual.tell_failures(text[], timestamptz[], uuid[], uuid[]) from public;
