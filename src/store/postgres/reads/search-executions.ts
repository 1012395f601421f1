import { EXECUTION_STATUSES, type Execution, type ExecutionStatus, isFinal } from '../../../job/execution/execution.ts'
import { firstUuidAt } from '../../../uuid.ts'
import type { Statement } from '../../driver/driver.ts'
import type { ExecutionSearch } from '../../executions.ts'
import { searchError } from '../../search-text.ts'
import { bothLists, RECORDS_OF_ARCHIVED } from '../archive/read-archive.ts'
import { LONG, type Parts, storable } from '../parts.ts'
import { type ExecutionRow, executionFrom, RECORDS_OF_FOUND } from './read-execution.ts'

/**
 * What ended, and what stands in whatever status. Of a few jobs each is read by itself; of many, or all, what the tenant has run is gone through from its end.
 * What did not succeed is found by that, as it is rare, and only then asked for its job and words.
 */
function past(executions: 'executions' | 'executions_archive', results: 'results' | 'results_archive'): string {
  const isOwn = `
      and (body.lane >> 20) = (select id from own)::bigint
      and ($4::text[] is null or body.lane = any((select lanes from wanted)::bigint[]))`
  const isWanted = `${isOwn}
      and ($5::bool or (select status from pontual.${results} where execution_id = body.id) = 'SUCCESS')`
  return `
  (
    select id
    from pontual.${executions} as body
    ${LONG}
    where ($5::bool or 'SUCCESS' = any($8::text[]))
      and not $13::bool
      and id < $1::uuid
      and id >= $11::uuid
      and ($12::uuid[] is null or job_id in (select unnest($12::uuid[])))${isWanted}
    order by id desc
    limit $2::int
  )
  union all
  select last.id
  from unnest($12::uuid[]) as job (id)
  cross join lateral (
    select id
    from pontual.${executions} as body
    ${LONG}
    where job_id = job.id
      and id < $1::uuid
      and id >= $11::uuid${isWanted}
    order by id desc
    limit $2::int
  ) as last
  where ($5::bool or 'SUCCESS' = any($8::text[]))
    and $13::bool
  union all
  (
    select execution_id
    from pontual.${results} as result
    ${LONG}
    where $8::text[] <> '{}'
      and status = any($8::text[])
      and status <> 'SUCCESS'
      and execution_id < $1::uuid
      and execution_id >= $11::uuid
      and ${says('error')}
      and (
        select
          ($12::uuid[] is null or body.job_id in (select unnest($12::uuid[])))${isOwn}
        from pontual.${executions} as body
        where body.id = result.execution_id
      )
    order by execution_id desc
    limit $2::int
  )`
}

/** Whether a message says what is looked for. Whatever it says stands in the text around it too, as JSON writes it: only where it does is that taken apart. */
function says(column: 'error' | 'divergence'): string {
  return `($15::text is null or strpos(upper(${column} collate "C"), $15::text) > 0)
      and ($14::text is null or strpos(upper(pontual.text_within(${column}, 'message') collate "C"), $14::text) > 0)`
}

/** Of `ready`, `delayed` and `leases`, each with what tells the status apart. */
function open(table: 'ready' | 'delayed' | 'leases', isStatus: string): string {
  return `
  (
    select execution_id
    from pontual.${table} as standing
    ${LONG}
    where ${isStatus}
      and execution_id < $1::uuid
      and execution_id >= $11::uuid
      and lane = any((select lanes from wanted)::bigint[])
      and ($12::uuid[] is null or job_id in (select unnest($12::uuid[])))
    order by execution_id desc
    limit $2::int
  )`
}

const DIVERGED = `$10::bool
      and divergence is not null
      and ${says('divergence')}`

const DELAYED = `($6::bool or $9::bool)
      and case when awaits > 0 or is_parked then $9::bool else $6::bool end
      and divergence is null`

const WANTED = `
with own as materialized (
  select id
  from pontual.tenants
  where name = $3::text
),
wanted as materialized (
  select array(
    select lanes.id
    from pontual.lanes
    where tenant_id = (select id from own)
      and ($4::text[] is null or job_type = any($4::text[]))
  ) as lanes
)`

const SEARCH = `${WANTED},
found as materialized (${[
  past('executions', 'results'),
  open('ready', '$6::bool'),
  open('delayed', DELAYED),
  open('delayed', DIVERGED),
  open('leases', '$7::bool'),
].join('\n  union all')}
  order by 1 desc
  limit $2::int
)
${RECORDS_OF_FOUND}`

const SEARCH_ARCHIVED = `${WANTED},
found as materialized (${past('executions_archive', 'results_archive')}
  order by 1 desc
  limit $2::int
)
${RECORDS_OF_ARCHIVED}`

const searchExecutions: Statement = { name: 'searchExecutions', text: SEARCH, isHead: true }

const searchAnyExecutions: Statement = {
  name: 'searchAnyExecutions',
  text: bothLists(SEARCH, SEARCH_ARCHIVED, '$2::int'),
  isHead: true,
}

/** So many jobs are a few. */
const FEW_JOBS = 100

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const WITH_ERROR: readonly ExecutionStatus[] = ['FAILED', 'TIMEOUT', 'CANCELLED', 'DIVERGED']

export async function searchExecutionRecords({ driver }: Parts, query: ExecutionSearch): Promise<Execution[]> {
  const { tenant, jobTypes = null, jobIds = null, errorText, since, limit, before = LAST_ID, archived = false } = query
  const sought = errorText === undefined ? query.statuses : WITH_ERROR.filter((each) => isOf(query.statuses, each))
  const wants = (status: ExecutionStatus) => sought?.includes(status) ?? false
  const rows = await driver.query<ExecutionRow>(archived ? searchAnyExecutions : searchExecutions, [
    before,
    Math.max(0, limit),
    tenant,
    jobTypes,
    sought === undefined,
    wants('QUEUED'),
    wants('RUNNING'),
    EXECUTION_STATUSES.filter((status) => isFinal(status) && wants(status)),
    wants('WAITING'),
    wants('DIVERGED'),
    since === undefined ? FIRST_ID : firstUuidAt(Math.max(0, since)),
    jobIds,
    jobIds !== null && jobIds.length <= FEW_JOBS,
    errorText === undefined ? null : storable(searchError(errorText)),
    errorText === undefined ? null : searchError(JSON.stringify(storable(errorText)).slice(1, -1)),
  ])
  return rows.map(executionFrom)
}

function isOf(statuses: readonly ExecutionStatus[] | undefined, status: ExecutionStatus): boolean {
  return statuses?.includes(status) ?? true
}
