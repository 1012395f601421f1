import type { Job } from '../../job/job.ts'
import type { JobStatus } from '../../job/job-status.ts'
import { type Priority, priorityRank } from '../../job/priority.ts'
import type { JobSearch, JobSort } from '../jobs.ts'
import { searchTags, searchText, soughtTag, soughtText } from '../search-text.ts'
import { compareIds, compareText } from './compare.ts'
import type { Tables } from './tables.ts'
import { take } from './take.ts'

type SortValue = string | number | null

/** What each order goes by. */
const VALUES: Readonly<Record<JobSort, (job: Job) => SortValue>> = {
  name: ({ name }) => name,
  status: ({ status }) => status,
  jobType: ({ definition }) => definition.jobType,
  priority: ({ definition }) => priorityRank(definition.priority),
  nextFireAt: ({ schedule }) => schedule.nextFireAt,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
}

/** Jobs of a tenant as people look for them. */
export function searchJobs(tables: Tables, query: JobSearch): Job[] {
  const sortValue = VALUES[query.sort]
  const sign = query.isDescending ? -1 : 1
  const compare = (a: SortValue, aId: string, b: SortValue, bId: string) =>
    compareValues(a, b, sign) || sign * compareIds(aId, bId)
  const { after } = query
  const edge = after && { id: after.id, value: edgeValue(query.sort, after.value) }
  return jobsOf(tables, query.tenant)
    .filter((job) => isSought(job, query))
    .filter((job) => !edge || compare(sortValue(job), job.id, edge.value, edge.id) > 0)
    .toSorted((a, b) => compare(sortValue(a), a.id, sortValue(b), b.id))
    .slice(0, Math.max(0, query.limit))
}

/** How many jobs of a tenant have which status. */
export function countJobs(tables: Tables, tenant: string): Partial<Record<JobStatus, number>> {
  const counts: Partial<Record<JobStatus, number>> = {}
  for (const { status } of jobsOf(tables, tenant)) {
    if (status !== 'DELETED') counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

function jobsOf(tables: Tables, tenant: string): Job[] {
  return take(
    tables.jobsInOrder.ascending((job) => compareText(job.tenant, tenant) < 0),
    Number.POSITIVE_INFINITY,
    { while: (job) => job.tenant === tenant },
  )
}

function isSought(job: Job, { statuses, jobTypes, priorities, tag, text }: JobSearch): boolean {
  return (
    (statuses ? statuses.includes(job.status) : job.status !== 'DELETED') &&
    (!jobTypes || jobTypes.includes(job.definition.jobType)) &&
    (!priorities || priorities.includes(job.definition.priority)) &&
    (tag === undefined || job.details.tags.includes(tag)) &&
    (text === undefined || searchText(job).includes(soughtText(text)) || searchTags(job).includes(soughtTag(text)))
  )
}

function edgeValue(sort: JobSort, value: SortValue): SortValue {
  return sort === 'priority' && value !== null ? priorityRank(value as Priority) : value
}

/** Nulls stand last in either direction. */
function compareValues(a: SortValue, b: SortValue, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b)))
}
