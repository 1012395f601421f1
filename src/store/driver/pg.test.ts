import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../../test/harness/postgres/database.ts'
import { type MuteProxy, startMuteProxy } from '../../../test/harness/postgres/mute-proxy.ts'
import { findPgBouncer, startPgBouncer } from '../../../test/harness/postgres/pgbouncer.ts'
import { ManualEnv } from '../../../test/suites/conformance/manual-env.ts'
import { type Env, systemEnv } from '../../clock.ts'
import { loggerTo } from '../../logger.ts'
import { StoreUnavailableError } from '../unavailable.ts'
import type { Driver, Statement } from './driver.ts'
import { openPgDriver } from './pg.ts'

const DEADLINE_MS = 10_000

const one: Statement = { name: 'one', text: 'select 1 as one' }
const countPrepared: Statement = { name: 'countPrepared', text: 'select count(*) from pg_prepared_statements' }
const divide: Statement = { name: 'divide', text: 'select 1 / 0' }
const notify: Statement = { name: 'notify', text: `select pg_notify('pontual', $1)` }
const killOthers: Statement = {
  name: 'killOthers',
  text: 'select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
}
const others: Statement = {
  name: 'others',
  text: 'select state from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
}

/** For a server that is busy with other tests. */
const PATIENCE = { timeout: 20_000 }

describe.skipIf(isPostgresSkipped())('over a server', () => {
  let database: TestDatabase
  const drivers: Driver[] = []
  let lines: string[] = []

  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())
  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()))
    lines = []
  })

  interface Given {
    readonly url?: string
    readonly env?: Env
    readonly maxConnections?: number
  }

  async function open({ url = database.url, env = systemEnv, maxConnections = 2 }: Given = {}): Promise<Driver> {
    const logger = loggerTo((level, message) => lines.push(`${level}: ${message}`))
    const options = { maxConnections, deadlineMs: DEADLINE_MS, prepare: 'auto' } as const
    const driver = await openPgDriver(url, options, { env, logger })
    drivers.push(driver)
    return driver
  }

  it('values come as both drivers give them', async () => {
    const driver = await open()
    const text = `select
      9007199254740991::int8 as "int8", 2.5::numeric as "numeric", array[1, 2]::int8[] as "list",
      '{"a":[1]}'::jsonb as "json", true as "boolean", null as "nothing", $1::text as "text", $2::text[] as "texts"`
    expect(await driver.query({ name: 'values', text }, ['é', ['a', 'b,"']])).toEqual([
      {
        int8: Number.MAX_SAFE_INTEGER,
        numeric: 2.5,
        list: [1, 2],
        json: { a: [1] },
        boolean: true,
        nothing: null,
        text: 'é',
        texts: ['a', 'b,"'],
      },
    ])
  })

  it('statements are prepared', async () => {
    const driver = await open({ maxConnections: 1 })
    await driver.query(one)
    expect(await driver.query(countPrepared)).toEqual([{ count: 2 }])
  })

  describe('for a tenant', () => {
    const who: Statement = {
      name: 'who',
      text: `select current_user::text as role, current_setting('pontual.tenant') as tenant, $1::int as value`,
    }
    const nowhere: Statement = { name: 'nowhere', text: 'select * from nowhere' }
    const acme = { role: 'pontual_api', tenant: 'acme', value: 1 }

    it('a statement runs as its role, with its values and numbers as ever', async () => {
      const driver = (await open()).forTenant('acme')
      expect(await driver.query(who, [1])).toEqual([acme])
      expect(await driver.query({ name: 'counted', text: 'select count(*) from (values (1), (2)) as two' })).toEqual([
        { count: 2 },
      ])
    })

    it('whatever its name is', async () => {
      const driver = await open()
      for (const tenant of [`o'neill"; drop`, 'ção 😀', '', '$1']) {
        expect(await driver.forTenant(tenant).query(who, [1])).toEqual([{ ...acme, tenant }])
      }
    })

    it('statements are prepared, those of a transaction too', async () => {
      const driver = (await open({ maxConnections: 1 })).forTenant('acme')
      await driver.query(who, [1])
      await driver.transaction(async (transaction) => expect(await transaction.query(who, [1])).toEqual([acme]))
      expect(await driver.query(countPrepared)).toEqual([{ count: 3 }])
    })

    it('one that fails, be it before it is prepared, does so each time, and leaves the connection as it was', async () => {
      const driver = await open({ maxConnections: 1 })
      const own = driver.forTenant('acme')
      for (const time of [1, 2]) {
        await expect(own.query(nowhere), `time ${time}`).rejects.toMatchObject({ code: '42P01' })
        await expect(own.query(divide), `time ${time}`).rejects.toMatchObject({ code: '22012' })
        expect(await own.query(who, [1])).toEqual([acme])
      }
      await expect(own.transaction((transaction) => transaction.query(divide))).rejects.toMatchObject({ code: '22012' })
      expect(await driver.forTenant('other').query(who, [1])).toEqual([{ ...acme, tenant: 'other' }])
    })

    it('many at once each have their own', async () => {
      const driver = await open({ maxConnections: 2 })
      const tenants = Array.from({ length: 50 }, (_, index) => `tenant ${index}`)
      const rows = await Promise.all(tenants.map((tenant) => driver.forTenant(tenant).query(who, [1])))
      expect(rows.flat()).toEqual(tenants.map((tenant) => ({ ...acme, tenant })))
    })

    it('what is asked for at once takes one transaction, is prepared, and fails alone', async () => {
      const xact: Statement = { name: 'xact', text: `select transaction_timestamp()::text as began, $1::int as value` }
      const again: Statement = { name: 'again', text: `select transaction_timestamp()::text as began` }
      const driver = (await open({ maxConnections: 1 })).forTenant('acme')
      for (const _time of [1, 2]) {
        const [[first], [second], rows] = await Promise.all([
          driver.query<{ began: string }>(xact, [1]),
          driver.query<{ began: string }>(again),
          driver.query(who, [1]),
        ])
        expect(rows).toEqual([acme])
        expect(second?.began).toBe(first?.began)
        const settled = await Promise.allSettled([
          driver.query(who, [1]),
          driver.query(divide),
          driver.query(nowhere),
          driver.query(who, [2]),
        ])
        expect(settled).toMatchObject([
          { status: 'fulfilled', value: [acme] },
          { status: 'rejected', reason: { code: '22012' } },
          { status: 'rejected', reason: { code: '42P01' } },
          { status: 'fulfilled', value: [{ ...acme, value: 2 }] },
        ])
      }
      // Entering, asking for this, and the three that hold, and one that can be prepared.
      expect(await driver.query(countPrepared)).toEqual([{ count: 6 }])
    })

    it('the head of a list is planned for its values, and nothing else is', async () => {
      const settings = `current_setting('plan_cache_mode') as mode, current_setting('enable_sort') as sorts`
      const head: Statement = { name: 'head', text: `select ${settings}`, isHead: true }
      const driver = await open({ maxConnections: 1 })
      for (const each of [driver, driver.forTenant('acme')]) {
        expect(await each.query(head)).toEqual([{ mode: 'force_custom_plan', sorts: 'on' }])
        const usual = [{ mode: 'force_generic_plan', sorts: 'on' }]
        expect(await each.query({ ...head, isHead: false })).toEqual(usual)
      }
    })

    it('who is logged in is himself again', async () => {
      const driver = await open()
      await driver.forTenant('acme').query(who, [1])
      expect(await driver.query({ name: 'me', text: 'select current_user = session_user as "isMyself"' })).toEqual([
        { isMyself: true },
      ])
    })
  })

  it('a transaction that fails is rolled back', async () => {
    const driver = await open({ maxConnections: 1 })
    await driver.script('create table kept (a integer)')
    const failing = driver.transaction(async (transaction) => {
      await transaction.script('insert into kept values (1)')
      await transaction.query(divide)
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await driver.query({ name: 'count', text: 'select count(*) from kept' })).toEqual([{ count: 0 }])
  })

  it('a transaction does not pretend to have committed what failed inside', async () => {
    const driver = await open()
    const swallowing = driver.transaction(async (transaction) => {
      await transaction.query(divide).catch(() => {})
    })
    await expect(swallowing).rejects.toThrow('The transaction was rolled back')
  })

  it('a connection that was killed fails what it was doing, and is replaced', async () => {
    const [driver, killer] = [await open(), await open()]
    const sleeping = driver.query({ name: 'sleep', text: 'select pg_sleep(60)' })
    const failure = expect(sleeping).rejects.toMatchObject({ code: 'store.connection_lost' })
    const isAsleep: Statement = { name: 'isAsleep', text: `select from pg_stat_activity where wait_event = 'PgSleep'` }
    await vi.waitFor(async () => expect(await killer.query(isAsleep)).toHaveLength(1))
    await killer.query(killOthers)
    await failure
    expect(await driver.query(one)).toEqual([{ one: 1 }])
  })

  it('a connection that was lost before its first use fails with a code that means nothing was applied', async () => {
    const proxy = await startMuteProxy(database.url)
    try {
      const [driver, killer] = [await open({ url: proxy.url, maxConnections: 1 }), await open()]
      for (const each of [driver, driver.forTenant('acme')]) {
        await killer.query(killOthers)
        await vi.waitFor(async () => expect(await killer.query(others)).toEqual([]), PATIENCE)
        // The server ends a connection before the pool reads that it has ended.
        await vi.waitFor(() => expect(driver.connections?.().open).toBe(0), PATIENCE)
        proxy.hold(true)
        const failure = each.query(one).catch((error: unknown) => error)
        await vi.waitFor(async () => expect(await killer.query(others)).toEqual([{ state: 'idle' }]), PATIENCE)
        await killer.query(killOthers)
        await vi.waitFor(async () => expect(await killer.query(others)).toEqual([]), PATIENCE)
        // The client reads that it is connected, and that the connection ends, at once.
        proxy.hold(false)
        expect(await failure).toBeInstanceOf(StoreUnavailableError)
        expect(await failure).toMatchObject({ code: 'store.unreachable' })
        expect(String(await failure)).toMatch(
          /was lost before .* was sent: terminating connection.*Nothing was applied\.$/,
        )
        expect(await each.query(one)).toEqual([{ one: 1 }])
      }
    } finally {
      proxy.close()
    }
  })

  it('closing waits for what is under way', async () => {
    const driver = await open()
    const slow = driver.query({ name: 'slow', text: 'select pg_sleep(0.1), 1 as one' })
    await driver.close()
    expect(await slow).toMatchObject([{ one: 1 }])
    await expect(driver.query(one)).rejects.toMatchObject({ code: 'store.closed' })
  })

  describe('that falls silent', () => {
    let proxy: MuteProxy

    beforeAll(async () => {
      proxy = await startMuteProxy(database.url)
    })
    afterEach(() => proxy.mute(false))
    afterAll(() => proxy.close())

    it('a call fails at its deadline, and the next one has another connection', async () => {
      const env = new ManualEnv(0)
      const driver = await open({ url: proxy.url, env, maxConnections: 1 })
      proxy.mute(true)
      let failure: unknown
      driver.query(one).catch((error: unknown) => (failure = error))
      await vi.waitFor(() => {
        env.advance(DEADLINE_MS)
        expect(failure).toMatchObject({ code: 'store.deadline' })
      })
      expect(String(failure)).toContain('no answer to one within 10000 ms. It may or may not have been applied.')
      proxy.mute(false)
      // Nor does anyone answer who was asked to cancel it.
      env.advance(DEADLINE_MS)
      expect(await driver.query(one)).toEqual([{ one: 1 }])
    })

    it('a listener notices by its heartbeat, says so once, and comes back', async () => {
      const env = new ManualEnv(0)
      const [driver, sender] = [await open({ url: proxy.url, env }), await open()]
      const heard: string[] = []
      driver.listen('pontual', (payload) => heard.push(payload))
      await vi.waitFor(async () => {
        await sender.query(notify, ['before'])
        expect(heard).toContain('before')
      })
      proxy.mute(true)
      env.advance(5_000)
      env.advance(5_000)
      await vi.waitFor(() =>
        expect(lines).toEqual(['warn: Notifications of PostgreSQL do not arrive, polling finds work meanwhile']),
      )
      proxy.mute(false)
      await vi.waitFor(() => {
        env.advance(1_000)
        expect(lines.slice(1)).toEqual(['info: Listening to PostgreSQL again'])
      })
      await sender.query(notify, ['after'])
      await vi.waitFor(() => expect(heard).toContain('after'))
    })
  })

  describe('through PgBouncer in transaction mode', () => {
    const program = findPgBouncer()

    it.skipIf(!program)('nothing is prepared or listened to, and everything else works', async () => {
      const bouncer = await startPgBouncer(program ?? '', database.url)
      try {
        const driver = await open({ url: bouncer.url })
        const rounds = Array.from({ length: 50 }, () => driver.query(one))
        expect(new Set((await Promise.all(rounds)).map(([row]) => JSON.stringify(row)))).toEqual(new Set(['{"one":1}']))
        expect(await driver.query(countPrepared)).toEqual([{ count: 0 }])
        await driver.transaction(async (transaction) => {
          await transaction.script('create table pooled (a integer); insert into pooled values (1)')
        })
        driver.listen('pontual', () => {})
        expect(lines).toEqual(['info: A pooler stands before PostgreSQL: no notifications, polling finds work'])
        await driver.close()
      } finally {
        await bouncer.stop()
      }
    })
  })
})
