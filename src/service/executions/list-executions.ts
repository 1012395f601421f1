import { requirePermission } from '../../access/principal.ts'
import { EXECUTION_STATUSES } from '../../job/execution/execution.ts'
import { requireOneOf } from '../../time/require.ts'
import { firstUuidAt, requireUuid } from '../../uuid.ts'
import type { Page } from '../answers.ts'
import type { ExecutionView } from '../execution-view.ts'
import { namesOfJobs } from '../job-names.ts'
import { HISTORY_MS, ownJob } from '../owned.ts'
import { pageOf } from '../page.ts'
import type { ExecutionListQuery, HistoryQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { commonPart } from '../search/common-part.ts'
import { readExecutionQuery } from '../search/execution-query.ts'
import { type Range, withinBoth } from '../search/range.ts'
import { checkSought, readInstant } from '../sent-values.ts'
import { viewOfExecution } from './describe-execution.ts'
import { findExecutions, jobsNamed, type Sought } from './find-executions.ts'

/** Executions of the tenant, the newest first. */
export async function listExecutions(scope: Scope, query: ExecutionListQuery): Promise<Page<ExecutionView>> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  if (query.jobId !== undefined) await ownJob(scope, query.jobId)
  return await readPage(scope, query)
}

/** Executions of one job, the newest first. */
export async function jobHistory(scope: Scope, id: string, query: HistoryQuery): Promise<Page<ExecutionView>> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const job = await ownJob(scope, id)
  return await readPage(scope, { ...query, jobId: job.id })
}

async function readPage(scope: Scope, query: ExecutionListQuery): Promise<Page<ExecutionView>> {
  const { tenant, cursors } = scope
  const { status, jobType, archived, q, from, to } = query
  const jobId = query.jobId?.toLowerCase()
  for (const each of status ?? []) requireOneOf(each, 'status', EXECUTION_STATUSES)
  checkSought('jobType', jobType)
  checkSought('q', q)
  const sought = await readSought(scope, { ...query, jobId })
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    // As it was asked for: what a duration comes to is another instant on every page.
    scope: [
      tenant,
      'executions',
      jobId ?? null,
      jobType ?? null,
      status ?? null,
      archived,
      q ?? null,
      from ?? null,
      to ?? null,
    ],
    shape: ['id'],
    read: async (limit, after) => await findExecutions(scope, continued(sought, after?.[0]), limit),
    placeOf: ({ id }) => [id],
  })
  const names = await namesOfJobs(scope, page.items)
  return { ...page, items: page.items.map((execution) => viewOfExecution(execution, names)) }
}

async function readSought(scope: Scope, query: ExecutionListQuery): Promise<Sought> {
  const { tenant } = scope
  const { status, jobId, jobType, archived } = query
  const typed = readExecutionQuery(query.q, scope.now())
  const text = typed.text?.trim() === '' ? undefined : typed.text
  const { from, until } = withinBoth(typed, rangeOf(query))
  const youngest = archived ? undefined : Math.max(0, scope.now() - HISTORY_MS + 1)
  return {
    tenant,
    archived,
    text,
    from,
    endedFrom: youngest === undefined ? undefined : Math.max(youngest, from ?? 0),
    before: until === undefined ? undefined : firstUuidAt(Math.max(0, until)),
    statuses: commonPart(status, typed.statuses),
    jobTypes: commonPart(jobType === undefined ? undefined : [jobType], typed.jobTypes),
    jobIds: commonPart(jobId === undefined ? undefined : [jobId], await jobsNamed(scope, typed)),
    namedJobs: text === undefined ? [] : ((await jobsNamed(scope, { jobs: [text] })) ?? []),
  }
}

function rangeOf({ from, to }: ExecutionListQuery): Range {
  return {
    ...(from !== undefined && { from: readInstant(from, 'from') }),
    ...(to !== undefined && { until: readInstant(to, 'to') }),
  }
}

/** The same, behind the last of a page. */
function continued(sought: Sought, last: string | number | null | undefined): Sought {
  if (last === undefined) return sought
  const after = requireUuid(last, 'cursor')
  return { ...sought, before: sought.before !== undefined && sought.before < after ? sought.before : after }
}
