import { requirePermission, requireWholeProfile } from '../../../access/principal.ts'
import { unreadableCode } from '../../../job/execution/unreadable.ts'
import type { Job } from '../../../job/job.ts'
import type { JobSort } from '../../../store/jobs.ts'
import { requireOneOf } from '../../../time/require.ts'
import { requireUuid } from '../../../uuid.ts'
import type { JobMore, Page } from '../../answers.ts'
import { viewOfExecution, viewOfRecent } from '../../executions/describe-execution.ts'
import type { JobListItem, JobView, RevealedPayload } from '../../job-view.ts'
import { HISTORY_MS, ownJob } from '../../owned.ts'
import { pageOf } from '../../page.ts'
import type { JobListQuery } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { selectionOf } from '../../search/queries.ts'
import { wireValue } from '../../wire-value.ts'
import { viewDefaults, viewOfJob } from '../fields/describe-job.ts'
import { viewOfStatistics } from './describe-statistics.ts'

const LAST_EXECUTIONS = 10
const COUNTED = 10_000

/** Jobs as people look for them. */
export async function listJobs(scope: Scope, query: JobListQuery): Promise<Page<JobListItem>> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, cursors } = scope
  const { q, status, jobType, priority, tag, isDescending } = query
  const sort = requireOneOf(query.sort, 'sort', Object.keys(SORTS) as JobSort[])
  const selection = await selectionOf(scope, query)
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    // As it was asked for: what a duration comes to is another instant on every page.
    scope: ['jobs', tenant, q, status, jobType, priority, tag, sort, isDescending],
    shape: [SORTS[sort].kind, 'id'],
    read: (limit, place) => store.jobs.search({ ...selection, sort, isDescending, limit, after: afterOf(place) }),
    placeOf: (job) => [SORTS[sort].of(job), job.id],
  })
  const [defaults, recent] = await Promise.all([viewDefaults(scope), recentOf(scope, query, page.items)])
  return { ...page, items: page.items.map((job) => ({ ...viewOfJob(job, defaults), ...recent(job) })) }
}

type RecentPart = Pick<JobListItem, 'recentExecutions'>

async function recentOf(scope: Scope, query: JobListQuery, jobs: readonly Job[]): Promise<(job: Job) => RecentPart> {
  const { principal, tenant, store } = scope
  if (!query.with?.includes('recent') || !principal.permissions.has('jobs:viewHistory')) return () => ({})
  const jobIds = jobs.map(({ id }) => id)
  const since = scope.now() - HISTORY_MS + 1
  const found = await store.executions.recent({ tenant, jobIds, limit: LAST_EXECUTIONS, since })
  return ({ id }) => ({ recentExecutions: found.filter(({ jobId }) => jobId === id).map(viewOfRecent) })
}

/** The value of a job that each order compares. */
const SORTS: Readonly<
  Record<JobSort, { readonly kind: 'text' | 'instant'; readonly of: (job: Job) => string | number | null }>
> = {
  name: { kind: 'text', of: (job) => job.name },
  status: { kind: 'text', of: (job) => job.status },
  jobType: { kind: 'text', of: (job) => job.definition.jobType },
  priority: { kind: 'text', of: (job) => job.definition.priority },
  nextFireAt: { kind: 'instant', of: (job) => job.schedule.nextFireAt },
  createdAt: { kind: 'instant', of: (job) => job.createdAt },
  updatedAt: { kind: 'instant', of: (job) => job.updatedAt },
}

function afterOf(place: readonly (string | number | null)[] | undefined) {
  return place === undefined ? undefined : { value: place[0] ?? null, id: String(place[1]) }
}

/** One job, with how its executions have ended, and the last of them. */
export async function getJob(scope: Scope, id: string): Promise<JobView & JobMore> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store } = scope
  const jobId = requireUuid(id, 'Job id')
  const since = scope.now() - HISTORY_MS + 1
  const [job, defaults, statistics, last] = await Promise.all([
    ownJob(scope, jobId),
    viewDefaults(scope),
    store.executions.statistics({ tenant, jobId, since, limit: COUNTED }),
    store.executions.list({ tenant, jobId, since, limit: LAST_EXECUTIONS }),
  ])
  return {
    ...viewOfJob(job, defaults),
    statistics: viewOfStatistics(statistics),
    lastExecutions: last.map((execution) => viewOfExecution(execution, new Map([[job.id, job.name]]))),
  }
}

/** The payload of a job with what others are not shown. That somebody has seen it is recorded before he does. */
export async function revealPayload(scope: Scope, id: string): Promise<RevealedPayload> {
  requireWholeProfile(scope.principal, 'Admin')
  const { tenant, store, by } = scope
  const job = await ownJob(scope, id)
  await store.audit.append([
    {
      tenant,
      operation: 'JOBS_JOB_REVEAL',
      userId: by.userId,
      jobId: job.id,
      executionId: null,
      oldValues: null,
      newValues: null,
    },
  ])
  const payloadError = unreadableCode(job.definition.payload)
  return { payload: wireValue(job.definition.payload), ...(payloadError && { payloadError }) }
}
