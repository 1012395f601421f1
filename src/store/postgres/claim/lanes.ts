import { PontualError } from '../../../errors.ts'
import type { ExecutionBody } from '../../../job/execution/execution.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import type { Resting } from '../../leases.ts'

/** The number of the tenant is in the upper bits of the numbers of its lanes. */
export const LANES_OF_TENANT = 2 ** 20

export function tenantOfLane(lane: number): number {
  return Math.floor(lane / LANES_OF_TENANT)
}

/** What a node may or may not take. */
export interface Lane {
  readonly tenant: string
  readonly queue: string
  readonly jobType: string
}

type Body = Pick<ExecutionBody, 'tenant' | 'queue' | 'jobType' | 'jobId' | 'options'>

interface LaneRow extends Lane {
  readonly id: number
  readonly jobId: string | null
}

const internLanes: Statement = {
  name: 'internLanes',
  text: `
select id, tenant, queue, job_type as "jobType", job_id as "jobId"
from pontual.intern_lanes($1::text[], $2::text[], $3::text[], $4::uuid[])`,
}

const findLanes: Statement = {
  name: 'findLanes',
  text: `
select lanes.id, tenants.name as tenant, lanes.queue, lanes.job_type as "jobType"
from pontual.lanes
join pontual.tenants on tenants.id = lanes.tenant_id
where lanes.id = any($1::bigint[])`,
}

const NO_LANES: ReadonlySet<number> = new Set()

/** The numbers that stand for tenant, queue and job type. They never change, so each is asked for once. */
export class Lanes {
  readonly #database: Queryable
  readonly #ids: Map<string, number>
  readonly #lanes: Map<number, Lane>

  constructor(database: Queryable, known?: Lanes) {
    this.#database = database
    this.#ids = known ? known.#ids : new Map<string, number>()
    this.#lanes = known ? known.#lanes : new Map<number, Lane>()
  }

  /** The lanes of bodies, in their order. */
  async idsOf(bodies: readonly Body[]): Promise<number[]> {
    const known = this.#look(bodies, this.#ids)
    if (known) return known
    await this.#intern(bodies, this.#database, this.#ids)
    return this.#look(bodies, this.#ids) ?? []
  }

  /**
   * The same within a transaction, for a database that has one connection: it could not be asked beside the transaction. Nothing new is
   * remembered, since the transaction may be rolled back.
   */
  async idsWithin(transaction: Queryable, bodies: readonly Body[]): Promise<number[]> {
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

  /** null where this process has not met the lane yet. */
  tenantOf(id: number): string | null {
    return this.#lanes.get(id)?.tenant ?? null
  }

  /** Those known lanes that may not be taken from now. */
  matching(resting: readonly Resting[]): ReadonlySet<number> {
    if (resting.length === 0) return NO_LANES
    const isResting = ({ tenant, jobType }: Lane) =>
      resting.some((each) => each.jobType === jobType && (each.tenant === null || each.tenant === tenant))
    return new Set([...this.#lanes].filter(([, lane]) => isResting(lane)).map(([id]) => id))
  }

  #look(bodies: readonly Body[], ids: ReadonlyMap<string, number>): number[] | null {
    const found: number[] = []
    let last: Body | undefined
    let lastId = 0
    for (const body of bodies) {
      // Most lists are of one lane, and to look a lane up takes longer than to see that it is the same.
      if (!last || !isSameLane(body, last)) {
        const id = ids.get(keyOf(body))
        if (id === undefined) return null
        last = body
        lastId = id
      }
      found.push(lastId)
    }
    return found
  }

  async #intern(bodies: readonly Body[], database: Queryable, ids: Map<string, number>): Promise<void> {
    const missing = new Map<string, Body>()
    for (const body of bodies) {
      const key = keyOf(body)
      if (!ids.has(key)) missing.set(key, body)
    }
    const wanted = [...missing.values()]
    const rows = await database.query<LaneRow>(internLanes, [
      wanted.map(({ tenant }) => tenant),
      wanted.map(({ queue }) => queue),
      wanted.map(({ jobType }) => jobType),
      wanted.map(ownerOf),
    ])
    for (const { tenant, queue, jobType, jobId, id } of rows) ids.set(laneKey({ tenant, queue, jobType }, jobId), id)
  }
}

/** The job that has lanes of its own, because it limits how many of it run; null where the lane is shared. */
function ownerOf({ jobId, options }: Body): string | null {
  return options?.concurrency === undefined ? null : jobId
}

function keyOf(body: Body): string {
  return laneKey(body, ownerOf(body))
}

function isSameLane(a: Body, b: Body): boolean {
  return a.jobType === b.jobType && a.tenant === b.tenant && a.queue === b.queue && ownerOf(a) === ownerOf(b)
}

/** No two lanes have the same: the lengths say where one name ends. */
function laneKey({ tenant, queue, jobType }: Lane, jobId: string | null): string {
  return `${jobId ?? ''}:${tenant.length}:${queue.length}:${tenant}${queue}${jobType}`
}
