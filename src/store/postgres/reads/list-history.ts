import type { Queryable, Statement } from '../../driver/driver.ts'
import { bothLists, LIST_ARCHIVED_HISTORY } from '../archive/read-archive.ts'
import { historyIn } from './list-fragments.ts'
import { type ExecutionRow, RECORDS_OF_FOUND } from './read-execution.ts'

/** Executions in any status: an index holds those of a job. */
const listHistoryOfJob: Statement = {
  name: 'listHistoryOfJob',
  text: `
with ${historyIn('pontual.executions')}
${RECORDS_OF_FOUND}`,
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
