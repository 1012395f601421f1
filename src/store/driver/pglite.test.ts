import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../logger.ts'
import type { Driver, Statement } from './driver.ts'
import { openPgliteDriver } from './pglite.ts'
import { pgliteDatabase } from './pglite-database.ts'

const database = pgliteDatabase(null)
let driver: Driver

beforeAll(async () => {
  driver = await openPgliteDriver(database, silentLogger)
  await driver.script('create table things (id int primary key, name text); insert into things values (1, $$one$$)')
})
afterAll(() => database.dispose())

const readThings: Statement = { name: 'readThings', text: 'select * from things where id = any($1::int[]) order by id' }
const addThing: Statement = { name: 'addThing', text: 'insert into things values ($1::int, $2::text)' }

describe('a statement', () => {
  it('lets timers have their turn, however many follow each other', async () => {
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 1)
    const startedAt = performance.now()
    for (let count = 0; count < 300; count += 1) await driver.query(readThings, [[1]])
    const ms = performance.now() - startedAt
    clearInterval(timer)
    // About one for each millisecond.
    expect(ticks).toBeGreaterThan(Math.min(300, ms) / 20)
  })

  it('gives rows by the names and types of their columns', async () => {
    const text = `select $1::float8 as half, $2::jsonb as object, $3::text[] as list, $4::bigint as big, null as nothing, $5::bytea as bytes, true as yes`
    const values = [0.5, { a: [1] }, ['x', null, 'é"\\'], 5_000_000_000, new Uint8Array([0, 255])]
    expect(await driver.query({ name: 'types', text }, values)).toEqual([
      {
        half: 0.5,
        object: { a: [1] },
        list: ['x', null, 'é"\\'],
        big: 5_000_000_000,
        nothing: null,
        bytes: new Uint8Array([0, 255]),
        yes: true,
      },
    ])
  })

  it('is planned once, and again where what it reads has changed', async () => {
    expect(await driver.query(readThings, [[1]])).toEqual([{ id: 1, name: 'one' }])
    const planned: Statement = { name: 'planned', text: 'select count(*) as count from pg_prepared_statements' }
    const [before] = await driver.query<{ count: number }>(planned)
    await driver.query(readThings, [[1]])
    expect(await driver.query(planned)).toEqual([before])
    await driver.script('alter table things add column size int')
    // The first to find out is told so, as on a server; the next has it planned anew.
    await expect(driver.query(readThings, [[1]])).rejects.toMatchObject({ code: '0A000' })
    expect(await driver.query(readThings, [[1]])).toEqual([{ id: 1, name: 'one', size: null }])
  })

  it('that fails says so, and the next one works', async () => {
    await expect(driver.query(addThing, [1, 'again'])).rejects.toMatchObject({ code: '23505' })
    expect(await driver.query(readThings, [[1]])).toHaveLength(1)
  })

  it('that is somebody else’s is not kept', async () => {
    const once: Statement = { name: 'once', text: 'select 41 + $1::int as sum', isOnce: true }
    expect(await driver.query(once, [1])).toEqual([{ sum: 42 }])
    const kept: Statement = {
      name: 'kept',
      text: `select count(*) as count from pg_prepared_statements where statement like '%41 +%'`,
    }
    expect(await driver.query(kept)).toEqual([{ count: 1 }])
  })

  it('for the head of a list is planned with its values, and leaves no setting behind', async () => {
    const text = `select current_setting('plan_cache_mode') as mode, current_setting('enable_sort') as sort`
    expect(await driver.query({ name: 'head', text, isHead: true })).toEqual([
      { mode: 'force_custom_plan', sort: 'on' },
    ])
    expect(await driver.query({ name: 'usual', text })).toEqual([{ mode: 'auto', sort: 'on' }])
  })
})

describe('a transaction', () => {
  it('commits all of it, or nothing', async () => {
    await driver.transaction(async (inner) => {
      await inner.query(addThing, [2, 'two'])
      await inner.query(addThing, [3, 'three'])
    })
    await expect(
      driver.transaction(async (inner) => {
        await inner.query(addThing, [4, 'four'])
        await inner.query(addThing, [2, 'again'])
      }),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await driver.query(readThings, [[2, 3, 4]])).toMatchObject([{ id: 2 }, { id: 3 }])
  })

  it('is not disturbed by what others send meanwhile', async () => {
    const [, seen] = await Promise.all([
      driver.transaction(async (inner) => {
        await inner.query(addThing, [5, 'five'])
        await inner.query(addThing, [6, 'six'])
      }),
      driver.query(readThings, [[5, 6]]),
    ])
    expect([0, 2]).toContain(seen.length)
  })
})
