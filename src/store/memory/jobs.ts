import type { Job } from '../../job/job.ts'
import type { JobFilter, JobStore } from '../jobs.ts'
import { compareText } from './compare.ts'
import { putJob } from './put-job.ts'
import { removeJob } from './remove.ts'
import type { Session } from './session.ts'
import { keyOf } from './table.ts'
import type { Tables } from './tables.ts'
import { take } from './take.ts'

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

    due: (limit) =>
      session.statement((tables, now) => ({
        now,
        jobs: take(tables.jobsByFireTime.ascending(), limit, {
          while: ({ schedule }) => schedule.nextFireAt !== null && schedule.nextFireAt <= now,
        }),
      })),

    remove: (ids) => session.statement((tables, now) => ids.filter((id) => removeJob(tables, id, now)).length),
  }
}

function listJobs(tables: Tables, { tenant, statuses, jobType, limit, after }: JobFilter): Job[] {
  const isListed = (job: Job) => after === undefined || isAfter(job, after)
  const isWanted = (job: Job) =>
    (tenant === undefined || job.tenant === tenant) &&
    (statuses === undefined ? job.status !== 'DELETED' : statuses.includes(job.status)) &&
    (jobType === undefined || job.definition.jobType === jobType)
  return take(
    tables.jobsInOrder.ascending((job) => !isListed(job)),
    limit,
    { where: isWanted },
  )
}

function isAfter(job: Job, { tenant, name }: { readonly tenant: string; readonly name: string }): boolean {
  return (compareText(job.tenant, tenant) || compareText(job.name, name)) > 0
}
