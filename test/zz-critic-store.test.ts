import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { postgres } from '../src/postgres.ts'
import type { Store } from '../src/store/store.ts'
import { Bench, LEASE_MS, MINUTE, success } from './conformance/bench.ts'
import { begun, heldOf, item, lostAndTaken, MISMATCH, run, running, settled, taken } from './conformance/durable-entries.ts'
import { createDatabase, type TestDatabase } from './postgres/database.ts'

describe('critic', () => {
  let database: TestDatabase
  let bench: Bench
  let sql: pg.Client
  let one: Store
  let other: Store
  beforeAll(async () => {
    database = await createDatabase('18')
    bench = new Bench(() => postgres(database.url, { maxConnections: 2 }))
    await bench.open()
    one = await bench.openAnother()
    other = await bench.openAnother()
    sql = new pg.Client({ connectionString: database.url })
    await sql.connect()
  })
  beforeEach(() => bench.begin())
  afterAll(async () => {
    await sql.end()
    await bench.close()
    await database.drop()
  })
  const deadlocks = async () => {
    await new Promise((r) => setTimeout(r, 1200))
    return Number((await sql.query('select deadlocks from pg_stat_database where datname = current_database()')).rows[0].deadlocks)
  }

  test('continueAs is progress', async () => {
    let held = await running(bench)
    held = await lostAndTaken(bench)
    held = await lostAndTaken(bench)
    const { histories } = bench.store
    await histories.record([item(held, settled(1))])
    await histories.continueAs([{ ...heldOf(held), entry: begun(0, { kind: 'input', name: 'input', status: 'COMPLETED' }) }])
    held = await lostAndTaken(bench)
    expect(await histories.load([heldOf(held)])).toMatchObject([{ lostSinceProgress: 1 }])
  })

  test('continueAs against the end of children: no deadlock', async () => {
    const before = await deadlocks()
    let slowest = 0
    for (let round = 0; round < 60; round++) {
      await bench.store.executions.enqueue(Array.from({ length: 4 }, () => run(bench)))
      const held = await bench.claim(await bench.node())
      const starts = held.flatMap((parent) => [1, 2, 3, 4].map((sequence) => {
        const child = bench.execution()
        return { ...heldOf(parent), entries: [begun(sequence, { childId: child.body.id })], child }
      }))
      await bench.store.histories.startChildren(starts)
      const children = await bench.claim(await bench.node())
      const entry = begun(0, { kind: 'input', name: 'input', status: 'COMPLETED' })
      const began = performance.now()
      await Promise.all([
        one.leases.finish(children.map((each) => success(each, { output: '1' }))),
        other.histories.continueAs(held.map((each) => ({ ...heldOf(each), entry }))),
      ])
      slowest = Math.max(slowest, performance.now() - began)
      await bench.empty()
    }
    console.log('continueAs slowest', slowest)
    expect(await deadlocks()).toBe(before)
  })

  test('news of parent and child against the end of the child: no deadlock', async () => {
    const before = await deadlocks()
    for (let round = 0; round < 60; round++) {
      await bench.store.executions.enqueue(Array.from({ length: 4 }, () => run(bench)))
      const held = await bench.claim(await bench.node())
      const starts = held.map((parent) => {
        const child = run(bench)
        return { ...heldOf(parent), entries: [begun(1, { childId: child.body.id })], child }
      })
      await bench.store.histories.startChildren(starts)
      const children = await bench.claim(await bench.node())
      await Promise.all([
        one.leases.finish(children.map((each) => success(each, { output: '1' }))),
        other.histories.news([...held, ...children].map(heldOf)),
      ])
      await bench.empty()
    }
    expect(await deadlocks()).toBe(before)
  })

  test('removeJobs against signal and record leaves nothing', async () => {
    for (let round = 0; round < 20; round++) {
      const job = bench.job()
      await bench.put(job)
      await bench.store.executions.enqueue([run(bench, { jobId: job.id })])
      const [held] = await bench.claim(await bench.node())
      await Promise.all([
        one.histories.signal([{ executionId: held!.executionId, name: 'go', payload: null, idempotencyKey: null }]),
        other.histories.record([item(held!, settled(1))]),
        one.histories.checkpoint([{ ...heldOf(held!), state: '1' }]),
        bench.store.jobs.remove([job.id]),
      ])
      await bench.empty()
    }
    for (const table of ['history_entries', 'signals', 'cancellations', 'replays', 'checkpoints', 'links', 'leases', 'ready', 'delayed']) {
      const { rows } = await sql.query(`select count(*)::int as n from pontual.${table}`)
      console.log(table, rows[0].n)
    }
  })

  test('removeJobs while a signal is being committed', async () => {
    const job = bench.job()
    await bench.put(job)
    await bench.store.executions.enqueue([run(bench, { jobId: job.id })])
    const [held] = await bench.claim(await bench.node())
    await sql.query('begin')
    await sql.query(`select * from pontual.send_signals(array[$1::uuid], array['go'], array[null::text], array[null::text], now())`, [held!.executionId])
    const removing = bench.store.jobs.remove([job.id])
    await new Promise((r) => setTimeout(r, 300))
    await sql.query('commit')
    await removing
    const { rows } = await sql.query(`select count(*)::int as n from pontual.signals`)
    expect(rows[0].n).toBe(0)
  })

  test('fork while the other is purged', async () => {
    const held = await running(bench)
    await bench.store.histories.record([item(held, settled(1), settled(2))])
    await bench.store.leases.finish([success(held)])
    bench.advance(MINUTE)
    for (let round = 0; round < 1; round++) {
      const fork = run(bench, { options: { isForked: true } })
      // purge under way
      await sql.query('begin')
      await sql.query('delete from pontual.history_entries where execution_id = $1', [held.executionId])
      await sql.query('delete from pontual.executions where id = $1', [held.executionId])
      const forking = bench.store.histories.fork(held.executionId, 2, fork)
      await new Promise((r) => setTimeout(r, 300))
      await sql.query('commit')
      const answer = await forking
      console.log('fork', answer, (await bench.store.histories.read(fork.body.id)).length)
    }
  })
})
