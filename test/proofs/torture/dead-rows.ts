import pg from 'pg'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { enqueue } from './caps.ts'

export interface DeadRowsOptions {
  readonly url: string
  /** How many rows were claimed while a transaction is open that began before. */
  readonly rows: number
  /** How many claims are measured on each node. */
  readonly claims: number
  /** Whether the tenant whose rows they were has work now. */
  readonly isTenantBusy: boolean
}

/** The times of claims and looks, the shortest first, of a node that was there and of one that comes. */
export interface DeadRowsReport {
  readonly warmClaims: readonly number[]
  readonly warmPulses: readonly number[]
  readonly freshClaims: readonly number[]
  readonly freshPulses: readonly number[]
  /** The first five claims of the node that comes, in their order. */
  readonly firstClaims: readonly number[]
}

/** What claims take while rows that are gone cannot be cleared away, because somebody's transaction began before they went. */
export async function measureDeadRows({ url, rows, claims, isTenantBusy }: DeadRowsOptions): Promise<DeadRowsReport> {
  const source = postgres(url, { maxConnections: 2 })
  const open = () => source.open({ env: systemEnv, logger: silentLogger })
  const store = await open()
  const busy = isTenantBusy ? 'flood' : 'other'
  await enqueue(store, 'flood', 1)
  await enqueue(store, 'other', 1)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin isolation level repeatable read')
  await holder.query('select from pontual.ready limit 1')
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  // As if they had waited and been claimed: each id stands before all that come.
  await writer.query(
    `insert into pontual.ready (lane, attempt, epoch, priority, execution_id)
     select lane, 0, 0, 2, ('00000000-0000-7000-8000-' || to_char(n, 'FM000000000000'))::uuid
     from (select lanes.id as lane from pontual.lanes join pontual.tenants on tenants.id = tenant_id where name = 'flood') as flood
     cross join generate_series(1, $1::int) as n`,
    [rows],
  )
  const work = { queues: ['default'], jobTypes: ['work'] }
  const nodeOf = async (own: typeof store) => {
    const id = systemEnv.uuid(systemEnv.now())
    await own.nodes.register({ id, name: 'node', slots: 10, leaseMs: 600_000, ...work })
    return id
  }
  const warmId = await nodeOf(store)
  await store.leases.claim({ nodeId: warmId, limit: 10, aged: 1, ...work })
  await writer.query(`delete from pontual.ready where execution_id < '01000000-0000-0000-0000-000000000000'`)
  await writer.end()

  const measure = async (own: typeof store, nodeId: string) => {
    const ofClaims: number[] = []
    const ofPulses: number[] = []
    for (let n = 0; n < claims; n += 1) {
      await enqueue(store, busy, 1)
      const claimAt = performance.now()
      await own.leases.claim({ nodeId, limit: 10, aged: n % 8 === 0 ? 1 : 0, ...work })
      ofClaims.push(performance.now() - claimAt)
      const pulseAt = performance.now()
      await own.pulse()
      ofPulses.push(performance.now() - pulseAt)
    }
    return { ofClaims, ofPulses }
  }
  const warm = await measure(store, warmId)
  const newcomer = await open()
  const fresh = await measure(newcomer, await nodeOf(newcomer))
  await holder.query('commit')
  await holder.end()
  await newcomer.close()
  await store.close()
  const ascending = (times: number[]) => times.toSorted((a, b) => a - b)
  return {
    warmClaims: ascending(warm.ofClaims),
    warmPulses: ascending(warm.ofPulses),
    freshClaims: ascending(fresh.ofClaims),
    freshPulses: ascending(fresh.ofPulses),
    firstClaims: fresh.ofClaims.slice(0, 5),
  }
}

/** Of times in ascending order. */
export function percentile(times: readonly number[], percent: number): number {
  return times[Math.min(times.length - 1, Math.ceil((times.length * percent) / 100) - 1)] ?? Number.NaN
}
