import type { Job, JobSchedule } from '../../../job/job.ts'
import type { Statement } from '../../driver/driver.ts'
import type { JobStore, JobTypeCount, ScheduledJob, ScheduleQuery } from '../../jobs.ts'
import { followRemoved, tellFreed } from '../executions/follow-up.ts'
import { removeArchivedOfJobs, removeJobs, unseatExecutions } from '../executions/remove.ts'
import type { Parts } from '../parts.ts'
import { FIRES_FAULTED, type JobRow, jobFrom, SELECT_JOBS } from './job-row.ts'
import { putJobs } from './put-jobs.ts'
import { countJobsOf, searchJobs, selectJobsOf } from './search-jobs.ts'

const listSchedules: Statement = {
  name: 'listSchedules',
  text: `
select
  id,
  name,
  definition ->> 'calendar' as calendar,
  trigger_now as "currentTrigger",
  pontual.to_ms(next_fire_at) as "nextFireAt",
  pontual.to_ms(previous_fire_at) as "previousFireAt",
  times_triggered as "timesTriggered"
from pontual.jobs
where tenant = $1::text
  and status <> 'DELETED'
  and (status in ('ACTIVE', 'APPROVED') or (${FIRES_FAULTED}))
  and name > $3::text
order by name
limit $2::int`,
}

type ScheduleRow = Omit<ScheduledJob, 'schedule'> & JobSchedule

async function readSchedules({ driver }: Parts, query: ScheduleQuery): Promise<ScheduledJob[]> {
  const { tenant, limit, after = '' } = query
  const rows = await driver.query<ScheduleRow>(listSchedules, [tenant, Math.max(0, limit), after])
  return rows.map(({ id, name, calendar, ...schedule }) => ({ id, name, calendar, schedule }))
}

const findJobs: Statement = {
  name: 'findJobs',
  text: `${SELECT_JOBS}
from unnest($1::uuid[]) with ordinality as asked (id, place)
join pontual.jobs using (id)
order by place`,
}

const findJobsByName: Statement = {
  name: 'findJobsByName',
  text: `${SELECT_JOBS}
from unnest($2::text[]) with ordinality as asked (name, place)
join pontual.jobs using (name)
where tenant = $1::text
  and status <> 'DELETED'
order by place`,
}

const listJobs: Statement = {
  name: 'listJobs',
  text: `${SELECT_JOBS}
from pontual.jobs
where ($1::text is null or tenant = $1::text)
  and ($2::text[] is null or status = any($2::text[]))
  and ($2::text[] is not null or status <> 'DELETED')
  and ($3::text is null or job_type = $3::text)
  and ($5::text is null or (tenant, name) > ($5::text, $6::text))
  and ($7::boolean is null or coalesce((details ->> 'isSensitive')::boolean, false) = $7::boolean)
order by tenant, name, id
limit $4::int`,
}

const countJobTypes: Statement = {
  name: 'countJobTypes',
  text: `
select
  job_type as "jobType",
  count(*) as count
from pontual.jobs
where tenant = $1::text
  and status <> 'DELETED'
group by job_type
order by job_type collate "C"`,
}

export const findDueJobs: Statement = {
  name: 'findDueJobs',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
to_fire as (
  ${SELECT_JOBS},
    next_fire_at as due_at
  from pontual.jobs
  where next_fire_at is not null
    and next_fire_at <= (select now from clock)
    and status in ('ACTIVE', 'APPROVED')
  order by next_fire_at, id
  limit $2::int
),
to_fire_faulted as (
  ${SELECT_JOBS},
    next_fire_at as due_at
  from pontual.jobs
  where next_fire_at is not null
    and next_fire_at <= (select now from clock)
    and ${FIRES_FAULTED}
  order by next_fire_at, id
  limit $2::int
),
to_resume as (
  ${SELECT_JOBS},
    paused_until
  from pontual.jobs
  where paused_until is not null
    and paused_until <= (select now from clock)
    and status = 'PAUSED'
  order by paused_until, id
  limit $2::int
),
due as (
  select *
  from (
    select * from to_fire
    union all
    select * from to_fire_faulted
    union all
    select * from to_resume
  ) as either
  order by due_at, id
  limit $2::int
)
select
  pontual.to_ms(now) as "storeNow",
  coalesce(
    (select is_suspended from pontual.tenants where name = due.tenant),
    (select not value::boolean from pontual.settings where name = 'flag.JOBS_SCHEDULING')
  ) is true as "isSuspended",
  due.*
from clock
left join due on true
order by due_at, id`,
}

/** Whoever fires one of the jobs has to be done, or to wait: what he fires has to be seen by what is removed next. */
const lockJobs: Statement = {
  name: 'lockJobs',
  text: `
select id
from pontual.jobs
where id = any($1::uuid[])
order by id
for update`,
}

export function jobStore(parts: Parts): JobStore {
  const { driver, testTime } = parts
  return {
    put: (changes) => putJobs(parts, changes),

    async find(ids) {
      const rows = await driver.query<JobRow>(findJobs, [[...new Set(ids)]])
      return rows.map(jobFrom)
    },

    async findByName(tenant, names) {
      const rows = await driver.query<JobRow>(findJobsByName, [tenant, [...new Set(names)]])
      return rows.map(jobFrom)
    },

    async list({ tenant = null, statuses = null, jobType = null, isSensitive = null, limit, after }) {
      const edge = [after?.tenant ?? null, after?.name ?? null]
      const values = [tenant, statuses, jobType, Math.max(0, limit), ...edge, isSensitive]
      const rows = await driver.query<JobRow>(listJobs, values)
      return rows.map(jobFrom)
    },

    search: (query) => searchJobs(parts, query),

    select: (selection, limit) => selectJobsOf(parts, selection, limit),

    schedules: (query) => readSchedules(parts, query),

    count: (tenant) => countJobsOf(parts, tenant),

    countTypes: async (tenant) => await driver.query<JobTypeCount>(countJobTypes, [tenant]),

    async due(limit) {
      const values = [testTime(), Math.max(0, limit)]
      const rows = await driver.query<DueRow>(findDueJobs, values)
      const suspended = new Set(rows.flatMap((row) => (row.isSuspended ? (row.tenant ?? []) : [])))
      return { now: rows[0]?.storeNow ?? 0, jobs: rows.flatMap(dueFrom), suspended: [...suspended] }
    },

    async remove(ids) {
      const { count, freed } = await driver.transaction(async (transaction) => {
        await transaction.query(lockJobs, [ids])
        await transaction.query(unseatExecutions, [ids])
        await transaction.query(removeArchivedOfJobs, [ids])
        const [row] = await transaction.query<{ count: number; followed: readonly string[] }>(removeJobs, [ids])
        return { count: row?.count ?? 0, freed: await followRemoved(transaction, row?.followed ?? [], testTime()) }
      })
      tellFreed(parts, freed)
      return count
    },
  }
}

type DueRow = { readonly storeNow: number; readonly isSuspended: boolean } & (
  | JobRow
  | { readonly [Column in keyof JobRow]: null }
)

/** None from the one row that there is when nothing is due. */
function dueFrom(row: DueRow): Job[] {
  return row.id === null ? [] : [jobFrom(row)]
}
