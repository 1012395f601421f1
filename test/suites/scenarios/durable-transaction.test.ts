import { afterAll, describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { pglite } from '../../../src/pglite.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { DurableWorld, startOn } from './durable/world.ts'
import { aborted } from './gate.ts'

const store = pglite()
afterAll(() => store.dispose())

describe('a transaction of a durable job', { timeout: 120_000 }, () => {
  it('commits with its record: exactly once, also where the answer is lost', async () => {
    const pay = job('pay-once', {
      durable: true,
      run: async (_: undefined, ctx) => {
        await ctx.transaction('set up', async (tx) => {
          await tx.query('create table payments (id int primary key, cents int not null)')
        })
        const [row] = await ctx.transaction('pay', async (tx) => {
          await tx.query('insert into payments values ($1, $2)', [1, 100])
          return await tx.query<{ total: number }>('select sum(cents)::int as total from payments')
        })
        return row
      },
    })
    await using world = new DurableWorld(store)
    const node = await world.node({ jobs: [pay] })
    const { id } = await node.app.enqueue(pay)
    node.link.loseAnswerOf('histories.transact')
    await world.pass('5s')
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: { total: 100 } })
    expect(await node.app.history(id)).toMatchObject([
      { kind: 'transaction', name: 'set up', status: 'COMPLETED' },
      { kind: 'transaction', name: 'pay', status: 'COMPLETED', output: [{ total: 100 }] },
    ])
  })

  it('leaves nothing behind where it fails, and is tried again', async () => {
    let tries = 0
    const flaky = job('pay-flaky', {
      durable: true,
      run: async (_: undefined, ctx) => {
        await ctx.transaction('set up', async (tx) => {
          await tx.query('create table notes (text text)')
        })
        await ctx.transaction('note', async (tx) => {
          tries += 1
          await tx.query('insert into notes values ($1)', [`try ${tries}`])
          if (tries === 1) throw new Error('Not yet.')
        })
        return await ctx.transaction(async (tx) => (await tx.query('select text from notes')).map((row) => row['text']))
      },
    })
    await using t = await startOn(store, { jobs: [flaky] })
    const { id } = await t.app.enqueue(flaky)
    await t.advance('5s')
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: ['try 2'] })
  })

  it('that the database does not commit fails, as its work would have', async () => {
    const counts = { swallowed: 0, deferred: 0 }
    const refused = job('pay-refused', {
      durable: true,
      run: async (_: undefined, ctx) => {
        await ctx.transaction('set up', async (tx) => {
          await tx.query(`create table refused (
            id int primary key,
            other int references refused (id) deferrable initially deferred
          )`)
        })
        const swallowed = ctx.transaction('swallowed', async (tx) => {
          counts.swallowed += 1
          await tx.query('insert into refused values (1)')
          await tx.query('insert into refused values (1)').catch(() => [])
        })
        const deferred = ctx.transaction('deferred', async (tx) => {
          counts.deferred += 1
          await tx.query('insert into refused values (7, 99)')
        })
        const ended = await Promise.allSettled([swallowed, deferred])
        return ended.map(({ status }) => status)
      },
    })
    await using t = await startOn(store, { jobs: [refused] })
    const { id } = await t.app.enqueue(refused)
    await t.advance('1m')
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: ['rejected', 'rejected'] })
    expect(counts).toEqual({ swallowed: 4, deferred: 4 })
  })

  it('of a node that has lost its run commits nothing', async () => {
    const fenced = job('pay-fenced', {
      durable: true,
      run: async (_: undefined, ctx) => {
        await ctx.run('hang', ({ signal }) => (isLost ? 1 : aborted(signal)))
        return await ctx.transaction('once', async (tx) => {
          await tx.query('create table fenced (id int)')
          return 'done'
        })
      },
    })
    let isLost = false
    await using world = new DurableWorld(store)
    const dead = await world.node({ jobs: [fenced] })
    const { id } = await dead.app.enqueue(fenced)
    await world.pass('1s')
    isLost = true
    const alive = await world.node({ jobs: [fenced] })
    await world.kill(dead)
    expect(await alive.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'done' })
  })

  it('side by side with activities and others is recorded in order', async () => {
    const mixed = job('pay-mixed', {
      durable: true,
      run: async (_: undefined, ctx) => {
        const one = (n: number) => ctx.transaction(`t${n}`, async (tx) => (await tx.query(`select ${n} as n`))[0])
        return await Promise.all([one(1), ctx.run('a', () => 'a'), one(2), ctx.run('b', () => 'b'), one(3)])
      },
    })
    await using t = await startOn(store, { jobs: [mixed] })
    const { id } = await t.app.enqueue(mixed)
    await t.advance('1s')
    expect(await t.app.execution(id)).toMatchObject({
      status: 'SUCCESS',
      output: [{ n: 1 }, 'a', { n: 2 }, 'b', { n: 3 }],
    })
    expect((await t.app.history(id)).map(({ status }) => status)).toEqual(Array(5).fill('COMPLETED'))
  })

  it('says that memory has no SQL', async () => {
    const nowhere = job('pay-nowhere', {
      durable: true,
      run: (_: undefined, ctx) => ctx.transaction((tx) => tx.query('select 1')),
    })
    await using t = await startOn(memory(), { jobs: [nowhere] })
    const { id } = await t.app.enqueue(nowhere)
    await t.advance('10m')
    expect(await t.app.execution(id)).toMatchObject({
      status: 'FAILED',
      error: { message: 'The memory store is no database: there is nothing to query in a transaction.' },
    })
  })
})
