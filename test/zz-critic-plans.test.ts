import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../src/postgres.ts'
import { Bench, HOUR, MINUTE, success } from './conformance/bench.ts'
import { begun, heldOf, item, MISMATCH, run, running, settled, taken } from './conformance/durable-entries.ts'
import { createDatabase, type TestDatabase } from './postgres/database.ts'

const VERSION = (process.env['PGV'] ?? '18') as '18' | '14'
const VACUUMED = process.env['VAC'] !== '0'
describe('plans', () => {
  let database: TestDatabase
  let bench: Bench
  let sql: pg.Client
  beforeAll(async () => {
    database = await createDatabase(VERSION)
    sql = new pg.Client({ connectionString: database.url })
    await sql.connect()
    bench = new Bench(() => postgres(database.url, { maxConnections: 1 }))
    await bench.open()
    const { rows } = await sql.query(`select c.oid::regclass::text as name, c.relkind from pg_class c where relnamespace = 'pontual'::regnamespace and relkind in ('r')`)
    for (const { name } of rows) await sql.query(`alter table ${name} set (autovacuum_enabled = false)`)
    if (VACUUMED) await sql.query('vacuum analyze')
  }, 60_000)
  afterAll(async () => {
    await sql.end()
    await bench.close()
    await database.drop()
  })

  const seen = async () => {
    await new Promise((r) => setTimeout(r, 1300))
    const { rows } = await sql.query(`select relname, seq_tup_read::int as n, idx_tup_fetch::int as f from pg_stat_user_tables where schemaname = 'pontual'`)
    return new Map(rows.map(({ relname, n, f }) => [relname, [n, f ?? 0]]))
  }

  async function round(report: boolean): Promise<void> {
    const { histories, executions, leases, jobs } = bench.store
    const steps: [string, () => Promise<unknown>][] = []
    const step = async (name: string, work: () => Promise<unknown>) => {
      if (!report) return void (await work())
      const before = await seen()
      const t = performance.now()
      await work()
      const ms = performance.now() - t
      const after = await seen()
      const read = [...after].flatMap(([table, [n, f]]) => {
        const [bn, bf] = before.get(table) ?? [0, 0]
        const d = n! - bn!
        const df = f! - bf!
        return d > 1000 || df > 1000 ? [`${table}: seq ${d} idx ${df}`] : []
      })
      console.log(`${read.length ? 'BAD ' : 'ok  '}${name} ${ms.toFixed(1)}ms ${read.join('; ')}`)
    }
    void steps
    let held = await running(bench)
    const child = bench.execution({ jobType: 'other' })
    const durableChild = bench.execution({ priority: 'HIGH' })
    await step('record plain', () => histories.record([item(held, settled(1))]))
    await step('record timer', () => histories.record([item(held, settled(2, { kind: 'timer', isTimer: true, dueAt: bench.now - 1 }))]))
    await step('signal', () => histories.signal([{ executionId: held.executionId, name: 'a', payload: null, idempotencyKey: 'k' }, { executionId: held.executionId, name: 'a', payload: null, idempotencyKey: null }]))
    let news: any
    await step('news', async () => { news = await histories.news([heldOf(held)]) })
    await step('record signals', () => histories.record([{ ...item(held, settled(3, { signalId: news[0].signals[0].id })), discards: [news[0].signals[1].id] }]))
    await step('startChildren', () => histories.startChildren([{ ...heldOf(held), entries: [begun(4, { childId: durableChild.body.id })], child: durableChild }]))
    await step('startChildren of another', () => histories.startChildren([{ ...heldOf(held), entries: [begun(5, { childId: child.body.id })], child }]))
    const c = await taken(bench)
    if (c.executionId !== durableChild.body.id) throw new Error('other')
    await step('finish child', () => leases.finish([success(c, { output: '1' })]))
    await step('news with child', () => histories.news([heldOf(held)]))
    await step('record child end', () => histories.record([item(held, settled(4, { takesChild: durableChild.body.id }))]))
    await step('checkpoint', () => histories.checkpoint([{ ...heldOf(held), state: '1' }]))
    await step('lastCheckpoint', () => histories.lastCheckpoint(held.executionId))
    await step('read', () => histories.read(held.executionId))
    await step('park', () => histories.park([{ ...heldOf(held), dueAt: bench.now + 10 * HOUR }]))
    await step('find', () => executions.find([held.executionId]))
    await step('wake', () => histories.wake([held.executionId]))
    held = await taken(bench)
    await step('load', () => histories.load([heldOf(held)]))
    await step('continueAs', () => histories.continueAs([{ ...heldOf(held), entry: begun(0, { kind: 'input', name: 'input', status: 'COMPLETED' }) }]))
    await histories.record([item(held, settled(1), settled(2))])
    await step('diverge', () => histories.diverge([{ ...heldOf(held), divergence: MISMATCH }]))
    await step('list diverged', () => executions.list({ limit: 10, statuses: ['DIVERGED'] }))
    await step('resume', () => histories.resume({ jobTypes: ['import'], limit: 10 }))
    held = await taken(bench)
    await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
    await step('cut', () => histories.cut(held.executionId, 2))
    held = await taken(bench)
    await step('cancel', () => executions.cancel([{ id: held.executionId, reason: null }]))
    await step('finish refused', () => leases.finish([success(held)]))
    await step('finish cancelled', () => leases.finish([success(held, { status: 'CANCELLED' })]))
    await step('fork', () => histories.fork(held.executionId, 2, run(bench)))
    const f = await taken(bench)
    await leases.release([heldOf(f)])
    const f2 = await taken(bench)
    await step('finish plainly epoch 2', () => leases.finish([success(f2)]))
    const job = bench.job()
    await bench.put(job)
    await executions.enqueue([run(bench, { jobId: job.id })])
    const j = await taken(bench)
    await histories.record([item(j, settled(1))])
    await step('remove job', () => jobs.remove([job.id]))
    const g = await running(bench)
    await step('cancel force', () => executions.cancel([{ id: g.executionId, reason: null, force: true }]))
    const l = await running(bench)
    bench.advance(31_000)
    await step('recover', () => leases.recover({ silentForMs: null, limit: 100 }))
    const l2 = await taken(bench)
    await leases.finish([success(l2)])
    bench.advance(MINUTE)
    await step('purge', () => executions.purge(bench.now - 1, 100))
  }

  test('none reads a whole table', async () => {
    await round(false)
    await round(false)
    // Of other runs of the same month.
    const prefix = bench.uuid().slice(0, 8)
    const n = 200_000
    const id = `('${prefix}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
    await sql.query(`insert into pontual.history_entries (execution_id, sequence, epoch, calls, attempt, started_at, kind, status, name, child_id) select ${id}, 1, 1, 1, 1, now(), 'activity', 'COMPLETED', 'x', ${id} from generate_series(1, ${n}) as n`)
    await sql.query(`insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared, is_child, outcome) select ${id}, -1, ${id.replace('0000-7000', '0001-7000')}, 'end', false, true, null from generate_series(1, ${n}) as n`)
    await sql.query(`insert into pontual.signals (execution_id, name, idempotency_key, sent_at, is_taken) select ${id}, 'x', 'k', now(), n % 2 = 0 from generate_series(1, ${n}) as n`)
    await sql.query(`insert into pontual.cancellations select ${id}, null, now() from generate_series(1, ${n}) as n`)
    await sql.query(`insert into pontual.replays select ${id}, 1, now() from generate_series(1, ${n}) as n`)
    await sql.query(`insert into pontual.checkpoints select ${id}, '1', now() from generate_series(1, ${n}) as n`)
    await sql.query(`insert into pontual.attempts (execution_id, attempt, epoch, status, node_id, started_at, ended_at) select ${id}, 1, 1, 'LOST', ${id}, now(), now() from generate_series(1, ${n}) as n`)
    await round(true)
  }, 300_000)
})
