import type { ChainCondition, ExecutionStatus, FinalStatus } from '../../../job/execution/execution.ts'
import type { Statement } from '../../driver/driver.ts'
import type { ChainRecord, PredecessorRecord } from '../../executions.ts'
import type { Parts } from '../parts.ts'
import { failureFrom } from '../reads/read-execution.ts'

const findPredecessors: Statement = {
  name: 'findPredecessors',
  text: `
select
  links.predecessor_id as "executionId",
  coalesce(body.job_type, past.job_type) as "jobType",
  links.outcome as status,
  coalesce(results.output, past.output) as output,
  coalesce(results.error, past.error) as error
from pontual.links
left join lateral (
  select lanes.job_type
  from pontual.executions
  join pontual.lanes on lanes.id = executions.lane
  where executions.id = links.predecessor_id
  limit 1
) as body on true
left join lateral (
  select output, error
  from pontual.results
  where results.execution_id = links.predecessor_id
  limit 1
) as results on true
left join lateral pontual.archived_end(
  case when body.job_type is null then links.predecessor_id end
) as past on true
where links.successor_id = $1::uuid
  and links.outcome is not null
  and not links.is_child
order by links.place`,
}

const findChain: Statement = {
  name: 'findChain',
  text: `
with recursive member (id) as (
  select id
  from pontual.executions
  where id = $1::uuid
  union
  select id
  from pontual.archived_end($1::uuid)
  union
  select neighbour.id
  from member
  cross join lateral (
    select predecessor_id
    from pontual.links
    where successor_id = member.id
      and not is_child
    union all
    select successor_id
    from pontual.links
    where predecessor_id = member.id
      and not is_child
  ) as neighbour (id)
  where (select true from pontual.executions where executions.id = neighbour.id limit 1) is true
    or exists (select from pontual.archived_end(neighbour.id))
),
near as materialized (
  select id
  from member
  limit $2::int
)
select
  record.id,
  record.job_type as "jobType",
  record.status,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('from', predecessor_id, 'on', condition) order by place)
      from pontual.links
      where successor_id = record.id
        and predecessor_id in (select id from near)
        and not is_child
    ),
    '[]'
  ) as links
from near
cross join lateral (
  select id, job_type, status
  from pontual.execution_records
  where execution_records.id = near.id
  union all
  select id, job_type, status
  from pontual.archived_end(near.id)
  limit 1
) as record
order by record.id`,
}

interface MemberRow {
  readonly id: string
  readonly jobType: string
  readonly status: ExecutionStatus
  readonly links: readonly { readonly from: string; readonly on: ChainCondition }[]
}

interface PredecessorRow extends Omit<PredecessorRecord, 'error'> {
  readonly status: FinalStatus
  readonly error: string | null
}

export async function predecessorsOf({ driver }: Parts, id: string): Promise<PredecessorRecord[]> {
  const rows = await driver.query<PredecessorRow>(findPredecessors, [id])
  return rows.map((row) => ({ ...row, error: failureFrom(row.error) }))
}

export async function chainOf({ driver }: Parts, id: string, limit: number): Promise<ChainRecord | null> {
  const rows = await driver.query<MemberRow>(findChain, [id, Math.max(1, limit)])
  if (rows.length === 0) return null
  return {
    executions: rows.map(({ id: member, jobType, status }) => ({ id: member, jobType, status })),
    links: rows.flatMap(({ id: to, links }) => links.map(({ from, on }) => ({ from, to, on }))),
  }
}
