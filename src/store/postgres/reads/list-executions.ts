import { type Execution, type FinalStatus, isFinal } from '../../../job/execution/execution.ts'
import { firstUuidAt } from '../../../uuid.ts'
import type { Statement } from '../../driver/driver.ts'
import type { ExecutionFilter } from '../../executions.ts'
import { bothLists, LIST_ARCHIVED, LIST_ARCHIVED_OF_JOB } from '../archive/read-archive.ts'
import type { Parts } from '../parts.ts'
import { BODY_IN_RANGE, edgeOf, ID_IN_RANGE, IN_LISTED_LANE, LISTED_LANES, NEXT_IN_RANGE } from './list-fragments.ts'
import { readHistoryOfJob } from './list-history.ts'
import { type ExecutionRow, executionFrom, RECORDS_OF_FOUND } from './read-execution.ts'

/**
 * Each status is read where it stands, so that a list of what is queued or running does not read the history. What is ready is found lane by
 * lane, at the end of each. Most of what has ended was a success, of any tenant; the rest may have to be looked for among that of others.
 */
export const listExecutions: Statement = {
  name: 'listExecutions',
  text: `
with recursive ${edgeOf('$11')},
${LISTED_LANES},
walk (lane) as (
  (
    select lane
    from pontual.ready
    where $6::bool
    order by lane
    limit 1
  )
  union all
  select (
    select lane
    from pontual.ready
    where ready.lane > walk.lane
    order by lane
    limit 1
  )
  from walk
  where walk.lane is not null
),
found as materialized (
  (
    select id
    from pontual.executions
    where $5::bool
      and ${BODY_IN_RANGE}
    order by id desc
    limit $2::int
  )
  union all
  select head.execution_id
  from walk
  cross join (values (1::smallint), (2::smallint), (3::smallint)) as level (priority)
  cross join lateral (
    select execution_id
    from pontual.ready
    where ready.lane = walk.lane
      and ready.priority = level.priority
      and ${ID_IN_RANGE}
    order by execution_id desc
    limit $2::int
  ) as head
  where walk.lane = any((select lanes from wanted)::bigint[])
  union all
  (
    select execution_id
    from pontual.delayed
    where ($6::bool or $9::bool)
      and case when awaits > 0 or is_parked then $9::bool else $6::bool end
      and divergence is null
      and ${NEXT_IN_RANGE}
  )
  union all
  (
    select execution_id
    from pontual.delayed
    where $10::bool
      and divergence is not null
      and ${NEXT_IN_RANGE}
  )
  union all
  (
    select execution_id
    from pontual.leases
    where $7::bool
      and ${NEXT_IN_RANGE}
  )
  union all
  (
    select id
    from pontual.executions
    where 'SUCCESS' = any($8::text[])
      and ${BODY_IN_RANGE}
      and (select status from pontual.results where execution_id = executions.id) = 'SUCCESS'
    order by id desc
    limit $2::int
  )
  union all
  (
    select execution_id
    from pontual.results
    where $8::text[] <> '{}'
      and status = any($8::text[])
      and status <> 'SUCCESS'
      and ${ID_IN_RANGE}
      and (
        ($3::text is null and $4::text is null)
        or (select lane from pontual.executions where id = results.execution_id) = any((select lanes from wanted)::bigint[])
      )
    order by execution_id desc
    limit $2::int
  )
  order by 1 desc
  limit $2::int
)
${RECORDS_OF_FOUND}`,
}

export const listExecutionsOfJob: Statement = {
  name: 'listExecutionsOfJob',
  text: `
with ${edgeOf('$12')},
${LISTED_LANES},
found as materialized (
  (
    select id
    from pontual.executions
    where ($5::bool or $8::text[] <> '{}')
      and job_id = $9::uuid
      and id < (select id from edge)
      and id >= (select first from edge)
      and ${IN_LISTED_LANE}
      and (
        $5::bool
        or (select status from pontual.results where execution_id = executions.id) = any($8::text[])
      )
    order by id desc
    limit $2::int
  )
  union all
  (
    select execution_id
    from pontual.ready
    where $6::bool
      and job_id = $9::uuid
      and ${NEXT_IN_RANGE}
  )
  union all
  (
    select execution_id
    from pontual.delayed
    where ($6::bool or $10::bool)
      and case when awaits > 0 or is_parked then $10::bool else $6::bool end
      and divergence is null
      and job_id = $9::uuid
      and ${NEXT_IN_RANGE}
  )
  union all
  (
    select execution_id
    from pontual.delayed
    where $11::bool
      and divergence is not null
      and job_id = $9::uuid
      and ${NEXT_IN_RANGE}
  )
  union all
  (
    select execution_id
    from pontual.leases
    where $7::bool
      and job_id = $9::uuid
      and ${NEXT_IN_RANGE}
  )
  order by 1 desc
  limit $2::int
)
${RECORDS_OF_FOUND}`,
}

const listAnyExecutions: Statement = {
  name: 'listAnyExecutions',
  text: bothLists(listExecutions.text, LIST_ARCHIVED, '$2::int'),
  isHead: true,
}

const listAnyExecutionsOfJob: Statement = {
  name: 'listAnyExecutionsOfJob',
  text: bothLists(listExecutionsOfJob.text, LIST_ARCHIVED_OF_JOB, '$2::int'),
  isHead: true,
}

export async function listExecutionRecords({ driver }: Parts, filter: ExecutionFilter): Promise<Execution[]> {
  const { tenant = null, jobId, jobType = null, statuses, since, limit, before = null, archived = false } = filter
  // An id tells when it was made.
  const first = since === undefined ? null : firstUuidAt(Math.max(0, since))
  if (jobId !== undefined && jobType === null && statuses === undefined) {
    return (await readHistoryOfJob(driver, { jobId, tenant, before, first, limit, archived })).map(executionFrom)
  }
  const finals: readonly FinalStatus[] = statuses?.filter(isFinal) ?? []
  const values = [
    before,
    Math.max(0, limit),
    tenant,
    jobType,
    statuses === undefined,
    statuses?.includes('QUEUED') ?? false,
    statuses?.includes('RUNNING') ?? false,
    finals,
  ]
  const isWaitingWanted = statuses?.includes('WAITING') ?? false
  const isDivergedWanted = statuses?.includes('DIVERGED') ?? false
  const rows =
    jobId === undefined
      ? await driver.query<ExecutionRow>(archived ? listAnyExecutions : listExecutions, [
          ...values,
          isWaitingWanted,
          isDivergedWanted,
          first,
        ])
      : await driver.query<ExecutionRow>(archived ? listAnyExecutionsOfJob : listExecutionsOfJob, [
          ...values,
          jobId,
          isWaitingWanted,
          isDivergedWanted,
          first,
        ])
  return rows.map(executionFrom)
}
