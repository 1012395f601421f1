import { firstUuidAt } from '../../../uuid.ts'
import type { Statement } from '../../driver/driver.ts'
import type { SeriesBucket, SeriesQuery } from '../../series.ts'
import type { Parts } from '../parts.ts'

const executionSeries: Statement = {
  name: 'executionSeries',
  text: `
with measured as materialized (
  select
    floor(finished_at / $6::float8) * $6::float8 as bucket,
    status,
    finished_at - started_at as duration,
    case when started_at is not null then greatest(taken_at - wanted_at, 0) end as queued,
    case when origin = 'schedule' and begun_at is not null then greatest(begun_at - scheduled_at, 0) end as lateness
  from pontual.ended_of($1::text, pontual.from_ms($2::float8), pontual.from_ms($3::float8), $4::uuid, $5::uuid, $7::int)
)
select
  bucket as at,
  count(*) filter (where status = 'SUCCESS') as succeeded,
  count(*) filter (where status = 'FAILED') as failed,
  count(*) filter (where status = 'TIMEOUT') as "timedOut",
  count(*) filter (where status = 'CANCELLED') as cancelled,
  avg(duration) as "meanDurationMs",
  percentile_disc(0.95) within group (order by duration) as "p95DurationMs",
  avg(queued) as "meanQueueMs",
  count(lateness) as started,
  count(*) filter (where lateness <= 1000) as "onTime",
  percentile_disc(0.99) within group (order by lateness) as "p99LatenessMs"
from measured
group by bucket
order by bucket`,
}

export async function readSeries({ driver }: Parts, query: SeriesQuery): Promise<SeriesBucket[]> {
  const { tenant, since, until, bucketMs, limit } = query
  return await driver.query<SeriesBucket>(executionSeries, [
    tenant,
    since,
    until,
    firstUuidAt(Math.max(0, since)),
    firstUuidAt(Math.max(0, until)),
    bucketMs,
    Math.max(0, limit),
  ])
}
