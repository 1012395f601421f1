import pg from 'pg'
import { expect, it } from 'vitest'
import type { EngineStore } from '../../../src/store/store.ts'
import { type Bench, failure, success } from './bench.ts'

/** What holds for chains when several processes act at once, each with connections of its own. */
export function describeChainRaces(bench: Bench, url: () => string, rounds: number): void {
  const others: EngineStore[] = []
  async function stores(count: number): Promise<readonly EngineStore[]> {
    while (others.length < count) others.push(await bench.openAnother())
    return others.slice(0, count)
  }

  async function connected(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: url() })
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }

  /** What could not be looked at, because somebody moved it at that moment, is looked at again. */
  async function promoteAll(): Promise<void> {
    for (let look = 0; look < 5; look++) {
      bench.advance(100)
      await bench.store.leases.promote(1_000)
    }
  }

  it(`an end is not missed by who gets behind it at the same moment, in ${rounds} rounds`, async () => {
    const [one, other, third] = await stores(3)
    for (let round = 0; round < rounds; round++) {
      const held = await bench.running()
      const after = [{ id: held.executionId, on: round % 2 ? 'success' : 'failure' } as const]
      const successors = Array.from({ length: 6 }, () => bench.execution({ after }))
      const halves = [successors.slice(0, 3), successors.slice(3)] as const
      const finish = () => one!.leases.finish([success(held)])
      const enqueue = async () => {
        for (const each of halves[0]) await other!.executions.enqueue([each])
      }
      const acts = [finish, enqueue, () => third!.executions.enqueue(halves[1])]
      const turn = round % acts.length
      await Promise.all([...acts.slice(turn), ...acts.slice(0, turn)].map((act) => act()))
      await promoteAll()
      const found = await bench.store.executions.find(successors.map(({ body }) => body.id))
      expect(found.map(({ status }) => status)).toEqual(Array(6).fill(round % 2 ? 'QUEUED' : 'CANCELLED'))
      await bench.empty()
    }
  })

  it(`the last of several that end at once frees the one behind them, in ${rounds} rounds`, async () => {
    const finishers = await stores(4)
    for (let round = 0; round < rounds; round++) {
      const nodeId = await bench.node()
      await bench.store.executions.enqueue(Array.from({ length: 8 }, () => bench.execution()))
      const held = await bench.claim(nodeId)
      const after = held.map(({ executionId: id }) => ({ id, on: 'end' }) as const)
      const [early, late] = [bench.execution({ after }), bench.execution({ after })]
      await bench.store.executions.enqueue([early])
      await Promise.all([
        ...finishers.map((store, index) =>
          store.leases.finish(
            held
              .slice(2 * index, 2 * index + 2)
              .map((each) => success(each, index % 2 ? {} : { status: 'FAILED', error: failure })),
          ),
        ),
        bench.store.executions.enqueue([late]),
      ])
      await promoteAll()
      const claimed = await bench.claim(await bench.node())
      expect(claimed.map(({ executionId }) => executionId).sort()).toEqual([early.body.id, late.body.id].sort())
      expect(await bench.store.executions.predecessors(late.body.id)).toHaveLength(8)
      await bench.empty()
    }
  })

  it('an end that began before a link was there sees it, where the link was parked behind what it ends', async () => {
    const [finisher, enqueuer] = await stores(2)
    const held = await bench.running()
    const successor = bench.execution({ after: [{ id: held.executionId, on: 'success' }] })
    await connected(async (client) => {
      await client.query('begin')
      await client.query('select from pontual.leases where execution_id = $1 for key share', [held.executionId])
      const finishing = finisher!.leases.finish([success(held)])
      await waitingForLock(client)
      await enqueuer!.executions.enqueue([successor])
      const { rows } = await client.query('select due_at::text from pontual.delayed where execution_id = $1', [
        successor.body.id,
      ])
      expect(rows).toEqual([{ due_at: 'infinity' }])
      await client.query('commit')
      expect(await finishing).toEqual([held.executionId])
    })
    expect((await bench.find(successor.body.id)).status).toBe('QUEUED')
  })

  it('who gets behind what is just ending looks again', async () => {
    const held = await bench.running()
    const successor = bench.execution({ after: [{ id: held.executionId, on: 'success' }] })
    await connected(async (client) => {
      const end = `
        with taken as (delete from pontual.leases where execution_id = $1 returning *)
        insert into pontual.results (execution_id, status, attempt, epoch, is_reported, finished_at)
        select execution_id, 'SUCCESS', attempt, epoch, true, now() from taken`
      await client.query('begin')
      await client.query(end, [held.executionId])
      await client.query(`select pontual.follow_up(array[$1::uuid], array['SUCCESS'], now())`, [held.executionId])
      await bench.store.executions.enqueue([successor])
      expect((await bench.find(successor.body.id)).status).toBe('WAITING')
      expect((await bench.store.pulse()).nextDueAt).toBe(bench.now + 50)
      await client.query('commit')
    })
    bench.advance(50)
    expect(await bench.store.leases.promote(9)).toBe(1)
    expect((await bench.find(successor.body.id)).status).toBe('QUEUED')
  })

  it('batches that end what many wait for, in opposite orders, do not block each other', async () => {
    const [one, other] = await stores(2)
    const nodeId = await bench.node()
    await bench.store.executions.enqueue(Array.from({ length: 100 }, () => bench.execution()))
    const held = await bench.claim(nodeId)
    const pairs = held.slice(0, 50).map((each, index) => [each, held[99 - index]!] as const)
    const successors = pairs.map((pair) =>
      bench.execution({ after: pair.map(({ executionId: id }) => ({ id, on: 'success' }) as const) }),
    )
    const thirds = successors.map(({ body }) => bench.execution({ after: [{ id: body.id, on: 'success' }] }))
    await bench.store.executions.enqueue([...successors, ...thirds])
    await Promise.all([
      one!.leases.finish(pairs.map(([each]) => success(each))),
      other!.leases.finish(pairs.map(([, each]) => success(each)).toReversed()),
    ])
    expect(await bench.store.executions.count()).toEqual({ QUEUED: 50, WAITING: 50, RUNNING: 0, DIVERGED: 0 })
  })

  it('a caller’s open transaction holds up nobody, and what ended meanwhile is seen after its commit', async () => {
    const held = await bench.running()
    const waiting = await bench.enqueue()
    const [first, second] = [held.executionId, waiting].map((id) => bench.execution({ after: [{ id, on: 'success' }] }))
    const third = bench.execution({ after: [{ id: second!.body.id, on: 'success' }] })
    await connected(async (client) => {
      await client.query('begin')
      await bench.store.executions.enqueue([first!], { transaction: client })
      await bench.store.executions.enqueue([second!, third], { transaction: client })
      expect(await bench.store.leases.finish([success(held)])).toEqual([held.executionId])
      const claimed = await bench.claimOne(held.nodeId)
      expect(claimed.executionId).toBe(waiting)
      expect(await bench.store.leases.finish([success(claimed)])).toEqual([waiting])
      await client.query('commit')
    })
    expect((await bench.find(first!.body.id)).status).toBe('WAITING')
    expect((await bench.store.pulse()).nextDueAt).toBeLessThanOrEqual(bench.now)
    expect(await bench.store.leases.promote(9)).toBe(2)
    const statuses = await Promise.all([first!, second!, third].map(({ body }) => bench.find(body.id)))
    expect(statuses.map(({ status }) => status)).toEqual(['QUEUED', 'QUEUED', 'WAITING'])
  })

  it('a chain in a caller’s transaction is gone with a rollback', async () => {
    const first = bench.execution()
    const second = bench.execution({ after: [{ id: first.body.id, on: 'success' }] })
    await connected(async (client) => {
      await client.query('begin')
      await bench.store.executions.enqueue([first, second], { transaction: client })
      await client.query('rollback')
    })
    expect(await bench.store.executions.list({ limit: 9 })).toEqual([])
    expect(await bench.store.executions.count()).toEqual({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
  })
}

const LOOKS = 10_000

/** Until a statement stands before a lock that another holds. */
async function waitingForLock(client: pg.Client): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  for (let look = 0; look < LOOKS; look++) {
    if ((await client.query(waiting)).rowCount) return
  }
  throw new Error('Nobody waits for a lock.')
}
