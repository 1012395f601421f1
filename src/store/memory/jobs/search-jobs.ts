import type { Job } from '../../../job/job.ts'
import type { JobStatus } from '../../../job/job-status.ts'
import { type Priority, priorityRank } from '../../../job/rules/priority.ts'
import {
  isDeletedWanted,
  type JobSearch,
  type JobSelection,
  type JobSort,
  type JobTypeCount,
  type SelectedJob,
} from '../../jobs.ts'
import { searchName, searchTags, searchText, soughtTag, soughtText } from '../../search-text.ts'
import { compareIds, compareText } from '../schema/compare.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'

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

/** The same, in short. */
export function selectJobs(tables: Tables, selection: JobSelection, limit: number): SelectedJob[] {
  return jobsOf(tables, selection.tenant)
    .filter((job) => isSought(job, selection))
    .toSorted((a, b) => compareIds(a.id, b.id))
    .slice(0, Math.max(0, limit))
    .map(({ id, status }) => ({ id, status }))
}

/** How many jobs of a tenant have which status. */
export function countJobs(tables: Tables, tenant: string): Partial<Record<JobStatus, number>> {
  const counts: Partial<Record<JobStatus, number>> = {}
  for (const { status } of jobsOf(tables, tenant)) {
    if (status !== 'DELETED') counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

/** How many jobs of a tenant have which job type. */
export function countJobTypes(tables: Tables, tenant: string): JobTypeCount[] {
  const counts = new Map<string, number>()
  for (const { status, definition } of jobsOf(tables, tenant)) {
    if (status !== 'DELETED') counts.set(definition.jobType, (counts.get(definition.jobType) ?? 0) + 1)
  }
  return [...counts]
    .map(([jobType, count]) => ({ jobType, count }))
    .toSorted((a, b) => compareText(a.jobType, b.jobType))
}

function jobsOf(tables: Tables, tenant: string): Job[] {
  return take(
    tables.jobsInOrder.ascending((job) => compareText(job.tenant, tenant) < 0),
    Number.POSITIVE_INFINITY,
    { while: (job) => job.tenant === tenant },
  )
}

function isSought(job: Job, selection: JobSelection): boolean {
  const { statuses, jobTypes, priorities, tag, either } = selection
  return (
    (job.status !== 'DELETED' || isDeletedWanted(selection)) &&
    (!statuses || statuses.includes(job.status)) &&
    (!jobTypes || jobTypes.includes(job.definition.jobType)) &&
    (!priorities || priorities.includes(job.definition.priority)) &&
    (tag === undefined || job.details.tags.includes(tag)) &&
    (!either || either.statuses.includes(job.status) || either.ids.includes(job.id)) &&
    saysWhatIsSought(job, selection)
  )
}

function saysWhatIsSought(job: Job, { text, names, tags }: JobSelection): boolean {
  const hasTag = (tag: string) => searchTags(job).includes(soughtTag(tag))
  return (
    (text === undefined || searchText(job).includes(soughtText(text)) || hasTag(text)) &&
    (!names || names.some((name) => searchName(job.name).includes(soughtText(name)))) &&
    (!tags || tags.some(hasTag))
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
