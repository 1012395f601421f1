import type { Job } from '../../../job/job.ts'
import type { JobStatus } from '../../../job/job-status.ts'
import { type Priority, priorityRank } from '../../../job/rules/priority.ts'
import type { Statement } from '../../driver/driver.ts'
import { isDeletedWanted, type JobSearch, type JobSelection, type JobSort, type SelectedJob } from '../../jobs.ts'
import { soughtTag, soughtText } from '../../search-text.ts'
import { type Parts, storable } from '../parts.ts'
import { type JobRow, jobFrom, SELECT_JOBS } from './job-row.ts'

/** What each order goes by, and as what it is compared. */
const VALUES: Readonly<Record<JobSort, readonly [expression: string, type: 'text' | 'float8']>> = {
  name: ['name', 'text'],
  status: ['status collate "C"', 'text'],
  jobType: ['job_type collate "C"', 'text'],
  priority: [`case definition ->> 'priority' when 'HIGH' then 1 when 'MEDIUM' then 2 else 3 end`, 'float8'],
  nextFireAt: ['pontual.to_ms(next_fire_at)', 'float8'],
  createdAt: ['pontual.to_ms(created_at)', 'float8'],
  updatedAt: ['pontual.to_ms(updated_at)', 'float8'],
}

const WHERE = `
    and ($3::text[] is null or status = any($3::text[]))
    and ($4::text[] is null or job_type = any($4::text[]))
    and ($5::text[] is null or definition ->> 'priority' = any($5::text[]))
    and ($6::text is null or details -> 'tags' ? $6::text)
    and (
      $7::text is null
      or position($7::text in coalesce(search_text, upper(name collate "default"))) > 0
      or position($8::text in coalesce(search_tags, '')) > 0
    )
    and (
      $12::text[] is null
      or exists (
        select
        from unnest($12::text[]) as part
        where position(part in split_part(coalesce(search_text, upper(name collate "default")), chr(31), 1)) > 0
      )
    )
    and (
      $13::text[] is null
      or exists (select from unnest($13::text[]) as tag where position(tag in coalesce(search_tags, '')) > 0)
    )
    and ($14::text[] is null or status = any($14::text[]) or id in (select unnest($15::uuid[])))`

/** Jobs of a tenant are found by its name, those that are DELETED apart, and only then put in order: an order of its own would cost every firing an index. */
function searchStatement(sort: JobSort, isDescending: boolean): Statement {
  const [value, type] = VALUES[sort]
  const [direction, after] = isDescending ? ['desc', '<'] : ['asc', '>']
  const order = `value ${direction}${sort === 'nextFireAt' ? ' nulls last' : ''}`
  return {
    name: `searchJobsBy${sort[0]?.toUpperCase()}${sort.slice(1)}${isDescending ? 'Down' : ''}`,
    text: `
with wanted as (
  select id, ${value} as value
  from pontual.jobs
  where tenant = $1::text
    and status <> 'DELETED'${WHERE}
  union all
  select id, ${value}
  from pontual.jobs
  where $9::bool
    and tenant = $1::text
    and status = 'DELETED'${WHERE}
),
found as materialized (
  select id, value
  from wanted
  where $10::uuid is null
    or value ${after} $11::${type}
    or (value is null and $11::${type} is not null)
    or (value is not distinct from $11::${type} and id ${after} $10::uuid)
  order by ${order}, id ${direction}
  limit $2::int
)
${SELECT_JOBS}
from found
cross join lateral (
  select *
  from pontual.jobs
  where jobs.id = found.id
  limit 1
) as jobs
order by ${order}, found.id ${direction}`,
  }
}

/** The same in short: values 2, 10 and 11, which only an order has, are of no use here. */
const selectJobs: Statement = {
  name: 'selectJobs',
  text: `
select id, status
from (
  select id, status
  from pontual.jobs
  where tenant = $1::text
    and status <> 'DELETED'${WHERE}
  union all
  select id, status
  from pontual.jobs
  where $9::bool
    and tenant = $1::text
    and status = 'DELETED'${WHERE}
) as wanted
where $10::uuid is null
  and $11::text is null
order by id
limit $2::int`,
}

/**
 * All of them by name, as they stand in an index: a page reads no more than it shows. Conditions that may or may not be there would have the planner believe
 * that next to nothing is found, and sort it. No two have the same name but those that are DELETED.
 */
const listJobsByName: Statement = {
  name: 'listJobsByName',
  text: `${SELECT_JOBS}
from pontual.jobs
where tenant = $1::text
  and status <> 'DELETED'
  and (name, id) > ($3::text, $4::uuid)
order by name
limit $2::int`,
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const SORTS = Object.keys(VALUES) as JobSort[]
const ASCENDING = new Map(SORTS.map((sort) => [sort, searchStatement(sort, false)]))
const DESCENDING = new Map(SORTS.map((sort) => [sort, searchStatement(sort, true)]))

const countJobs: Statement = {
  name: 'countJobs',
  text: `
select status, count(*) as count
from pontual.jobs
where tenant = $1::text
  and status <> 'DELETED'
group by status`,
}

export async function searchJobs({ driver }: Parts, query: JobSearch): Promise<Job[]> {
  const { tenant, limit, after } = query
  if (isPlain(query)) {
    const values = [tenant, Math.max(0, limit), after?.value ?? '', after?.id ?? FIRST_ID]
    return (await driver.query<JobRow>(listJobsByName, values)).map(jobFrom)
  }
  const statement = (query.isDescending ? DESCENDING : ASCENDING).get(query.sort)
  if (!statement) throw new TypeError(`Jobs are not in the order of ${query.sort}.`)
  const values = valuesOf(query, limit, { id: after?.id ?? null, value: afterValue(query) })
  return (await driver.query<JobRow>(statement, values)).map(jobFrom)
}

export async function selectJobsOf({ driver }: Parts, selection: JobSelection, limit: number): Promise<SelectedJob[]> {
  return await driver.query<SelectedJob>(selectJobs, valuesOf(selection, limit, { id: null, value: null }))
}

interface Edge {
  readonly id: string | null
  readonly value: string | number | null
}

function valuesOf(selection: JobSelection, limit: number, edge: Edge): unknown[] {
  const {
    tenant,
    text,
    statuses = null,
    jobTypes = null,
    priorities = null,
    tag = null,
    names,
    tags,
    either,
  } = selection
  return [
    tenant,
    Math.max(0, limit),
    statuses,
    jobTypes,
    priorities,
    storable(tag),
    text === undefined ? null : storable(soughtText(text)),
    text === undefined ? null : storable(soughtTag(text)),
    isDeletedWanted(selection),
    edge.id,
    edge.value,
    names?.map((name) => storable(soughtText(name))) ?? null,
    tags?.map((each) => storable(soughtTag(each))) ?? null,
    either?.statuses ?? null,
    either?.ids ?? null,
  ]
}

/** Whether nothing is looked for, and by name. */
function isPlain({ sort, isDescending, ...query }: JobSearch): boolean {
  const { text, names, statuses, jobTypes, priorities, tag, tags, either } = query
  const isSought = [text, names, statuses, jobTypes, priorities, tag, tags, either].some((each) => each !== undefined)
  return sort === 'name' && !isDescending && !isSought
}

function afterValue({ sort, after }: JobSearch): string | number | null {
  if (!after || after.value === null) return null
  return sort === 'priority' ? priorityRank(after.value as Priority) : after.value
}

export async function countJobsOf({ driver }: Parts, tenant: string): Promise<Partial<Record<JobStatus, number>>> {
  const rows = await driver.query<{ status: JobStatus; count: number }>(countJobs, [tenant])
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
