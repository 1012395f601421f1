import type { Job } from '../../../job/job.ts'
import { firesNow } from '../../../job/job-status.ts'
import type { JobFilter, JobStore, ScheduledJob, ScheduleQuery } from '../../jobs.ts'
import { removeJob } from '../executions/remove.ts'
import { compareIds, compareText, inOrderOf } from '../schema/compare.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import type { Session } from '../session.ts'
import { putJob } from './put-jobs.ts'
import { countJobs, countJobTypes, searchJobs, selectJobs } from './search-jobs.ts'

export function jobStore(session: Session): JobStore {
  return {
    put: (changes) =>
      session.statement((tables, now) => {
        const answers = changes.map((change) => putJob(tables, change, now))
        if (answers.includes('stored')) tables.hint('jobs')
        return answers
      }),

    find: (ids) => session.statement((tables) => [...new Set(ids)].flatMap((id) => tables.jobs.get(id) ?? [])),

    findByName: (tenant, names) =>
      session.statement((tables) =>
        [...new Set(names)].flatMap((name) => tables.jobsByName.group(keyOf(tenant, name))?.first ?? []),
      ),

    list: (filter) => session.statement((tables) => listJobs(tables, filter)),

    search: (query) => session.statement((tables) => searchJobs(tables, query)),

    select: (selection, limit) => session.statement((tables) => selectJobs(tables, selection, limit)),

    schedules: (query) => session.statement((tables) => listSchedules(tables, query)),

    count: (tenant) => session.statement((tables) => countJobs(tables, tenant)),

    countTypes: (tenant) => session.statement((tables) => countJobTypes(tables, tenant)),

    due: (limit) =>
      session.statement((tables, now) => {
        const isDue = { while: (job: Job) => dueAtOf(job) <= now }
        const toFire = take(tables.jobsByFireTime.ascending(), limit, isDue)
        const toResume = take(tables.jobsByPauseEnd.ascending(), limit, isDue)
        const jobs = [...toFire, ...toResume].toSorted(longestDueFirst).slice(0, Math.max(0, limit))
        const tenants = new Set(jobs.map(({ tenant }) => tenant))
        return { now, jobs, suspended: [...tenants].filter((each) => !tables.flags.isOn(each, 'JOBS_SCHEDULING')) }
      }),

    remove: (ids) => session.statement((tables, now) => ids.filter((id) => removeJob(tables, id, now)).length),
  }
}

/** When it fires, or its pause ends. */
function dueAtOf({ status, pausedUntil, schedule }: Job): number {
  return (status === 'PAUSED' ? pausedUntil : schedule.nextFireAt) ?? Number.POSITIVE_INFINITY
}

const longestDueFirst = inOrderOf<Job>(
  (a, b) => dueAtOf(a) - dueAtOf(b),
  (a, b) => compareIds(a.id, b.id),
)

function listJobs(
  tables: Tables,
  { tenant, statuses, jobType, isSensitive, limit, after }: JobFilter,
  isChosen: (job: Job) => boolean = () => true,
): Job[] {
  const isListed = (job: Job) => after === undefined || isAfter(job, after)
  const isWanted = (job: Job) =>
    (tenant === undefined || job.tenant === tenant) &&
    (statuses === undefined ? job.status !== 'DELETED' : statuses.includes(job.status)) &&
    (jobType === undefined || job.definition.jobType === jobType) &&
    (isSensitive === undefined || job.details.isSensitive === isSensitive) &&
    isChosen(job)
  return take(
    tables.jobsInOrder.ascending((job) => !isListed(job)),
    limit,
    { where: isWanted },
  )
}

function listSchedules(tables: Tables, { tenant, limit, after }: ScheduleQuery): ScheduledJob[] {
  const edge = after === undefined ? undefined : { tenant, name: after }
  const jobs = listJobs(tables, { tenant, limit, after: edge }, firesNow)
  return jobs.map(({ id, name, definition, schedule }) => ({ id, name, calendar: definition.calendar, schedule }))
}

function isAfter(job: Job, { tenant, name }: { readonly tenant: string; readonly name: string }): boolean {
  return (compareText(job.tenant, tenant) || compareText(job.name, name)) > 0
}
