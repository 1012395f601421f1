import { firstUuidAt } from '../../../uuid.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Statistics, StatisticsQuery } from '../../executions.ts'
import { type Parts, WANTED_LANES } from '../parts.ts'
import { failureFrom } from './read-execution.ts'

const ENDED = `
    executions.id,
    results.status,
    results.attempt,
    results.error,
    pontual.to_ms(results.finished_at) as finished_at,
    pontual.to_ms(results.finished_at) - pontual.to_ms(results.started_at) as duration,
    pontual.to_ms(results.started_at) - pontual.to_ms(greatest(executions.created_at, executions.scheduled_at)) as queued`

const ITS_RESULT = `
  cross join lateral (
    select *
    from pontual.results
    where execution_id = executions.id
      and finished_at >= pontual.from_ms($2::float8)
    offset 0
  ) as results`

const SUMMARY = `
newest as materialized (
  select *
  from (
    select * from young
    union all
    select * from late
  ) as ended
  order by id desc
  limit $4::int
),
failed as materialized (
  select id, finished_at, error
  from newest
  where status in ('FAILED', 'TIMEOUT')
  order by finished_at desc, id desc
  limit 1
)
select
  count(*) filter (where status = 'SUCCESS') as succeeded,
  count(*) filter (where status = 'FAILED') as failed,
  count(*) filter (where status = 'TIMEOUT') as "timedOut",
  count(*) filter (where status = 'CANCELLED') as cancelled,
  count(*) filter (where attempt > 1) as retried,
  avg(duration) as "meanDurationMs",
  percentile_disc(0.5) within group (order by duration) as "p50DurationMs",
  percentile_disc(0.95) within group (order by duration) as "p95DurationMs",
  percentile_disc(0.99) within group (order by duration) as "p99DurationMs",
  avg(greatest(queued, 0)) filter (where queued is not null) as "meanQueueMs",
  max(finished_at) filter (where status = 'SUCCESS') as "lastSuccessAt",
  (select id from failed) as "failedId",
  (select finished_at from failed) as "failedAt",
  (select error from failed) as "failedError"
from newest`

// What was made since stands together. What was made before, and has ended since, is found by its end.
export const tenantStatistics: Statement = {
  name: 'tenantStatistics',
  text: `
with ${WANTED_LANES},
young as materialized (
  select${ENDED}
  from pontual.executions${ITS_RESULT}
  where executions.id >= $3::uuid
    and executions.lane = any((select lanes from wanted)::bigint[])
  order by executions.id desc
  limit $4::int
),
late as materialized (
  select${ENDED}
  from pontual.ended_late(pontual.from_ms($2::float8), $3::uuid) as results
  cross join lateral (
    select *
    from pontual.executions
    where id = results.execution_id
    offset 0
  ) as executions
  where executions.lane = any((select lanes from wanted)::bigint[])
),${SUMMARY}`,
}

// What was made before and has ended since is looked for among the last of them: those of a job are read one by one.
export const jobStatistics: Statement = {
  name: 'jobStatistics',
  text: `
with young as materialized (
  select${ENDED}
  from pontual.executions${ITS_RESULT}
  where executions.job_id = $5::uuid
    and executions.id >= $3::uuid
    and pontual.tenant_of(executions.lane) = (select tenants.id from pontual.tenants where name = $1::text)
  order by executions.id desc
  limit $4::int
),
late as materialized (
  select${ENDED}
  from (
    select *
    from pontual.executions
    where job_id = $5::uuid
      and id < $3::uuid
      and pontual.tenant_of(lane) = (select tenants.id from pontual.tenants where name = $1::text)
    order by id desc
    limit $4::int
  ) as executions${ITS_RESULT}
),${SUMMARY}`,
}

interface StatisticsRow extends Omit<Statistics, 'lastFailure'> {
  readonly failedId: string | null
  readonly failedAt: number | null
  readonly failedError: string | null
}

export async function readStatistics({ driver }: Parts, query: StatisticsQuery): Promise<Statistics> {
  const { tenant, jobId, since, limit } = query
  const values = [tenant, since, firstUuidAt(Math.max(0, since)), Math.max(0, limit)]
  const rows =
    jobId === undefined
      ? await driver.query<StatisticsRow>(tenantStatistics, values)
      : await driver.query<StatisticsRow>(jobStatistics, [...values, jobId])
  if (rows[0]) return statisticsFrom(rows[0])
  throw new TypeError('A sum over everything gave no row.')
}

function statisticsFrom({ failedId, failedAt, failedError, ...row }: StatisticsRow): Statistics {
  const isFailed = failedId !== null && failedAt !== null
  return {
    ...row,
    lastFailure: isFailed ? { executionId: failedId, at: failedAt, error: failureFrom(failedError) } : null,
  }
}
