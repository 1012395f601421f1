create or replace function pontual.read_executions()
returns setof pontual.execution_record
language sql stable
as $$
select
  executions.id,
  tenants.name,
  executions.job_id,
  lanes.job_type,
  lanes.queue,
  executions.priority,
  executions.origin,
  executions.payload,
  executions.scheduled_at,
  executions.max_attempts,
  executions.idempotency_key,
  executions.options,
  occurrences.misfire,
  executions.created_at,
  case
    when results.execution_id is not null then results.status
    when leases.execution_id is not null then 'RUNNING'
    when delayed.divergence is not null then 'DIVERGED'
    when delayed.awaits > 0 or delayed.is_parked then 'WAITING'
    else 'QUEUED'
  end,
  coalesce(results.attempt, leases.attempt, delayed.attempt, ready.attempt, 0),
  coalesce(results.epoch, leases.epoch, delayed.epoch, ready.epoch, 0),
  case when delayed.awaits > 0 then null else nullif(delayed.due_at, 'infinity') end,
  coalesce(results.started_at, leases.claimed_at),
  results.finished_at,
  coalesce(results.node_id, leases.node_id),
  results.output,
  results.error,
  coalesce(results.progress, leases.progress),
  coalesce(results.progress_note, leases.progress_note),
  delayed.divergence,
  results.cached_from
from pontual.executions
join pontual.lanes on lanes.id = executions.lane
join pontual.tenants on tenants.id = lanes.tenant_id
left join pontual.ready
  on ready.lane = executions.lane
  and ready.priority = executions.priority
  and ready.execution_id = executions.id
left join pontual.delayed on delayed.execution_id = executions.id
left join pontual.leases on leases.execution_id = executions.id
left join pontual.results on results.execution_id = executions.id
left join pontual.occurrences
  on occurrences.job_id = executions.job_id
  and occurrences.scheduled_at = executions.scheduled_at
  and occurrences.execution_id = executions.id
$$;

-- A view reads as its owner, on PostgreSQL 14 always; through the function it reads as its caller.
create or replace view pontual.execution_records as
select *
from pontual.read_executions();
