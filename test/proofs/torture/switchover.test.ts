import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job, type Pontual, type PontualOptions, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createApi } from '../../../src/server.ts'
import { PASSWORD, type Replicated, replicationBinaries, startReplicated } from '../../harness/postgres/replicated.ts'

const binaries = replicationBinaries()
const AWAY_MS = 10_000
/** After a new primary accepts writes. */
const RESUMED_MS = 2_000
const EVERY_MS = 250
/** The default patience. */
const APPLICATION_WAITS_MS = 15_000

describe.skipIf(!binaries)('a store that is unavailable for a while', () => {
  let servers: Replicated
  const startedAt = new Map<number, number[]>()
  const noted = job('noted', {
    run: (input: number) => {
      startedAt.set(input, [...(startedAt.get(input) ?? []), Date.now()])
    },
  })

  beforeAll(async () => {
    servers = await startReplicated(binaries!)
  })
  afterAll(async () => await servers.end())

  const both = () => {
    const { primary, standby } = servers
    return `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`
  }
  const open = (url: string, options: Partial<PontualOptions> = {}): Pontual =>
    pontual({ store: postgres(url), jobs: [noted], logger: 'silent', shutdownGrace: 1_000, ...options })

  /** Enqueues one after another, without waiting for the previous one. */
  function enqueueing(app: Pontual, first: number) {
    const calls: Promise<{ number: number; id: string }>[] = []
    const timer = setInterval(() => {
      const number = first + calls.length
      calls.push(app.enqueue(noted, number).then(({ id }) => ({ number, id })))
      // Reported below.
      calls.at(-1)?.catch(() => {})
    }, EVERY_MS)
    return async () => {
      clearInterval(timer)
      return await Promise.all(calls)
    }
  }

  it(`calls wait while the server is stopped for ${AWAY_MS / 1_000} seconds, and each is stored once`, async () => {
    await using app = open(servers.primary.url)
    await app.start()
    const end = enqueueing(app, 0)
    await sleep(1_000)
    await servers.primary.stop()
    await sleep(AWAY_MS)
    await servers.primary.start()
    const backAt = Date.now()
    await sleep(RESUMED_MS)
    const calls = await end()
    for (const { id } of calls) expect((await app.waitFor(id, { timeout: '20s' })).status).toBe('SUCCESS')
    for (const { number } of calls) expect(startedAt.get(number)).toHaveLength(1)
    const resumed = Math.min(...[...startedAt.values()].flat().filter((at) => at > backAt)) - backAt
    expect(resumed).toBeLessThan(RESUMED_MS)
  })

  it('a call fails when its patience is over, a request after 3 seconds, and a call in a transaction at once', async () => {
    await using app = open(servers.primary.url)
    await using impatient = open(servers.primary.url, { patience: 0 })
    await Promise.all([app.enqueue(noted, -1), impatient.enqueue(noted, -2)])
    const api = await createApi(app, {
      identity: { authenticate: () => ({ tenant: 'default', userId: 'ana', profile: 'Admin' }) },
      service: { duties: false, isolation: 'preferred' },
      dashboard: false,
    })
    const get = async () => (await api.fetch(new Request('http://localhost/api/jobs'))).status
    expect(await get()).toBe(200)
    const client = new pg.Client({ connectionString: servers.primary.url })
    client.on('error', () => {})
    await client.connect()
    await client.query('begin')
    await servers.primary.stop()
    const failures: unknown[] = []
    const transaction = {
      query: (text: string, values: unknown[]) =>
        client.query(text, values).catch((error: unknown) => {
          failures.push(error)
          throw error
        }),
    }
    const timed = async (work: () => Promise<unknown>) => {
      const from = Date.now()
      const result = await work().catch((error: unknown) => error)
      return { result, ms: Date.now() - from }
    }
    const [oneSecond, atOnce, read, request, within] = await Promise.all([
      timed(() => app.enqueue(noted, -3, { patience: '1s' })),
      timed(() => impatient.enqueue(noted, -4)),
      timed(() => impatient.jobs()),
      timed(get),
      timed(() => app.enqueue(noted, -5, { transaction })),
    ])
    await servers.primary.start()
    for (const { result } of [oneSecond, atOnce, read]) expect(result).toMatchObject({ code: 'store.unreachable' })
    expect(oneSecond.ms).toBeGreaterThanOrEqual(1_000)
    // They began together, so the machine delays all of them alike.
    for (const { ms } of [atOnce, read, within]) expect(ms).toBeLessThan(oneSecond.ms)
    // The statement fails with the error of the client that was given, and is sent once.
    expect(failures).toHaveLength(1)
    expect(within.result).toMatchObject({ cause: failures[0] })
    expect(String(within.result)).toContain('Job type "noted" was not enqueued: ')
    expect(request.result).toBe(503)
    expect(request.ms).toBeGreaterThanOrEqual(2_900)
    expect(request.ms).toBeGreaterThan(oneSecond.ms)
    // Calls of the application wait longer.
    expect(request.ms).toBeLessThan(APPLICATION_WAITS_MS)
    api.close()
  })

  it('runs resume within 2 seconds after a standby was promoted, and nothing is lost or doubled', async () => {
    await using app = open(both())
    await app.start()
    await servers.primary.isFollowed()
    const end = enqueueing(app, 10_000)
    await sleep(2_000)
    await servers.primary.stop()
    await sleep(5_000)
    await servers.standby.promote()
    const promotedAt = Date.now()
    await sleep(3_000)
    const calls = await end()
    for (const { id } of calls) expect((await app.waitFor(id, { timeout: '20s' })).status).toBe('SUCCESS')
    for (const { number } of calls) expect(startedAt.get(number)).toHaveLength(1)
    const resumed = Math.min(...[...startedAt.values()].flat().filter((at) => at > promotedAt)) - promotedAt
    expect(resumed).toBeLessThan(RESUMED_MS)
  })
})
