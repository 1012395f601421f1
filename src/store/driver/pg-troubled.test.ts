import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../../test/harness/postgres/database.ts'
import { findPgBouncer, startPgBouncer } from '../../../test/harness/postgres/pgbouncer.ts'
import { systemEnv } from '../../clock.ts'
import { silentLogger } from '../../logger.ts'
import { StoreUnavailableError, sqlStateOf } from '../unavailable.ts'
import type { Driver, Statement } from './driver.ts'
import { openPgDriver } from './pg.ts'

/** Fails with the given state as often as asked, counted by a sequence, which no rollback turns back. */
const PREPARE = `
create sequence tries;
create table kept (a integer);
create function fail(state text, times integer) returns bigint language plpgsql as $$
declare nth bigint := nextval('tries');
begin
  if nth <= times then raise exception 'no' using errcode = state; end if;
  return nth;
end $$`

const fail: Statement = { name: 'fail', text: 'select fail($1, $2) as nth' }
const one: Statement = { name: 'one', text: 'select 1 as one' }
const count: Statement = { name: 'count', text: 'select count(*) from kept' }
const insert: Statement = { name: 'insert', text: 'insert into kept values (1)' }
const restart: Statement = { name: 'restart', text: 'alter sequence tries restart' }
const waiting: Statement = {
  name: 'waiting',
  text: `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
}

describe.skipIf(isPostgresSkipped())('a server in trouble', () => {
  let database: TestDatabase
  const drivers: Driver[] = []

  beforeAll(async () => {
    database = await createDatabase()
    await (await open()).script(PREPARE)
  })
  afterAll(() => database.drop())
  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()))
  })

  async function open(deadlineMs = 10_000, url = database.url): Promise<Driver> {
    const options = { maxConnections: 2, deadlineMs, prepare: 'auto' } as const
    const driver = await openPgDriver(url, options, { env: systemEnv, logger: silentLogger })
    drivers.push(driver)
    return driver
  }

  it.each([
    ['40001', 'store.busy'],
    ['40P01', 'store.busy'],
    ['55P03', 'store.busy'],
    ['53100', 'store.exhausted'],
    ['57014', 'store.interrupted'],
    ['25006', 'store.read_only'],
  ])('that answers %s can be asked again, and nothing was applied', async (state, code) => {
    const driver = await open()
    await driver.query(restart)
    const asked = await driver.query(fail, [state, 99]).catch((error: unknown) => error)
    expect(asked).toBeInstanceOf(StoreUnavailableError)
    expect(asked).toMatchObject({ code })
    expect(String(asked)).toContain('Nothing was applied.')
    expect(sqlStateOf(asked)).toBe(state)
    const inTransaction = driver.transaction(async (transaction) => {
      await transaction.query(insert)
      await transaction.query(fail, [state, 99])
    })
    await expect(inTransaction).rejects.toMatchObject({ code })
    expect(await driver.query(count)).toEqual([{ count: 0 }])
  })

  it.each(['22012', '23505', '54000'])('an answer such as %s stays as it is', async (state) => {
    const driver = await open()
    await driver.query(restart)
    await expect(driver.query(fail, [state, 99])).rejects.toMatchObject({ code: state })
  })

  it.each(['40001', '40P01'])('a statement that ends with %s is sent again, three times at most', async (state) => {
    const driver = await open()
    await driver.query(restart)
    expect(await driver.query(fail, [state, 3])).toEqual([{ nth: 4 }])
    await driver.query(restart)
    await expect(driver.query(fail, [state, 4])).rejects.toMatchObject({ code: 'store.busy' })
  })

  it('a transaction that ends in a deadlock is done again as a whole', async () => {
    const driver = await open()
    await driver.query(restart)
    await driver.transaction(async (transaction) => {
      await transaction.query(insert)
      await transaction.query(fail, ['40P01', 2])
    })
    expect(await driver.query(count)).toEqual([{ count: 1 }])
    await driver.script('truncate kept')
  })

  it('what is given up at its deadline does not wait on at the server', async () => {
    const [driver, other] = [await open(300), await open()]
    await other.transaction(async (transaction) => {
      await transaction.script('lock table kept')
      await expect(Promise.all([driver.query(count), driver.query(insert)])).rejects.toMatchObject({
        code: 'store.deadline',
      })
      await vi.waitFor(async () => expect(await other.query(waiting)).toEqual([]), { timeout: 1_000 })
    })
    expect(await driver.query(count)).toEqual([{ count: 0 }])
  })

  it('a time limit of the client itself is a deadline', async () => {
    const [driver, other] = [await open(10_000, `${database.url}?query_timeout=1000`), await open()]
    const isAsleep: Statement = {
      name: 'isAsleep',
      text: `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
    }
    for (const each of [driver, driver.forTenant('acme')]) {
      const failure = await each.query({ name: 'sleep', text: 'select pg_sleep(60)' }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'store.deadline', details: { statement: 'sleep', deadlineMs: 1_000 } })
      await vi.waitFor(async () => expect(await other.query(isAsleep)).toEqual([]))
      expect(await each.query(one)).toEqual([{ one: 1 }])
    }
  })

  describe('a session that the server ends by', () => {
    /** The server ends the session while the event loop is blocked: the client sends before it reads that. */
    const block = () => {
      const until = systemEnv.monotonic() + 1_000
      while (systemEnv.monotonic() < until);
    }
    const limit = (setting: string): Statement => ({ name: 'limit', text: `set ${setting} = 300` })
    const inTransaction = (driver: Driver, setting: string) =>
      driver.transaction(async (transaction) => {
        await transaction.query(insert)
        await transaction.query(limit(setting))
        block()
        await transaction.query(insert)
      })
    const idle = async (driver: Driver, setting: string) => {
      await driver.query(limit(setting))
      block()
      await driver.query(insert)
    }

    it.each([
      ['idle_in_transaction_session_timeout', inTransaction, '25P03', 'store.unreachable'],
      ['transaction_timeout', inTransaction, '25P04', 'store.interrupted'],
      ['idle_session_timeout', idle, '57P05', 'store.unreachable'],
    ])('%s has applied nothing', async (setting, send, state, code) => {
      const driver = await open()
      await driver.script('truncate kept')
      const failure = await send(driver, setting).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code })
      expect(sqlStateOf(failure)).toBe(state)
      expect(String(failure)).toContain('Nothing was applied.')
      expect(await driver.query(count)).toEqual([{ count: 0 }])
    })
  })

  const bouncerProgram = findPgBouncer()

  it.skipIf(!bouncerProgram)('nor behind PgBouncer', async () => {
    const bouncer = await startPgBouncer(bouncerProgram ?? '', database.url)
    try {
      const [driver, other] = [await open(300, bouncer.url), await open()]
      await other.transaction(async (transaction) => {
        await transaction.script('lock table kept')
        await expect(driver.query(count)).rejects.toMatchObject({ code: 'store.deadline' })
        await vi.waitFor(async () => expect(await other.query(waiting)).toEqual([]), { timeout: 1_000 })
      })
      await driver.close()
    } finally {
      await bouncer.stop()
    }
  })

  it('an answer that is there when a blocked event loop turns again counts', async () => {
    const driver = await open(200)
    const answer = driver.query(one)
    // Sent, and answered while nobody looks.
    await new Promise<void>((resolve) => setImmediate(resolve))
    const until = systemEnv.monotonic() + 600
    while (systemEnv.monotonic() < until);
    expect(await answer).toEqual([{ one: 1 }])
  })
})
