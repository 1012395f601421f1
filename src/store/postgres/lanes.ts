import { PontualError } from '../../errors.ts'
import type { ExecutionBody } from '../../job/execution.ts'
import type { Queryable, Statement } from '../driver/driver.ts'

export type Lane = Pick<ExecutionBody, 'tenant' | 'queue' | 'jobType'>

interface LaneRow extends Lane {
  readonly id: number
}

// In order of their names, so that two nodes who add the same lanes do not wait for each other in a circle.
const internLanes: Statement = {
  name: 'internLanes',
  text: `
with asked as materialized (
  select tenant, queue, job_type
  from unnest($1::text[], $2::text[], $3::text[]) as asked (tenant, queue, job_type)
),
added as (
  insert into pontual.lanes (tenant, queue, job_type)
  select tenant, queue, job_type
  from asked
  where not exists (
    select from pontual.lanes
    where lanes.tenant = asked.tenant
      and lanes.queue = asked.queue
      and lanes.job_type = asked.job_type
  )
  order by tenant collate "C", queue collate "C", job_type collate "C"
  on conflict (tenant, queue, job_type) do nothing
  returning id, tenant, queue, job_type
)
select id, tenant, queue, job_type as "jobType"
from added
union all
select lanes.id, tenant, queue, job_type
from asked
join pontual.lanes using (tenant, queue, job_type)`,
}

const findLanes: Statement = {
  name: 'findLanes',
  text: `
select id, tenant, queue, job_type as "jobType"
from pontual.lanes
where id = any($1::int[])`,
}

/** The small numbers that stand for tenant, queue and job type. They never change, so each is asked for once. */
export class Lanes {
  readonly #database: Queryable
  readonly #ids = new Map<string, number>()
  readonly #lanes = new Map<number, Lane>()

  constructor(database: Queryable) {
    this.#database = database
  }

  /** The lanes of bodies, in their order. */
  async idsOf(bodies: readonly Lane[]): Promise<number[]> {
    const known = this.#look(bodies, this.#ids)
    if (known) return known
    await this.#intern(bodies, this.#database, this.#ids)
    return this.#look(bodies, this.#ids) ?? []
  }

  /**
   * The same within a transaction, for a database that has one connection: it could not be asked beside the transaction. Nothing new is
   * remembered, since the transaction may be rolled back.
   */
  async idsWithin(transaction: Queryable, bodies: readonly Lane[]): Promise<number[]> {
    const known = this.#look(bodies, this.#ids)
    if (known) return known
    const ids = new Map(this.#ids)
    await this.#intern(bodies, transaction, ids)
    return this.#look(bodies, ids) ?? []
  }

  /** What lanes stand for. */
  async describe(ids: readonly number[]): Promise<(id: number) => Lane> {
    const unknown = new Set(ids.filter((id) => !this.#lanes.has(id)))
    if (unknown.size > 0) {
      const rows = await this.#database.query<LaneRow>(findLanes, [[...unknown]])
      for (const { id, tenant, queue, jobType } of rows) this.#lanes.set(id, { tenant, queue, jobType })
    }
    return (id) => {
      const lane = this.#lanes.get(id)
      if (lane) return lane
      throw new PontualError('store.lane_missing', `Lane ${id} is used, but missing from pontual.lanes.`, { id })
    }
  }

  #look(bodies: readonly Lane[], ids: ReadonlyMap<string, number>): number[] | null {
    const found: number[] = []
    for (const body of bodies) {
      const id = ids.get(keyOf(body))
      if (id === undefined) return null
      found.push(id)
    }
    return found
  }

  async #intern(bodies: readonly Lane[], database: Queryable, ids: Map<string, number>): Promise<void> {
    for (;;) {
      const missing = new Map<string, Lane>()
      for (const body of bodies) {
        const key = keyOf(body)
        if (!ids.has(key)) missing.set(key, body)
      }
      if (missing.size === 0) return
      const lanes = [...missing.values()]
      const rows = await database.query<LaneRow>(internLanes, [
        lanes.map(({ tenant }) => tenant),
        lanes.map(({ queue }) => queue),
        lanes.map(({ jobType }) => jobType),
      ])
      // One that another node adds at the same moment is in neither half of the answer, and found by the next try.
      for (const row of rows) ids.set(keyOf(row), row.id)
    }
  }
}

/** No two lanes have the same: the lengths say where one name ends. */
function keyOf({ tenant, queue, jobType }: Lane): string {
  return `${tenant.length}:${queue.length}:${tenant}${queue}${jobType}`
}
