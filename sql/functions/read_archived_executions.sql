-- The archived executions, with everything but their attempts. Like read_executions, it reads as its caller.
create or replace function pontual.read_archived_executions()
returns setof pontual.execution_record
language sql stable
as $$
select
  body.id,
  tenants.name,
  body.job_id,
  lanes.job_type,
  lanes.queue,
  body.priority,
  body.origin,
  body.payload,
  body.scheduled_at,
  body.max_attempts,
  body.idempotency_key,
  body.options,
  occurrences.misfire,
  body.created_at,
  result.status,
  result.attempt,
  result.epoch,
  null::timestamptz,
  result.started_at,
  result.finished_at,
  result.node_id,
  result.output,
  result.error,
  result.progress,
  result.progress_note,
  null::text,
  result.cached_from
from pontual.executions_archive as body
join pontual.lanes on lanes.id = body.lane
join pontual.tenants on tenants.id = lanes.tenant_id
join pontual.results_archive as result on result.execution_id = body.id
left join pontual.occurrences
  on occurrences.job_id = body.job_id
  and occurrences.scheduled_at = body.scheduled_at
  and occurrences.execution_id = body.id
$$;
