import type { Queryable, Statement } from '../../driver/driver.ts'
import type { NewExecution } from '../../executions.ts'

/** Who has the id, or else the key, of an execution that was not stored. */
const findHolders: Statement = {
  name: 'findHolders',
  text: `
select
  asked.id as "askedId",
  holder.id,
  holder.payload
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as asked (id, tenant, job_type, key)
cross join lateral (
  select coalesce(
    (select id from pontual.executions where id = asked.id),
    (
      select execution_id
      from pontual.idempotency_keys
      where tenant = asked.tenant
        and job_type = asked.job_type
        and key = asked.key
    )
  ) as id
  offset 0
) as known
cross join lateral (
  select id, payload
  from pontual.executions
  where id = known.id
  union all
  select id, payload
  from pontual.archived_end(known.id)
  limit 1
) as holder`,
}

interface Holder {
  readonly id: string
  readonly payload: string | null
}

interface HolderRow extends Holder {
  readonly askedId: string
}

/** By the id that was asked for. */
export async function holdersOf(
  database: Queryable,
  executions: readonly NewExecution[],
): Promise<ReadonlyMap<string, Holder>> {
  const bodies = executions.map(({ body }) => body)
  const rows = await database.query<HolderRow>(findHolders, [
    bodies.map(({ id }) => id),
    bodies.map(({ tenant }) => tenant),
    bodies.map(({ jobType }) => jobType),
    bodies.map(({ idempotencyKey }) => idempotencyKey),
  ])
  return new Map(rows.map((row) => [row.askedId, row]))
}
