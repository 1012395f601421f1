import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemEnv } from '../../../src/clock.ts'
import { job, pontual } from '../../../src/index.ts'
import { loggerTo, silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import type { PgConnection } from '../../../src/store/driver/pg-connection.ts'
import { findPooling } from '../../../src/store/driver/pg-pooling.ts'
import { PASSWORD, type Replicated, replicationBinaries, startReplicated } from '../../harness/postgres/replicated.ts'

const LEASE_MS = 2_000
const binaries = replicationBinaries()

describe.skipIf(!binaries)('a connection that names several hosts', () => {
  let servers: Replicated
  let both: string

  beforeAll(async () => {
    servers = await startReplicated(binaries!)
    const { primary, standby } = servers
    const credentials = `postgres:${encodeURIComponent(PASSWORD)}`
    both = `postgres://${credentials}@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`
  })
  afterAll(async () => await servers.end())

  const open = (connection: string | PgConnection) =>
    postgres(connection).open({ env: systemEnv, logger: silentLogger })

  it('leads to the one that accepts writes', async () => {
    const store = await open(both)
    await store.tenants.limitOthers(3)
    await store.close()
    expect(await findPooling(both)).toBe('none')
  })

  it('a standby alone is refused with its name and the reason', async () => {
    const refused = await open(servers.standby.url).catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'StoreUnavailableError', code: 'store.read_only' })
    const place = `127.0.0.1:${servers.standby.port}/postgres`
    expect(String(refused)).toContain(
      `PostgreSQL at ${place} cannot be used: it is a standby, and a standby accepts no writes.`,
    )
  })

  it('where none accepts writes each is named with its reason', async () => {
    const { primary, standby } = servers
    const credentials = `postgres:${encodeURIComponent(PASSWORD)}`
    const refused = await open(`postgres://${credentials}@127.0.0.1:${standby.port},127.0.0.1:1/postgres`).catch(
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ code: 'store.unreachable' })
    expect(String(refused)).toContain('None of 2 PostgreSQL servers can be used.')
    expect(String(refused)).toContain('it is a standby')
    expect(String(refused)).toContain('ECONNREFUSED')
    expect(String(refused)).not.toContain(PASSWORD)
    const wrong = open(`postgres://postgres:wrong@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`)
    await expect(wrong).rejects.toMatchObject({ code: 'store.refused' })
  })

  it('unix sockets and addresses may be mixed', async () => {
    const { primary, standby } = servers
    const connections: readonly (string | PgConnection)[] = [
      `postgres://postgres@/postgres?host=${standby.socket},${primary.socket}&port=${standby.port},${primary.port}`,
      `postgres://postgres@${encodeURIComponent(primary.socket)}:${primary.port}/postgres`,
      {
        host: `${standby.socket},${primary.socket}`,
        port: `${standby.port},${primary.port}`,
        user: 'postgres',
        database: 'postgres',
      },
      { host: primary.socket, port: primary.port, user: 'postgres', database: 'postgres' },
    ]
    for (const connection of connections) await (await open(connection)).close()
  })

  it('the environment may name them', async () => {
    const { primary, standby } = servers
    const before = { ...process.env }
    Object.assign(process.env, {
      PGHOST: `127.0.0.1,${primary.socket}`,
      PGPORT: `${standby.port},${primary.port}`,
      PGUSER: 'postgres',
      PGPASSWORD: PASSWORD,
      PGDATABASE: 'postgres',
    })
    try {
      for (const connection of ['postgres:///postgres', {}, undefined]) {
        await (await open(connection as string)).close()
      }
    } finally {
      process.env = before
    }
  })

  it('a password that a function gives reaches pool, listener and the thread that renews', async () => {
    const { primary, standby } = servers
    const lines: string[] = []
    let asked = 0
    const connection = {
      host: '127.0.0.1',
      port: `${standby.port},${primary.port}`,
      user: 'postgres',
      database: 'postgres',
      password: () => {
        asked += 1
        return Promise.resolve(PASSWORD)
      },
    }
    const given = { ...connection, host: '127.0.0.1,127.0.0.1' }
    const quick = job('quick', { run: () => 'done' })
    await using app = pontual({
      store: postgres(given),
      jobs: [quick],
      staleThreshold: LEASE_MS,
      renewalInterval: 400,
      pollInterval: '30s',
      logger: loggerTo((level, message) => void (level === 'debug' || lines.push(`${level}: ${message}`))),
    })
    await app.start()
    // A thread takes a while to start on a busy machine, and gets no password from a blocked event loop.
    await sleep(4_000)
    const startedAt = Date.now()
    await app.waitFor((await app.enqueue(quick)).id)
    // By a notification: the poll is far away.
    expect(Date.now() - startedAt).toBeLessThan(3_000)
    const until = performance.now() + 2 * LEASE_MS
    while (performance.now() < until);
    expect((await app.nodes()).map(({ isAlive }) => isAlive)).toEqual([true])
    expect(asked).toBeGreaterThan(3)
    expect(lines.filter((line) => /^(warn|error)/.test(line))).toEqual([])
  })
})
