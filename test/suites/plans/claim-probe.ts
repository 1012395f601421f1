import pg from 'pg'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { claimHead } from '../../../src/store/postgres/claim/claim-head.ts'
import { RATE } from '../../../src/store/postgres/claim/claim-rates.ts'
import {
  type ClaimFields,
  claimExecutions,
  claimRatedExecutions,
} from '../../../src/store/postgres/claim/claim-statement.ts'
import { readPulse } from '../../../src/store/postgres/nodes/pulse.ts'
import type { RateRule } from '../../../src/store/rates.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { Bench } from '../conformance/bench.ts'

/** The worst of all plans that the statements of a claim and of a poll used, functions included. */
export interface ClaimPlans {
  readonly highestCost: number
  readonly isCompiled: boolean
  /** Tables that were read sequentially. */
  readonly scanned: readonly string[]
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const TYPES = ['work', 'own']
const RATES: readonly RateRule[] = [
  { jobType: 'work', limit: 20, perMs: 1_000, by: 'tenant', withinMs: 5, sinceAged: 0, isDurable: false },
]
const SETTINGS = `
load 'auto_explain';
set auto_explain.log_min_duration = 0;
set auto_explain.log_nested_statements = on;
set auto_explain.log_analyze = on;
set auto_explain.log_timing = off;
set auto_explain.log_level = notice;
set client_min_messages = notice;
set plan_cache_mode = force_generic_plan`

/** A queue with a plain lane, a lane of a limited tenant and a lane of a job with a limit, and connections that report their plans. */
export class ClaimProbe {
  readonly store: EngineStore
  readonly sql: pg.Client
  readonly lanes: readonly number[]
  readonly jobId: string
  readonly #url: string
  readonly #nodeId: string
  readonly #clients: pg.Client[]

  private constructor(
    url: string,
    store: EngineStore,
    sql: pg.Client,
    ids: Pick<ClaimProbe, 'jobId' | 'lanes'>,
    nodeId: string,
  ) {
    this.#url = url
    this.store = store
    this.sql = sql
    this.lanes = ids.lanes
    this.jobId = ids.jobId
    this.#nodeId = nodeId
    this.#clients = [sql]
  }

  static async open(url: string): Promise<ClaimProbe> {
    const store = await postgres(url, { maxConnections: 1 }).open({ env: systemEnv, logger: silentLogger })
    const [nodeId, jobId] = [systemEnv.uuid(systemEnv.now()), systemEnv.uuid(systemEnv.now())]
    await store.nodes.register({
      id: nodeId,
      name: 'probe',
      slots: 10,
      leaseMs: 86_400_000,
      queues: ['default'],
      jobTypes: TYPES,
    })
    const bench = new Bench(() => {
      throw new Error('The store is open already.')
    })
    const job = bench.job({ id: jobId, jobType: 'own', concurrency: 2, nextFireAt: systemEnv.now() + 86_400_000 })
    await store.jobs.put([{ job, expectedVersion: null, ledger: [] }])
    await store.tenants.limit([{ tenant: 'limited', concurrency: 3 }])
    await enqueue(store, jobId)
    const sql = new pg.Client({ connectionString: url })
    await sql.connect()
    const { rows } = await sql.query<{ id: number }>('select id::float8 as id from pontual.lanes order by id')
    return new ClaimProbe(url, store, sql, { jobId, lanes: rows.map(({ id }) => id) }, nodeId)
  }

  /** One execution in each lane. */
  enqueue(): Promise<void> {
    return enqueue(this.store, this.jobId)
  }

  /** A connection that caches the plans it makes. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url })
    await client.connect()
    await client.query(SETTINGS)
    this.#clients.push(client)
    return client
  }

  /** Runs a claim that knows the lanes, one that walks, both with rate limits, one of a single lane, and a poll; rolls all of them back. */
  async plansOf(client: pg.Client): Promise<ClaimPlans> {
    const notices: string[] = []
    const onNotice = ({ message }: { message?: string | undefined }) => notices.push(message ?? '')
    client.on('notice', onNotice)
    const { lanes } = this
    const first = lanes.map(() => FIRST_ID)
    const claimFields = (known: readonly number[]): ClaimFields => {
      const ids = known.map(() => FIRST_ID)
      return {
        testTime: null,
        nodeId: this.#nodeId,
        wanted: 10,
        aged: 2,
        lanes: known,
        firstHigh: ids,
        firstMedium: ids,
        firstLow: ids,
        depths: known.map(() => 20),
        leftOut: [],
        mostLanes: 64,
        after: 0,
        until: 0,
        served: 0,
        queues: ['default'],
        jobTypes: TYPES,
        reach: 26,
        restingTypes: [],
        restingTenants: [],
        reserved: 1,
        running: ['acme'],
      }
    }
    const claimValues = (known: readonly number[]) => claimExecutions.values(claimFields(known))
    const ratedValues = (known: readonly number[]) =>
      claimRatedExecutions.values({ ...claimFields(known), ...RATE.of(RATES) })
    const head = {
      testTime: null,
      nodeId: this.#nodeId,
      wanted: 10,
      lane: lanes[0]!,
      firstHigh: FIRST_ID,
      firstMedium: FIRST_ID,
      firstLow: FIRST_ID,
    }
    const look = {
      testTime: null,
      lanes,
      firstHigh: first,
      firstMedium: first,
      firstLow: first,
      foreign: [],
      others: 1,
    }
    const statements: [{ name: string; text: string }, unknown[]][] = [
      [claimExecutions, claimValues(lanes)],
      [{ ...claimExecutions, name: 'walk' }, claimValues([])],
      [claimRatedExecutions, ratedValues(lanes)],
      [{ ...claimRatedExecutions, name: 'rated walk' }, ratedValues([])],
      [claimHead, claimHead.values(head)],
      [readPulse, readPulse.values(look)],
    ]
    for (const [{ name, text }, values] of statements) {
      await client.query('begin')
      await client.query({ name, text, values })
      await client.query('rollback')
    }
    client.off('notice', onNotice)
    const scanned = notices.flatMap((plan) => [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table = '']) => table))
    return {
      highestCost: Math.max(...notices.map((plan) => Number(/cost=[\d.]+\.\.([\d.]+)/.exec(plan)?.[1] ?? 0))),
      isCompiled: notices.some((plan) => plan.includes('JIT:')),
      scanned: [...new Set(scanned)].sort(),
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end()
    await this.store.close()
  }
}

async function enqueue(store: EngineStore, jobId: string): Promise<void> {
  const bodies = [
    {},
    { tenant: 'limited' },
    { jobType: 'own', jobId, origin: 'manual', options: { concurrency: 2 } },
  ] as const
  const now = systemEnv.now()
  await store.executions.enqueue(
    bodies.map((change) => ({
      body: {
        id: systemEnv.uuid(now),
        tenant: 'acme',
        jobId: null,
        jobType: 'work',
        queue: 'default',
        priority: 'MEDIUM',
        origin: 'enqueue',
        payload: null,
        scheduledAt: null,
        maxAttempts: 3,
        idempotencyKey: null,
        options: null,
        createdAt: now,
        ...change,
      },
      runAt: null,
    })),
  )
}
