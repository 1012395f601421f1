-- Removes what hangs on executions in the archive and is kept elsewhere.
create or replace function pontual.forget_archived(removed uuid[])
returns void
language plpgsql volatile
as $$
begin
  delete from pontual.idempotency_keys
  using pontual.executions_archive
  join pontual.lanes on lanes.id = executions_archive.lane
  join pontual.tenants on tenants.id = lanes.tenant_id
  where executions_archive.id = any(removed)
    and idempotency_keys.tenant = tenants.name
    and idempotency_keys.job_type = lanes.job_type
    and idempotency_keys.key = executions_archive.idempotency_key
    and idempotency_keys.execution_id = executions_archive.id;
  delete from pontual.links
  where successor_id = any(removed);
  perform pontual.remove_runs(removed, removed);
end
$$;
