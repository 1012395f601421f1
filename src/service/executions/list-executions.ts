import { requirePermission } from '../../access/principal.ts'
import { EXECUTION_STATUSES, type Execution, isFinal } from '../../job/execution/execution.ts'
import { JOB_STATUSES } from '../../job/job-status.ts'
import type { ExecutionSearch } from '../../store/executions.ts'
import { requireOneOf } from '../../time/require.ts'
import { firstUuidAt, isUuid, requireUuid } from '../../uuid.ts'
import type { Page } from '../answers.ts'
import type { ExecutionView } from '../execution-view.ts'
import { HISTORY_MS, namesOfJobs, ownJob } from '../owned.ts'
import { pageOf } from '../page.ts'
import type { ExecutionListQuery, HistoryQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { type ExecutionQuery, readExecutionQuery } from '../search/queries.ts'
import { commonPart, type Range, withinBoth } from '../search/tokens.ts'
import { checkSought, readInstant } from '../sent-values.ts'
import { viewOfExecution } from './describe-execution.ts'

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

const OPEN_STATUSES = EXECUTION_STATUSES.filter((status) => !isFinal(status))

/** No tenant has more jobs, but for those it has deleted. */
const MOST_JOBS = 20_000

/** Executions that are looked for, once it is known of which jobs. */
interface Sought extends Omit<ExecutionSearch, 'limit' | 'since' | 'errorText'> {
  /** From this instant on; what has ended only from the other one on. */
  readonly from: number | undefined
  readonly endedFrom: number | undefined
  /** In the error's message or the job's name, or the whole of an id. */
  readonly text: string | undefined
  /** Jobs whose names hold the text. */
  readonly namedJobs: readonly string[]
}

/** Jobs, also DELETED ones, that a search for executions names: by parts of their names, ids and tags. undefined where it names none. */
async function jobsNamed(
  { store, tenant }: Scope,
  { jobs, tags }: Pick<ExecutionQuery, 'jobs' | 'tags'>,
): Promise<readonly string[] | undefined> {
  if (jobs === undefined && tags === undefined) return undefined
  const names = jobs?.filter((job) => !isUuid(job))
  const ids = jobs?.filter(isUuid).map((id) => id.toLowerCase()) ?? []
  const select = async (part: { names?: readonly string[] | undefined; either?: { statuses: []; ids: string[] } }) =>
    (await store.jobs.select({ tenant, statuses: JOB_STATUSES, tags, ...part }, MOST_JOBS)).map(({ id }) => id)
  const found = names?.length === 0 ? [] : await select({ names })
  return ids.length === 0 ? found : [...new Set([...found, ...(await select({ either: { statuses: [], ids } }))])]
}

/** The next so many of them, the newest first. */
async function findExecutions(scope: Scope, sought: Sought, limit: number): Promise<Execution[]> {
  const { from, endedFrom, statuses } = sought
  const young = await findPart(scope, sought, { since: endedFrom ?? from, statuses, before: sought.before, limit })
  if (endedFrom === undefined || young.length >= limit || (from !== undefined && from >= endedFrom)) return young
  // What has not ended is never too old.
  const open = OPEN_STATUSES.filter((status) => statuses?.includes(status) ?? true)
  if (open.length === 0) return young
  const edge = firstUuidAt(endedFrom)
  const before = sought.before !== undefined && sought.before < edge ? sought.before : edge
  const rest = { since: from, statuses: open, before, limit: limit - young.length }
  return [...young, ...(await findPart(scope, sought, rest))]
}

type Part = Pick<ExecutionSearch, 'since' | 'statuses' | 'before' | 'limit'>

async function findPart(scope: Scope, sought: Sought, part: Part): Promise<Execution[]> {
  const { text, namedJobs, jobIds } = sought
  if (text === undefined) return await ask(scope, sought, part)
  // Each is in order, and so the first of all of them are among the first of each.
  const found = await Promise.all([
    ask(scope, sought, part, { errorText: text }),
    ask(scope, sought, part, { jobIds: commonPart(namedJobs, jobIds) }),
    isUuid(text) ? findOne(scope, sought, part, text.toLowerCase()) : [],
  ])
  const byId = new Map(found.flat().map((execution) => [execution.id, execution]))
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, part.limit)
}

type More = Pick<ExecutionSearch, 'errorText' | 'jobIds'>

async function ask({ store }: Scope, sought: Sought, part: Part, more: More = {}): Promise<Execution[]> {
  const { tenant, archived, jobTypes } = sought
  const { errorText, jobIds = sought.jobIds } = more
  if (jobIds?.length === 0 || jobTypes?.length === 0) return []
  const isPlain = errorText === undefined && (jobIds?.length ?? 0) <= 1 && (jobTypes?.length ?? 0) <= 1
  const common = { tenant, archived, ...part }
  if (isPlain) return await store.executions.list({ ...common, jobId: jobIds?.[0], jobType: jobTypes?.[0] })
  return await store.executions.search({ ...common, jobIds, jobTypes, errorText })
}

async function findOne({ store }: Scope, sought: Sought, part: Part, id: string): Promise<Execution[]> {
  const { tenant, archived, jobIds, jobTypes } = sought
  const { since, statuses, before } = part
  const isWanted = (execution: Execution) =>
    execution.tenant === tenant &&
    isAmong(statuses, execution.status) &&
    isAmong(jobTypes, execution.jobType) &&
    (jobIds === undefined || (execution.jobId !== null && jobIds.includes(execution.jobId))) &&
    (before === undefined || id < before) &&
    (since === undefined || id >= firstUuidAt(Math.max(0, since)))
  return (await store.executions.find([id], { archived })).filter(isWanted)
}

function isAmong<Word extends string>(words: readonly Word[] | undefined, word: Word): boolean {
  return words?.includes(word) ?? true
}
