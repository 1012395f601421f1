import type { Execution } from '../../../job/execution/execution.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'
import { BODY_IN_RANGE, edgeOf, historyIn, ID_IN_RANGE, IN_LISTED_LANE, LISTED_LANES } from '../reads/list-fragments.ts'
import { type ExecutionRow, executionFrom, findExecutions, selectRecords } from '../reads/read-execution.ts'

/** Those of asked ids that are in the archive. */
const FIND_ARCHIVED = `${selectRecords('attempts_archive')}
from unnest($1::uuid[]) as asked (id)
cross join lateral (
  select *
  from pontual.read_archived_executions() as archived
  where archived.id = asked.id
  limit 1
) as record`

const findAnyExecutions: Statement = {
  name: 'findAnyExecutions',
  text: bothLists(findExecutions.text, FIND_ARCHIVED, 'all'),
}

/** Wherever they are, in the order of the ids. */
export async function findAnyRecords({ driver }: Parts, ids: readonly string[]): Promise<Execution[]> {
  if (ids.length === 0) return []
  const rows = await driver.query<ExecutionRow>(findAnyExecutions, [[...new Set(ids)]])
  const found = new Map(rows.map((row) => [row.id, executionFrom(row)]))
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? [])
}

export const RECORDS_OF_ARCHIVED = `${selectRecords('attempts_archive')}
from found
cross join lateral (
  select *
  from pontual.read_archived_executions() as archived
  where archived.id = found.id
  limit 1
) as record
order by record.id desc`

/** As `listHistoryOfJob`, of the archive. */
export const LIST_ARCHIVED_HISTORY = `
with ${historyIn('pontual.executions_archive')}
${RECORDS_OF_ARCHIVED}`

/** As `listExecutions`, of the archive. */
export const LIST_ARCHIVED = `
with ${edgeOf('$11')},
${LISTED_LANES},
found as materialized (
  (
    select id
    from pontual.executions_archive as body
    where ($5::bool or 'SUCCESS' = any($8::text[]))
      and ${BODY_IN_RANGE}
      and ($5::bool or (select status from pontual.results_archive where execution_id = body.id) = 'SUCCESS')
    order by id desc
    limit $2::int
  )
  union all
  (
    select execution_id
    from pontual.results_archive as result
    where $8::text[] <> '{}'
      and status = any($8::text[])
      and status <> 'SUCCESS'
      and ${ID_IN_RANGE}
      and (
        ($3::text is null and $4::text is null)
        or (select lane from pontual.executions_archive where id = result.execution_id) = any((select lanes from wanted)::bigint[])
      )
    order by execution_id desc
    limit $2::int
  )
  order by 1 desc
  limit $2::int
)
${RECORDS_OF_ARCHIVED}`

/** As `listExecutionsOfJob`, of the archive. */
export const LIST_ARCHIVED_OF_JOB = `
with ${LISTED_LANES},
found as materialized (
  select id
  from pontual.executions_archive as body
  where ($5::bool or $8::text[] <> '{}')
    and job_id = $9::uuid
    and id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    and id >= coalesce($12::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
    and ${IN_LISTED_LANE}
    and ($5::bool or (select status from pontual.results_archive where execution_id = body.id) = any($8::text[]))
  order by id desc
  limit $2::int
)
${RECORDS_OF_ARCHIVED}`

/** What two lists give together, the newest first: in one statement, so that what is moved from one to the other meanwhile is in neither twice. */
export function bothLists(live: string, archived: string, limit: string): string {
  return `
select *
from (
  (${live})
  union all
  (${archived})
) as record
order by record.id desc
limit ${limit}`
}
