import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import type { TenantConcurrency } from '../../../src/store/tenants.ts'
import { bundled } from './bundled.ts'
import { claimUntil } from './claimer.ts'

const PROGRAM = await bundled(fileURLToPath(new URL('./claimer-process.ts', import.meta.url)))

const PROCESSES = 4
const CLAIMERS_IN_PROCESS = 3
const CLAIMERS_HERE = 4
const SAMPLE_MS = 50
/** On a busy machine what is left takes minutes. */
const DRAINED_WITHIN_MS = 300_000
const CAPS: readonly TenantConcurrency[] = [10, 3, 10, 1, 7, 0, 10, 3, 'unlimited', 10]
const TENANTS = ['capped', 'other', 'third']

export interface CapOptions {
  readonly url: string
  readonly forMs: number
  /** Of each tenant. */
  readonly executions: number
  readonly killEveryMs: number
  readonly changeEveryMs: number
  /** How many look, each by itself, and how often. Default: one, every 50 ms. */
  readonly samplers?: number
  readonly sampleEveryMs?: number
}

export interface CapReport {
  readonly samples: number
  readonly kills: number
  readonly changes: number
  readonly recovered: number
  /** What was seen that must not be. */
  readonly violations: readonly string[]
  /** How often a tenant was seen at its limit, and beyond a limit that was lowered. */
  readonly atLimit: number
  readonly beyondLimit: number
  readonly leasesLeft: number
  readonly waitingLeft: number
  readonly ended: number
  /** How many run of the capped tenant when all is quiet, there is enough to do, and ten may. */
  readonly afterwards: number
}

/** Sixteen claimers, of which some are killed, take from tenants whose limits change; what runs is looked at all the time. */
export async function tortureCaps({
  url,
  forMs,
  executions,
  killEveryMs,
  changeEveryMs,
  samplers: count = 1,
  sampleEveryMs = SAMPLE_MS,
}: CapOptions): Promise<CapReport> {
  const source = postgres(url, { maxConnections: 2 })
  const open = () => source.open({ env: systemEnv, logger: silentLogger })
  const store = await open()
  const samplers = Array.from({ length: count }, () => new Sampler(url))
  const [sampler = new Sampler(url)] = samplers
  let isOver = false
  let isQuiet = false
  let kills = 0
  let changes = 0
  let recovered = 0
  const change = async (index: number) => {
    const concurrency = CAPS[index % CAPS.length] ?? null
    for (const each of samplers) for (const tenant of TENANTS) each.expect(tenant, concurrency)
    await store.tenants.limit(TENANTS.map((tenant) => ({ tenant, concurrency })))
    changes += 1
  }
  await change(0)
  for (const tenant of TENANTS) await enqueue(store, tenant, executions)

  const children: ChildProcess[] = Array.from({ length: PROCESSES }, () => spawnClaimers(url))
  const here = Array.from({ length: CLAIMERS_HERE }, async () => {
    const own = await open()
    await claimUntil(own, () => isQuiet)
    await own.close()
  })
  const loops = [
    ...samplers.map((each) =>
      every(
        sampleEveryMs,
        () => isOver,
        () => each.sample(),
      ),
    ),
    every(
      changeEveryMs,
      () => isOver,
      () => change(changes),
    ),
    every(
      killEveryMs,
      () => isOver,
      async () => {
        children[kills % PROCESSES]?.kill('SIGKILL')
        children[kills % PROCESSES] = spawnClaimers(url)
        kills += 1
      },
    ),
  ]
  const upkeep = every(
    100,
    () => isQuiet,
    async () => {
      recovered += (await store.leases.recover({ silentForMs: null, limit: 1_000 })).length
      await store.leases.promote(1_000)
    },
  )
  await sleep(forMs)
  isOver = true
  await Promise.all(loops)

  await store.tenants.limit(TENANTS.map((tenant) => ({ tenant, concurrency: 'unlimited' })))
  const until = performance.now() + DRAINED_WITHIN_MS
  while (performance.now() < until && (await sampler.countOpen()) > 0) await sleep(100)
  for (const child of children) child.stdin?.end()
  await Promise.all(children.map((child) => new Promise((resolve) => child.on('close', resolve))))
  isQuiet = true
  await Promise.all([...here, upkeep])
  const counts = await sampler.counts()

  await store.tenants.limit([{ tenant: 'capped', concurrency: 10 }])
  await enqueue(store, 'capped', 50)
  const nodeId = systemEnv.uuid(systemEnv.now())
  const what = { queues: ['default'], jobTypes: ['work'] }
  await store.nodes.register({ id: nodeId, name: 'last', slots: 50, leaseMs: 60_000, ...what })
  const last = await store.leases.claim({ nodeId, limit: 50, aged: 0, ...what })
  await store.close()
  await Promise.all(samplers.map((each) => each.close()))
  const sum = (figure: 'samples' | 'atLimit' | 'beyondLimit') =>
    samplers.reduce((total, each) => total + each[figure], 0)
  const seen = {
    samples: sum('samples'),
    violations: samplers.flatMap((each) => each.violations),
    atLimit: sum('atLimit'),
    beyondLimit: sum('beyondLimit'),
  }
  return { ...seen, kills, changes, recovered, ...counts, afterwards: last.executions.length }
}

interface Sample {
  readonly tenant: string
  /** Another one with every change of the limit. */
  readonly regime: string
  readonly concurrency: number | null
  readonly running: readonly string[]
}

/** Looks at limits and at what runs, in one snapshot, and compares with what may be. */
class Sampler {
  readonly #pool: pg.Pool
  readonly #before = new Map<string, Sample>()
  /** The limits that may have held since the last look. */
  readonly #held = new Map<string, number[]>()
  samples = 0
  readonly violations: string[] = []
  atLimit = 0
  beyondLimit = 0

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 2 })
  }

  /** A limit is about to be set. */
  expect(tenant: string, concurrency: TenantConcurrency): void {
    this.#held.set(tenant, [...(this.#held.get(tenant) ?? []), numberOf(concurrency)])
  }

  async sample(): Promise<void> {
    const held = new Map([...this.#held].map(([tenant, limits]) => [tenant, limits.length]))
    const { rows } = await this.#pool.query<Sample>(`
      select
        tenants.name as tenant,
        tenants.xmin::text as regime,
        tenants.concurrency,
        array(
          select execution_id || ' ' || epoch
          from pontual.leases
          where pontual.tenant_of(lane) = tenants.id
        ) as running
      from pontual.tenants`)
    for (const row of rows) this.#look(row, held.get(row.tenant) ?? 0)
    this.samples += 1
  }

  #look(now: Sample, known: number): void {
    const { tenant, running } = now
    const before = this.#before.get(tenant)
    const limit = numberOf(now.concurrency === -1 ? 'unlimited' : now.concurrency)
    const held = this.#held.get(tenant) ?? []
    // As many as ran before may go on; beyond that only what one of the limits allowed that held meanwhile.
    const ceiling = Math.max(limit, before?.running.length ?? 0, ...held)
    const told = `${tenant}: ${running.length} run where ${limit} may`
    if (running.length > ceiling) this.violations.push(`${told}, and ${ceiling} could`)
    if (before?.regime === now.regime && running.length > limit) {
      const begun = running.filter((each) => !before.running.includes(each))
      if (begun.length > 0) this.violations.push(`${told}, of which ${begun.length} began since the last look`)
    }
    if (running.length === limit) this.atLimit += 1
    if (running.length > limit) this.beyondLimit += 1
    this.#before.set(tenant, now)
    // One that was asked for during the look may hold only later.
    this.#held.set(tenant, [limit, ...held.slice(Math.max(0, known - 1))])
  }

  async countOpen(): Promise<number> {
    const { leasesLeft, waitingLeft } = await this.counts()
    return leasesLeft + waitingLeft
  }

  async counts(): Promise<Pick<CapReport, 'leasesLeft' | 'waitingLeft' | 'ended'>> {
    const { rows } = await this.#pool.query<Pick<CapReport, 'leasesLeft' | 'waitingLeft' | 'ended'>>(`
      select
        (select count(*)::int from pontual.leases) as "leasesLeft",
        (select count(*)::int from pontual.ready) + (select count(*)::int from pontual.delayed) as "waitingLeft",
        (select count(*)::int from pontual.results where status = 'SUCCESS') as ended`)
    const [row] = rows
    if (!row) throw new Error('A select without a table gave no row.')
    return row
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

export async function enqueue(store: EngineStore, tenant: string, count: number): Promise<void> {
  const priorities = ['HIGH', 'MEDIUM', 'LOW'] as const
  for (let done = 0; done < count; done += 5_000) {
    const size = Math.min(5_000, count - done)
    await store.executions.enqueue(
      Array.from({ length: size }, (_, index): NewExecution => {
        const createdAt = systemEnv.now()
        const body = {
          id: systemEnv.uuid(createdAt),
          tenant,
          jobId: null,
          jobType: 'work',
          queue: 'default',
          priority: priorities[index % 3] ?? 'MEDIUM',
          origin: 'enqueue',
          payload: null,
          scheduledAt: null,
          maxAttempts: 1_000,
          idempotencyKey: null,
          options: null,
          createdAt,
        } as const
        return { body, runAt: null }
      }),
    )
  }
}

function numberOf(concurrency: TenantConcurrency): number {
  return typeof concurrency === 'number' ? concurrency : Number.POSITIVE_INFINITY
}

function spawnClaimers(url: string): ChildProcess {
  const options = JSON.stringify({ url, claimers: CLAIMERS_IN_PROCESS })
  return spawn(process.execPath, [PROGRAM, options], { stdio: ['pipe', 'ignore', 'inherit'] })
}

async function every(intervalMs: number, isOver: () => boolean, act: () => Promise<unknown>): Promise<void> {
  while (!isOver()) {
    const startedAt = performance.now()
    await act()
    await sleep(Math.max(1, intervalMs - (performance.now() - startedAt)))
  }
}
