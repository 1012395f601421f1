import { firstUuidAt } from '../../../uuid.ts'
import type { Statement } from '../../driver/driver.ts'
import type { FailureRecord, FailuresQuery } from '../../series.ts'
import { type Parts, WANTED_LANES } from '../parts.ts'
import { failureFrom } from './read-execution.ts'

const FAILED = `
    executions.id,
    executions.job_id,
    results.status,
    results.error,
    results.finished_at`

const ITS_EXECUTION = `
  cross join lateral (
    select *
    from pontual.executions
    where id = results.execution_id
    offset 0
  ) as executions`

// What was made since stands together, and what of it was no success has an index. What was made before, and has ended since, is found by its end.
const latestFailures: Statement = {
  name: 'latestFailures',
  text: `
with ${WANTED_LANES},
young as materialized (
  select${FAILED}
  from pontual.results${ITS_EXECUTION}
  where results.execution_id >= $3::uuid
    and results.status <> 'SUCCESS'
    and results.status in ('FAILED', 'TIMEOUT')
    and results.finished_at >= pontual.from_ms($2::float8)
    and executions.lane = any((select lanes from wanted)::bigint[])
  order by results.execution_id desc
  limit $4::int
),
late as materialized (
  select${FAILED}
  from pontual.ended_late(pontual.from_ms($2::float8), $3::uuid) as results${ITS_EXECUTION}
  where results.status in ('FAILED', 'TIMEOUT')
    and executions.lane = any((select lanes from wanted)::bigint[])
),
newest as materialized (
  select *
  from (
    select * from young
    union all
    select * from late
  ) as failed
  order by id desc
  limit $4::int
)
select
  id as "executionId",
  job_id as "jobId",
  status,
  pontual.to_ms(finished_at) as at,
  error
from newest
order by finished_at desc, id desc`,
}

interface FailureRow extends Omit<FailureRecord, 'error'> {
  readonly error: string | null
}

export async function readFailures({ driver }: Parts, query: FailuresQuery): Promise<FailureRecord[]> {
  const { tenant, since, limit } = query
  const values = [tenant, since, firstUuidAt(Math.max(0, since)), Math.max(0, limit)]
  const rows = await driver.query<FailureRow>(latestFailures, values)
  return rows.map((row) => ({ ...row, error: failureFrom(row.error) }))
}
