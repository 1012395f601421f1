import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../../../test/harness/postgres/database.ts'
import { startMuteProxy } from '../../../../test/harness/postgres/mute-proxy.ts'
import { systemEnv } from '../../../clock.ts'
import { loggerTo } from '../../../logger.ts'
import type { Driver } from '../../driver/driver.ts'
import type { PgConnection } from '../../driver/pg-connection.ts'
import { defaultSchema } from '../../driver/schema-name.ts'
import type { EngineStore } from '../../store.ts'
import { type PostgresOptions, postgres } from '../postgres.ts'
import { renewFromThread } from './renewal.ts'

const LEASE_MS = 1_000
const INTERVAL_MS = 200

describe.skipIf(isPostgresSkipped())('a lease that a thread renews', () => {
  let database: TestDatabase
  let store: EngineStore
  const lines: string[] = []

  beforeAll(async () => {
    database = await createDatabase()
    store = await open(database.url)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  async function open(connection: string | PgConnection, options: PostgresOptions = {}): Promise<EngineStore> {
    const logger = loggerTo((level, message) => lines.push(`${level}: ${message}`))
    return await postgres(connection, options).open({ env: systemEnv, logger })
  }

  /** A node of the given store, kept alive. */
  async function begin(at: EngineStore) {
    const nodeId = systemEnv.uuid(systemEnv.now())
    const lost: string[] = []
    await at.nodes.register({ id: nodeId, name: 'node', slots: 1, queues: [], jobTypes: [], leaseMs: LEASE_MS })
    const onLost = (reason: string) => lost.push(reason)
    const keeper = at.nodes.keepAlive({ nodeId, leaseMs: LEASE_MS, intervalMs: INTERVAL_MS, onLost })
    const isAlive = async () => (await store.nodes.list()).find(({ id }) => id === nodeId)?.isAlive
    return { nodeId, lost, keeper, isAlive }
  }

  it('outlives a handler that blocks the event loop', async () => {
    const { keeper, isAlive } = await begin(store)
    block(3 * LEASE_MS)
    expect(await isAlive()).toBe(true)
    expect(lines).toEqual([])
    await keeper.stop()
  })

  it('is renewed from the event loop until the thread does', async () => {
    const proxy = await startMuteProxy(database.url)
    const told: string[] = []
    const logger = loggerTo((_level, message) => told.push(message))
    // What a thread connects to from now on never answers, and half a second passes until it gives that up.
    proxy.mute(true)
    let renewals = 0
    const nodes = { renew: async () => ++renewals > 0 }
    const keepAlive = renewFromThread(proxy.url, { schema: defaultSchema } as Driver, { env: systemEnv, logger })
    const keeper = keepAlive(nodes, { nodeId: 'node', leaseMs: LEASE_MS, intervalMs: 20, onLost: () => {} })
    await vi.waitFor(() => expect(renewals).toBeGreaterThan(2), { timeout: 5_000, interval: 5 })
    expect(told).toEqual([])
    await keeper.stop()
    proxy.close()
  })

  it('lapses when the event loop is blocked for longer than is allowed', async () => {
    const { keeper, isAlive } = await begin(store)
    await vi.waitFor(async () => expect(await isAlive()).toBe(true))
    keeper.allowUntil(INTERVAL_MS)
    block(3 * LEASE_MS)
    expect(await isAlive()).toBe(false)
    keeper.allowUntil(null)
    await vi.waitFor(async () => expect(await isAlive()).toBe(true), { timeout: 5_000 })
    await keeper.stop()
  })

  it('ends soon after the node was to exit, though the event loop is blocked', async () => {
    const { keeper, isAlive } = await begin(store)
    await vi.waitFor(async () => expect(await isAlive()).toBe(true))
    keeper.leaveIn?.(INTERVAL_MS, 2 * INTERVAL_MS)
    block(3 * LEASE_MS)
    // On a busy machine the thread may take longer than that to start.
    await vi.waitFor(async () => expect(await isAlive()).toBe(false), { timeout: 5_000 })
    await keeper.stop()
  })

  it('is lost when the node is taken off the list', async () => {
    const { nodeId, lost, keeper } = await begin(store)
    await store.nodes.remove(nodeId)
    await vi.waitFor(() => expect(lost).toHaveLength(1), { timeout: 5_000 })
    await keeper.stop()
  })

  it('is renewed from the event loop while the thread cannot connect, and says so once', async () => {
    const role = `renewer_${systemEnv.uuid(systemEnv.now()).slice(-12)}`
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    await admin.query(`create role ${role} login connection limit 1; grant usage on schema pontual to ${role};
      grant all on all tables in schema pontual to ${role}; grant all on all sequences in schema pontual to ${role}; grant pontual_engine to ${role}`)
    const url = new URL(database.url)
    url.username = role
    // One connection is all that the role may have.
    const other = await open(url.href, { maxConnections: 1, migrate: false })
    lines.length = 0
    const { lost, keeper, isAlive } = await begin(other)
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 5_000 })
    await new Promise<void>((resolve) => systemEnv.after(2 * LEASE_MS, resolve))
    expect(await isAlive()).toBe(true)
    expect(lost).toEqual([])
    expect(lines).toEqual([expect.stringContaining('warn: The thread cannot renew the lease')])
    await admin.query(`alter role ${role} connection limit 5`)
    await vi.waitFor(() => expect(lines.slice(1)).toEqual([expect.stringContaining('info: The thread renews')]), {
      timeout: 5_000,
    })
    block(2 * LEASE_MS)
    expect(await isAlive()).toBe(true)
    await keeper.stop()
    await other.close()
    await admin.query(`drop owned by ${role}; drop role ${role}`)
    await admin.end()
    lines.length = 0
  })

  it('is renewed by the thread where the password is a function', async () => {
    const { password } = new URL(database.url)
    const other = await open({
      connectionString: withoutPassword(database.url),
      password: () => Promise.resolve(decodeURIComponent(password)),
    })
    const { keeper, isAlive } = await begin(other)
    // A thread takes a moment to start.
    await new Promise<void>((resolve) => systemEnv.after(LEASE_MS, resolve))
    block(3 * LEASE_MS)
    expect(await isAlive()).toBe(true)
    expect(lines).toEqual([])
    await keeper.stop()
    await other.close()
  })

  it('is renewed from the event loop where another thread cannot have the configuration, and says so', async () => {
    const other = await open({ connectionString: database.url, onnotice: () => {} })
    const { keeper, isAlive } = await begin(other)
    await new Promise<void>((resolve) => systemEnv.after(2 * LEASE_MS, resolve))
    expect(await isAlive()).toBe(true)
    expect(lines).toEqual([expect.stringContaining('warn: The lease is not renewed from a thread')])
    await keeper.stop()
    await other.close()
  })
})

function block(milliseconds: number): void {
  const until = systemEnv.monotonic() + milliseconds
  while (systemEnv.monotonic() < until);
}

function withoutPassword(url: string): string {
  const changed = new URL(url)
  changed.password = ''
  return changed.href
}
