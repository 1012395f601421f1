-- How an execution ended that is in the archive.
create or replace function pontual.archived_end(execution uuid)
returns table (
  id uuid,
  tenant text,
  job_type text,
  payload text,
  status text,
  attempt integer,
  output text,
  error text
)
language plpgsql stable strict parallel safe rows 1
as $$
begin
  if not pontual.may_be_archived(execution) then
    return;
  end if;
  return query
  select
    body.id,
    tenants.name::text,
    lanes.job_type::text,
    body.payload,
    result.status,
    result.attempt,
    result.output,
    result.error
  from pontual.executions_archive as body
  join pontual.lanes on lanes.id = body.lane
  join pontual.tenants on tenants.id = lanes.tenant_id
  join pontual.results_archive as result on result.execution_id = body.id
  where body.id = execution;
end
$$;
