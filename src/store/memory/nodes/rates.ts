import { grantStarts, type StartGrant, usedOf } from '../../../job/rules/rate-limit.ts'
import { AGED_ONE_IN } from '../../leases.ts'
import type { ClaimedStarts, RateRequest, RateRule, RateStore } from '../../rates.ts'
import type { ReadyRow } from '../schema/rows.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export function rateStore(session: Session): RateStore {
  return {
    acquire: (requests) => session.statement((tables, now) => requests.map((request) => acquire(tables, request, now))),
  }
}

function acquire(tables: Tables, request: RateRequest, now: number): StartGrant {
  const { jobType, tenant, perMs, returned } = request
  const key = keyOf(jobType, tenant ?? '')
  const { starts, ...grant } = grantStarts(tables.rates.get(key)?.starts ?? [], request, now)
  if (grant.granted > 0 || returned) tables.rates.put({ key, starts, expiresAt: (starts.at(-1)?.at ?? now) + perMs })
  return grant
}

/** How many executions of one rate limit a claim may take, and how many it has taken. */
interface StartRoom {
  readonly rule: RateRule
  readonly tenant: string | null
  readonly left: number
  /** How many more it takes by age alone. */
  agedLeft: number
}

/** Keeps the rate limits of one claim. */
export class StartRooms {
  readonly #tables: Tables
  readonly #now: number
  readonly #rules: ReadonlyMap<string, RateRule>
  readonly #rooms = new Map<string, StartRoom>()
  #isCut = false

  constructor(tables: Tables, rules: readonly RateRule[], now: number) {
    this.#tables = tables
    this.#now = now
    this.#rules = new Map(rules.map((rule) => [rule.jobType, rule]))
  }

  /** Whether it has left out rows that were looked at, which may have hidden others. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** How many executions like this one may be claimed. */
  mostOf(row: ReadyRow): number {
    const room = this.#roomOf(row)
    return room === null || room.rule.isDurable ? Number.POSITIVE_INFINITY : room.left
  }

  /** Whether one of the oldest rows is taken by age alone. Counts it. */
  takesByAge(row: ReadyRow): boolean {
    const room = this.#roomOf(row)
    if (!room) return true
    room.agedLeft -= 1
    return room.agedLeft >= 0
  }

  /** Leaves out rows, in their order, that may not start. */
  within<Each extends { readonly row: ReadyRow }>(line: readonly Each[]): Each[] {
    const taken = new Map<StartRoom, number>()
    return line.filter(({ row }) => {
      const room = this.#roomOf(row)
      if (!room || isExempt(room, row)) return true
      const count = taken.get(room) ?? 0
      const fits = count < room.left
      if (fits) taken.set(room, count + 1)
      else this.#isCut = true
      return fits
    })
  }

  /** Counts the starts of what is claimed. */
  use(rows: readonly ReadyRow[]): ClaimedStarts[] {
    const used = new Map<StartRoom, string[]>([...this.#rooms.values()].map((room) => [room, []]))
    for (const row of rows) {
      const room = this.#roomOf(row)
      if (room && !isExempt(room, row)) used.get(room)?.push(row.body.id)
    }
    return [...used].map(([{ rule, tenant }, executionIds]) => {
      const { jobType, limit, perMs, withinMs } = rule
      const wanted = executionIds.length
      const { at, nextAt } = acquire(this.#tables, { jobType, tenant, wanted, limit, perMs, withinMs }, this.#now)
      return { jobType, tenant, at, nextAt, executionIds }
    })
  }

  #roomOf({ body }: ReadyRow): StartRoom | null {
    const rule = this.#rules.get(body.jobType)
    if (!rule) return null
    const tenant = rule.by === 'tenant' ? body.tenant : null
    const key = keyOf(body.jobType, tenant ?? '')
    const known = this.#rooms.get(key)
    if (known) return known
    const starts = this.#tables.rates.get(key)?.starts ?? []
    const left = rule.limit - usedOf(starts.filter(({ at }) => at + rule.perMs > this.#now))
    const room = { rule, tenant, left, agedLeft: Math.floor((rule.sinceAged + left) / AGED_ONE_IN) }
    this.#rooms.set(key, room)
    return room
  }
}

/** A durable run that was claimed before. */
function isExempt({ rule }: StartRoom, row: ReadyRow): boolean {
  return rule.isDurable && row.epoch > 0
}

/** Removes rates without a start that counts. */
export function removePastRates(tables: Tables, now: number): void {
  const past = [...tables.rates.rows()].filter(({ expiresAt }) => expiresAt <= now)
  for (const { key } of past) tables.rates.take(key)
}
