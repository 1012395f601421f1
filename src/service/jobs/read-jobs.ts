import { requirePermission } from '../../access/principal.ts'
import { stateOf } from '../../engine/fire-job.ts'
import type { Job } from '../../job/job.ts'
import { fires, JOB_STATUSES } from '../../job/job-status.ts'
import { PRIORITIES } from '../../job/priority.ts'
import type { JobSort } from '../../store/jobs.ts'
import { requireOneOf } from '../../time/require.ts'
import { SearchTooLongError } from '../../time/search-steps.ts'
import { stateAfterFire } from '../../time/trigger-state.ts'
import { requireUuid } from '../../uuid.ts'
import type { JobMore, Page } from '../answers.ts'
import { viewOfExecution } from '../executions/describe-execution.ts'
import { HISTORY_MS } from '../executions/list-executions.ts'
import type { JobView } from '../job-view.ts'
import { knownCalendar } from '../known-calendar.ts'
import { ownJob } from '../owned.ts'
import { pageOf } from '../page.ts'
import type { JobListQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { searched } from '../search-limits.ts'
import { checkSought } from '../sent-values.ts'
import { wireInstant } from '../wire-value.ts'
import { viewOfJob } from './describe-job.ts'
import { viewOfStatistics } from './describe-statistics.ts'

const LAST_EXECUTIONS = 10
const UPCOMING = 10
const COUNTED = 10_000

/** Jobs as people look for them. */
export async function listJobs(scope: Scope, query: JobListQuery): Promise<Page<JobView>> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, cursors } = scope
  const { q: text, status: statuses, jobType: jobTypes, priority: priorities, tag, isDescending } = query
  for (const status of statuses ?? []) requireOneOf(status, 'status', JOB_STATUSES)
  for (const priority of priorities ?? []) requireOneOf(priority, 'priority', PRIORITIES)
  checkSought('q', text)
  checkSought('tag', tag)
  checkSought('jobType', ...(jobTypes ?? []))
  const sort = requireOneOf(query.sort, 'sort', Object.keys(VALUES) as JobSort[])
  const filter = { tenant, text, statuses, jobTypes, priorities, tag, sort, isDescending }
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    scope: ['jobs', filter],
    shape: [KINDS[sort], 'id'],
    read: (limit, place) => store.jobs.search({ ...filter, limit, after: afterOf(place) }),
    placeOf: (job) => [VALUES[sort](job), job.id],
  })
  return { ...page, items: page.items.map((job) => viewOfJob(job, scope.opened.options)) }
}

/** What a job has in the field that is sorted by. */
const VALUES: Readonly<Record<JobSort, (job: Job) => string | number | null>> = {
  name: (job) => job.name,
  status: (job) => job.status,
  jobType: (job) => job.definition.jobType,
  priority: (job) => job.definition.priority,
  nextFireAt: (job) => job.schedule.nextFireAt,
  createdAt: (job) => job.createdAt,
  updatedAt: (job) => job.updatedAt,
}

const KINDS: Readonly<Record<JobSort, 'text' | 'instant'>> = {
  name: 'text',
  status: 'text',
  jobType: 'text',
  priority: 'text',
  nextFireAt: 'instant',
  createdAt: 'instant',
  updatedAt: 'instant',
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
  const [job, statistics, last] = await Promise.all([
    ownJob(scope, jobId),
    store.executions.statistics({ tenant, jobId, since, limit: COUNTED }),
    store.executions.list({ tenant, jobId, since, limit: LAST_EXECUTIONS }),
  ])
  return {
    ...viewOfJob(job, scope.opened.options),
    statistics: viewOfStatistics(statistics),
    lastExecutions: last.map(viewOfExecution),
  }
}

/** When a job fires next, as it stands now. */
export async function nextExecutions(
  scope: Scope,
  id: string,
): Promise<{ nextExecution: string | null; upcoming: string[] }> {
  requirePermission(scope.principal, 'jobs:read')
  const job = await ownJob(scope, id)
  const upcoming = fires(job.status) ? await upcomingOf(scope, job) : []
  return { nextExecution: upcoming[0] ?? null, upcoming }
}

async function upcomingOf(scope: Scope, job: Job): Promise<string[]> {
  const calendar = await knownCalendar(scope, job.definition.calendar)
  const times: string[] = []
  let state = stateOf(job.schedule)
  try {
    searched(() => {
      while (state.nextFireAt !== null && times.length < UPCOMING) {
        times.push(wireInstant(state.nextFireAt))
        state = stateAfterFire(state, calendar)
      }
    })
  } catch (error) {
    // Those that were found are true.
    if (!(error instanceof SearchTooLongError)) throw error
  }
  return times
}
