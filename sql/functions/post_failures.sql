-- What is told of executions of jobs that have failed for good, in the transaction in which they have.
create or replace function pontual.post_failures(tenants text[], instants timestamptz[], jobs uuid[], executions uuid[])
returns void
language plpgsql volatile
as $$
begin
  insert into pontual.notification_events (id, tenant, kind, at, facts)
  select
    failure.execution_id::text,
    failure.tenant,
    'job.failed',
    failure.at,
    jsonb_build_object('jobId', failure.job_id, 'executionId', failure.execution_id)
  from unnest(tenants, instants, jobs, executions) as failure (tenant, at, job_id, execution_id)
  on conflict (id) do nothing;
end
$$;
revoke execute on function pontual.post_failures(text[], timestamptz[], uuid[], uuid[]) from public;
