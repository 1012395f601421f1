import pg from 'pg'
import { expect, it } from 'vitest'
import { type Bench, MINUTE, success } from './bench.ts'
import { begun, heldOf, item, MISMATCH, run, running, settled } from './durable-entries.ts'

/** What holds of durable executions while somebody else is in the middle of something: who waits for whom, and what is left behind. */
export function describeDurableLocks(bench: Bench, url: () => string): void {
  /** A transaction that does what another process is in the middle of. It waits for no lock for long. */
  async function amidst(
    work: (client: pg.Client) => Promise<void>,
    end: 'commit' | 'rollback' = 'commit',
  ): Promise<void> {
    const client = new pg.Client({ connectionString: url() })
    await client.connect()
    try {
      await client.query(`begin; set local lock_timeout = '500ms'`)
      await work(client)
      await client.query(end)
    } finally {
      await client.end()
    }
  }

  /** Resolves once so many wait for a lock. */
  async function waiting(client: pg.Client, count = 1): Promise<void> {
    const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    for (let look = 0; look < 10_000; look++) {
      if (((await client.query(blocked)).rowCount ?? 0) >= count) return
    }
    throw new Error(`Nobody waits, or less than ${count} do.`)
  }

  const touch = (client: pg.Client, id: string) => client.query('select pontual.touch($1, false)', [id])

  async function rowsIn(...tables: readonly string[]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    await amidst(async (client) => {
      for (const table of tables) {
        counts[table] = (await client.query(`select from pontual.${table}`)).rowCount ?? 0
      }
    })
    return counts
  }

  /** A run, and a child of it that runs as well. */
  async function family() {
    const parent = await running(bench)
    const child = run(bench)
    const entries = [begun(1, { childId: child.body.id })]
    await bench.store.histories.startChildren([{ ...heldOf(parent), entries, child }])
    return { parent, child: await bench.claimOne(await bench.node()) }
  }

  it('a run that begins anew while a child of it ends stands in nobody’s way', async () => {
    const { parent, child } = await family()
    const entry = begun(0, { kind: 'input', status: 'COMPLETED' })
    let beginning: Promise<string[]> | undefined
    await amidst(async (client) => {
      await client.query(`update pontual.links set outcome = 'SUCCESS' where predecessor_id = $1`, [child.executionId])
      beginning = bench.store.histories.continueAs([{ ...heldOf(parent), entry }])
      await waiting(client)
      await touch(client, parent.executionId)
    })
    expect(await beginning).toEqual([parent.executionId])
    expect(await bench.store.histories.news([heldOf(parent)])).toMatchObject([{ children: [] }])
  })

  it('who asks for news waits for nobody, and is told again of what was coming', async () => {
    const { parent, child } = await family()
    const { histories } = bench.store
    await histories.wake([parent.executionId])
    await amidst(async (client) => {
      await client.query(
        `with gone as (delete from pontual.leases where execution_id = $1 returning *)
        insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
        select lane, attempt, epoch, priority, execution_id, job_id from gone`,
        [child.executionId],
      )
      await touch(client, parent.executionId)
      expect(await histories.news([heldOf(parent), heldOf(child)])).toHaveLength(2)
    })
    expect(await histories.park([{ ...heldOf(parent), dueAt: null }])).toEqual(['news'])
    expect(await histories.news([heldOf(parent), heldOf(child)])).toHaveLength(1)
    expect(await histories.park([{ ...heldOf(parent), dueAt: null }])).toEqual(['parked'])
  })

  it('one that is just told of something is resumed all the same', async () => {
    const held = await running(bench)
    const { histories } = bench.store
    await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
    let resuming: Promise<string[]> | undefined
    await amidst(async (client) => {
      await touch(client, held.executionId)
      resuming = histories.resume({ jobTypes: ['import'], limit: 9 })
      await waiting(client)
    })
    expect(await resuming).toEqual([held.executionId])
  })

  it('a job that is removed while something comes for its runs leaves nothing behind', async () => {
    const job = bench.job()
    await bench.put(job)
    const held = await running(bench, { jobId: job.id })
    let removing: Promise<number> | undefined
    await amidst(async (client) => {
      await touch(client, held.executionId)
      removing = bench.store.jobs.remove([job.id])
      await waiting(client)
      const values = [held.executionId]
      await client.query(`insert into pontual.signals (execution_id, name, sent_at) values ($1, 'go', now())`, values)
      await client.query(`insert into pontual.checkpoints values ($1, '1', now())`, values)
      await client.query(`insert into pontual.replays values ($1, 1, now())`, values)
      await client.query(`insert into pontual.cancellations values ($1, null, now())`, values)
    })
    expect(await removing).toBe(1)
    const tables = ['signals', 'checkpoints', 'replays', 'cancellations', 'leases'] as const
    expect(await rowsIn(...tables)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
  })

  it('one that goes without a trace leaves no signal behind', async () => {
    const { executions, histories } = bench.store
    const first = await bench.enqueue()
    const second = run(bench, { after: [{ id: first, on: 'success' }], isDeclared: true })
    await executions.enqueue([second])
    await histories.signal([{ executionId: second.body.id, name: 'go', payload: null, idempotencyKey: 'k' }])
    await executions.cancel([{ id: first, reason: null }])
    expect(await executions.find([second.body.id])).toEqual([])
    expect(await rowsIn('signals')).toEqual({ signals: 0 })
  })

  it('one that is purged while another begins as it did is read before it goes', async () => {
    const held = await running(bench)
    const { histories, leases, executions } = bench.store
    await histories.record([item(held, settled(1), settled(2))])
    await leases.finish([success(held)])
    bench.advance(MINUTE)
    const other = run(bench, { options: { isForked: true } })
    const store = await bench.openAnother()
    let forking: Promise<boolean> | undefined
    let purging: Promise<number> | undefined
    await amidst(async (client) => {
      // Who stores the same waits, and has found what he is to copy.
      await client.query(
        `insert into pontual.executions (id, lane, priority, origin, max_attempts, created_at)
        values ($1, 0, 1, 'retry', 1, now())`,
        [other.body.id],
      )
      forking = store.histories.fork(held.executionId, 2, other)
      await waiting(client)
      purging = executions.purge(bench.now, 9)
      await waiting(client, 2)
    }, 'rollback')
    expect(await purging).toBe(1)
    expect(await forking).toBe(true)
    expect(await histories.read(other.body.id)).toHaveLength(1)
  })
}
