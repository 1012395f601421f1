import type { Statement } from '../../driver/driver.ts'

/** Removes the executions of the jobs `$1` from the queues. */
const FROM_QUEUES = `from_ready as (
  delete from pontual.ready
  where job_id = any($1::uuid[])
),
from_delayed as (
  delete from pontual.delayed
  where job_id = any($1::uuid[])
)`

/** Removes what belongs to the executions `ids`, of which `removed` are the bodies. */
const FROM_DETAILS = `from_attempts as (
  delete from pontual.attempts
  where execution_id = any((select list from ids)::uuid[])
),
from_logs as (
  delete from pontual.execution_logs
  where execution_id = any((select list from ids)::uuid[])
),
from_links as (
  delete from pontual.links
  where successor_id = any((select list from ids)::uuid[])
),
from_keys as (
  delete from pontual.idempotency_keys
  using removed
  join pontual.lanes on lanes.id = removed.lane
  join pontual.tenants on tenants.id = lanes.tenant_id
  where idempotency_keys.tenant = tenants.name
    and idempotency_keys.job_type = lanes.job_type
    and idempotency_keys.key = removed.idempotency_key
    and idempotency_keys.execution_id = removed.id
)`

/** Removes the histories of the executions that are durable. */
const FROM_RUNS = `from pontual.remove_runs(
  (select list from ids)::uuid[],
  array(select id from removed where pontual.is_durable(options))
)`

/** No successor still has to read the result. One by one: a join might read all links and results for a few rows. */
const isReadByAll = (id: string): string => `(
        select true
        from pontual.links
        where predecessor_id = ${id}
          and (select true from pontual.results as others where others.execution_id = successor_id limit 1) is null
          and not exists (select from pontual.archived_end(successor_id))
        limit 1
      ) is null`

/**
 * Takes executions of jobs from where they stand. Whoever writes something for one, or moves it, is waited for: what he wrote is seen by what is removed
 * next, and nothing more is written.
 */
export const unseatExecutions: Statement = {
  name: 'unseatExecutions',
  text: `
with ${FROM_QUEUES}
delete from pontual.leases
where job_id = any($1::uuid[])`,
}

/** Removes executions of jobs from wherever they stand, with all that hangs on them, and the jobs. */
export const removeJobs: Statement = {
  name: 'removeJobs',
  text: `
with removed as (
  delete from pontual.executions
  where job_id = any($1::uuid[])
  returning id, lane, priority, idempotency_key, options
),
ids as materialized (
  select array(select id from removed) as list
),
${FROM_QUEUES},
from_leases as (
  delete from pontual.leases
  where job_id = any($1::uuid[])
),
from_results as (
  delete from pontual.results
  where execution_id = any((select list from ids)::uuid[])
),
${FROM_DETAILS},
from_occurrences as (
  delete from pontual.occurrences
  where job_id = any($1::uuid[])
),
from_missed as (
  delete from pontual.missed
  where job_id = any($1::uuid[])
),
from_counters as (
  delete from pontual.execution_counters
  where job_id = any($1::uuid[])
),
from_jobs as (
  delete from pontual.jobs
  where id = any($1::uuid[])
  returning id
)
select
  (select count(*) from from_jobs) as count,
  -- Somebody stands behind these. One by one: as a join it might read all links for a handful.
  array(
    select id
    from removed
    where (select true from pontual.links where predecessor_id = id and outcome is null limit 1)
  ) as followed
${FROM_RUNS}`,
}

/** Removes what ended before an instant, with all that hangs on it. */
export const purgeExecutions: Statement = {
  name: 'purgeExecutions',
  text: `
with ids as materialized (
  select array(
    select execution_id
    from pontual.results
    where finished_at < pontual.from_ms($1::float8)
      and (
        $3::text is null
        or pontual.owner_of_execution(execution_id) = (select id from pontual.tenants where name = $3::text)
      )
      and ${isReadByAll('results.execution_id')}
    limit $2::int
    for update skip locked
  ) as list
),
from_results as (
  delete from pontual.results
  where execution_id = any((select list from ids)::uuid[])
  returning execution_id
),
removed as (
  delete from pontual.executions
  where id = any((select list from ids)::uuid[])
  returning id, lane, idempotency_key, job_id, scheduled_at, options
),
${FROM_DETAILS},
from_occurrences as (
  delete from pontual.occurrences
  using removed
  where occurrences.job_id = removed.job_id
    and occurrences.scheduled_at = removed.scheduled_at
    and occurrences.execution_id = removed.id
)
select (select count(*) from from_results) as count
${FROM_RUNS}`,
}

/** The same of the archive. Of one tenant they are found among its own; an id tells when it was made, which is before it ended. */
export const purgeArchived: Statement = {
  name: 'purgeArchived',
  text: `
with ids as materialized (
  select array(
    select id
    from pontual.executions_archive as body
    where id < pontual.first_uuid_at(pontual.from_ms(greatest(0, least($1::float8, 281474976710655))))
      and ($3::text is null or (lane >> 20) = (select tenants.id from pontual.tenants where name = $3::text)::bigint)
      and (
        select finished_at < pontual.from_ms($1::float8)
        from pontual.results_archive
        where execution_id = body.id
      )
      and ${isReadByAll('body.id')}
    order by id
    limit $2::int
  ) as list
)
select case when cardinality(list) > 0 then pontual.remove_archived(list) else 0 end as count
from ids`,
}

export const removeArchivedOfJobs: Statement = {
  name: 'removeArchivedOfJobs',
  text: `
with ids as materialized (
  select array(
    select id
    from pontual.executions_archive
    where job_id = any($1::uuid[])
  ) as list
)
select case when cardinality(list) > 0 then pontual.remove_archived(list) else 0 end as count
from ids`,
}
