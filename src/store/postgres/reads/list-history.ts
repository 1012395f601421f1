import type { Queryable, Statement } from '../../driver/driver.ts'
import { bothLists, LIST_ARCHIVED_HISTORY } from '../archive/read-archive.ts'
import { type ExecutionRow, SELECT_RECORDS } from './read-execution.ts'

/** In whatever status: those of a job stand in an index. The edges are values, so that months beyond them are not even opened. */
const listHistoryOfJob: Statement = {
  name: 'listHistoryOfJob',
  text: `
with found as materialized (
  select id
  from pontual.executions
  where job_id = $1::uuid
    and id < $2::uuid
    and id >= $3::uuid
    and ($4::text is null or pontual.tenant_of(lane) = (select tenants.id from pontual.tenants where name = $4::text))
  order by id desc
  limit $5::int
)
${SELECT_RECORDS}
from found
cross join lateral (
  select *
  from pontual.execution_records
  where execution_records.id = found.id
  limit 1
) as record
order by record.id desc`,
}

const listAnyHistoryOfJob: Statement = {
  name: 'listAnyHistoryOfJob',
  text: bothLists(listHistoryOfJob.text, LIST_ARCHIVED_HISTORY, '$5::int'),
  isHead: true,
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export interface HistoryPart {
  readonly jobId: string
  /** null: of whatever tenant. */
  readonly tenant: string | null
  /** The id that they come before; null: the last ones. */
  readonly before: string | null
  /** The first id that may be among them; null: any. */
  readonly first: string | null
  readonly limit: number
  /** Also what is in the archive. */
  readonly archived: boolean
}

/** The executions of a job, the last one first. */
export async function readHistoryOfJob(database: Queryable, part: HistoryPart): Promise<ExecutionRow[]> {
  const { jobId, tenant, before, first, limit, archived } = part
  const values = [jobId, before ?? LAST_ID, first ?? FIRST_ID, tenant, Math.max(0, limit)]
  return await database.query<ExecutionRow>(archived ? listAnyHistoryOfJob : listHistoryOfJob, values)
}
