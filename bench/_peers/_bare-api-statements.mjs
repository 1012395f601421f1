const VIEW = `
  id,
  tenant as "clienteId",
  name,
  details ->> 'description' as description,
  job_type as "jobType",
  definition,
  payload,
  status,
  status_reason as "statusReason",
  paused_until as "pausedUntil",
  details -> 'tags' as tags,
  next_fire_at as "nextExecution",
  created_at as "createdAt",
  details ->> 'createdBy' as "createdBy",
  updated_at as "updatedAt",
  origin,
  version`

/** The first jobs of a tenant, one more than are shown. */
export const LIST = {
  name: 'list',
  text: `
    select ${VIEW}
    from pontual.jobs
    where tenant = $1 and status <> 'DELETED'
    order by name, id
    limit $2`,
}

export const GET = {
  name: 'get',
  text: `select ${VIEW} from pontual.jobs where id = $1 and tenant = $2`,
}

/** How the executions of a job have ended, of the last 90 days. */
export const STATISTICS = {
  name: 'statistics',
  text: `
    select
      count(*) filter (where status = 'SUCCESS')::int as succeeded,
      count(*) filter (where status = 'FAILED')::int as failed,
      count(*) filter (where status = 'TIMEOUT')::int as "timedOut",
      count(*) filter (where status = 'CANCELLED')::int as cancelled,
      avg(duration) as "meanDurationMs",
      percentile_disc(0.5) within group (order by duration) as "p50DurationMs",
      percentile_disc(0.95) within group (order by duration) as "p95DurationMs",
      percentile_disc(0.99) within group (order by duration) as "p99DurationMs",
      max(finished_at) filter (where status = 'SUCCESS') as "lastSuccessAt",
      max(finished_at) filter (where status in ('FAILED', 'TIMEOUT')) as "lastFailureAt"
    from (
      select results.status, results.finished_at, extract(epoch from results.finished_at - results.started_at)::float8 * 1000 as duration
      from pontual.executions
      join pontual.results on results.execution_id = executions.id
      join pontual.lanes on lanes.id = executions.lane
      join pontual.tenants on tenants.id = lanes.tenant_id
      where executions.job_id = $1 and tenants.name = $2 and results.finished_at > now() - interval '90 days'
      order by executions.id desc
      limit 10000
    ) as ended`,
}

/** The last executions of a job. */
export const LAST = {
  name: 'last',
  text: `
    select
      executions.id,
      tenants.name as "clienteId",
      executions.job_id as "jobId",
      lanes.job_type as "jobType",
      coalesce(results.status, case when leases.execution_id is null then 'QUEUED' else 'RUNNING' end) as status,
      executions.origin,
      executions.priority,
      executions.created_at as "createdAt",
      executions.scheduled_at as "scheduledAt",
      results.started_at as "startedAt",
      results.finished_at as "completedAt",
      results.error,
      results.attempt
    from pontual.executions
    join pontual.lanes on lanes.id = executions.lane
    join pontual.tenants on tenants.id = lanes.tenant_id
    left join pontual.results on results.execution_id = executions.id
    left join pontual.leases on leases.execution_id = executions.id
    where executions.job_id = $1 and tenants.name = $2
    order by executions.id desc
    limit 10`,
}

/** A job and its entry in the audit log, whose chain is the database's. */
export const CREATE = {
  name: 'create',
  text: `
    with made as (
      insert into pontual.jobs (id, tenant, name, status, origin, job_type, definition, payload, trigger_now, next_fire_at, times_triggered,
        version, details, search_text, search_tags, created_at, updated_at)
      values (uuidv7(), $1, $2, 'ACTIVE', 'runtime', $3, $4, $5, $6, now() + interval '1 day', 0, 1, $7, upper($2), '', now(), now())
      returning *
    ), audited as (
      select pontual.write_audit(array[$1], array[date_trunc('milliseconds', now())], array['JOBS_JOB_CREATE'], array[$8], array[id], array[null::uuid],
        array[null::text], array[$4::text])
      from made
    )
    select ${VIEW} from made where (select count(*) from audited) > 0`,
}

/** An execution of a job that waits to be run. */
export const EXECUTE = {
  name: 'execute',
  text: `
    with job as (
      select jobs.*, lanes.id as lane
      from pontual.jobs
      join pontual.tenants on tenants.name = jobs.tenant
      join pontual.lanes on lanes.tenant_id = tenants.id and lanes.job_type = jobs.job_type and lanes.queue = 'default'
      where jobs.id = $1 and jobs.tenant = $2 and jobs.status = 'ACTIVE'
    ), body as (
      insert into pontual.executions (id, lane, priority, job_id, origin, payload, max_attempts, options, created_at)
      select uuidv7(), lane, 2, id, 'manual', payload, 1, $3, now() from job
      returning id, lane, priority, job_id
    ), ready as (
      insert into pontual.ready (lane, priority, execution_id, attempt, epoch, job_id)
      select lane, priority, id, 0, 0, job_id from body
    )
    select id as "executionId" from body`,
}
