import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Claim, ClaimedExecution, ClaimRequest } from '../../../src/store/leases.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import type { TenantConcurrency } from '../../../src/store/tenants.ts'
import { type Bench, success } from './bench.ts'

/** What holds when several processes claim at once what may not all run at once. */
export function describeLimitRaces(bench: Bench, url: () => string, rounds: number): void {
  describe('limits', () => describeAll(bench, url, rounds))
}

function describeAll(bench: Bench, url: () => string, rounds: number): void {
  const others: EngineStore[] = []
  async function stores(count: number): Promise<readonly EngineStore[]> {
    while (others.length < count) others.push(await bench.openAnother())
    return others.slice(0, count)
  }

  let named = 0
  const newTenant = () => `limited-${bench.now}-${++named}`

  async function enqueue(tenant: string, count: number, change: Parameters<Bench['execution']>[0] = {}): Promise<void> {
    await bench.store.executions.enqueue(Array.from({ length: count }, () => bench.execution({ tenant, ...change })))
  }

  async function limit(tenant: string, concurrency: TenantConcurrency, store = bench.store): Promise<void> {
    await store.tenants.limit([{ tenant, concurrency }])
  }

  async function claim(store: EngineStore, nodeId: string, change: Partial<ClaimRequest> = {}): Promise<Claim> {
    const request = { nodeId, limit: 7, queues: ['default'], jobTypes: ['import'], aged: 0, ...change }
    return await store.leases.claim(request)
  }

  /** Claims until there is nothing to claim again for. */
  async function claimAll(store: EngineStore, nodeId: string): Promise<ClaimedExecution[]> {
    const claimed: ClaimedExecution[] = []
    for (let tries = 0; tries < 200; tries++) {
      const { executions, again } = await claim(store, nodeId)
      claimed.push(...executions)
      if (again === null) return claimed
    }
    throw new Error(`Two hundred claims have taken ${claimed.length}, and the last one asks for another.`)
  }

  async function runningOf(tenant: string): Promise<number> {
    const all = await bench.store.tenants.list({ limit: 100_000 })
    return all.find((each) => each.tenant === tenant)?.running ?? 0
  }

  /** Something done on a connection of its own in a transaction that stays open meanwhile. */
  async function whileOpen(text: string, values: unknown[], meanwhile: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: url() })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(text, values)
      await meanwhile()
      await client.query('commit')
    } finally {
      await client.end()
    }
  }

  const takeSlots = `
    select pontual.tenant_slots(array(select id from pontual.tenants where name = any($1::text[])), 9)`
  const lockHead = `
    select from pontual.ready
    join pontual.lanes on lanes.id = ready.lane
    join pontual.tenants on tenants.id = lanes.tenant_id
    where tenants.name = $1
    order by execution_id
    limit 1
    for update of ready`

  it('what all got of one tenant is exactly what may run', async () => {
    const claimers = await stores(12)
    const nodeId = await bench.node()
    const tenant = newTenant()
    await enqueue(tenant, 40 * rounds)
    for (let round = 1; round <= rounds; round++) {
      const most = (round * 7) % 23
      await limit(tenant, most)
      const claimed = (await Promise.all(claimers.map((store) => claimAll(store, nodeId)))).flat()
      expect(claimed, `round ${round}`).toHaveLength(most)
      expect(await runningOf(tenant)).toBe(most)
      expect(await bench.store.leases.finish(claimed.map((each) => success(each)))).toHaveLength(most)
    }
  })

  it('what all got of each of many tenants is exactly what may run, and all of those without a limit', async () => {
    const claimers = await stores(12)
    const nodeId = await bench.node()
    const tenants = Array.from({ length: 30 }, () => newTenant())
    const most = (index: number) => (index % 6 === 5 ? 'unlimited' : index % 6)
    await bench.store.tenants.limit(tenants.map((tenant, index) => ({ tenant, concurrency: most(index) })))
    for (const tenant of tenants) await enqueue(tenant, 12)
    const claimed = (await Promise.all(claimers.map((store) => claimAll(store, nodeId)))).flat()
    const counts = tenants.map((tenant) => claimed.filter(({ body }) => body.tenant === tenant).length)
    expect(counts).toEqual(tenants.map((_, index) => (most(index) === 'unlimited' ? 12 : most(index))))
  })

  it('durable runs of a job keep their places while they wait, whoever claims', async () => {
    const all = await stores(4)
    const nodes = await Promise.all(all.map(() => bench.node()))
    const job = bench.job({ concurrency: 2 })
    await bench.put(job)
    const change = { jobId: job.id, options: { durable: true, concurrency: 2 } }
    const runs = Array.from({ length: rounds }, () => bench.execution({ tenant: job.tenant, ...change }))
    await bench.store.executions.enqueue(runs)
    const ids = runs.map(({ body }) => body.id)
    const ended = new Set<string>()
    const work = async (index: number) => {
      const store = all[index]!
      for (const { executionId, epoch } of await claimAll(store, nodes[index]!)) {
        const held = { executionId, epoch }
        // Each waits twice, and is woken by the next process as soon as it does.
        if (epoch > 2) ended.add((await store.leases.finish([success(held)]))[0]!)
        else if ((await store.histories.park([{ ...held, dueAt: null }]))[0] === 'parked') {
          await all[(index + 1) % all.length]!.histories.wake([executionId])
        }
      }
    }
    for (let tries = 0; ended.size < ids.length; tries++) {
      expect(tries).toBeLessThan(20 * rounds)
      await Promise.all(all.map((_, index) => work(index)))
      const open = (await bench.store.executions.find(ids)).filter(
        ({ epoch, finishedAt }) => epoch > 0 && finishedAt === null,
      )
      expect(open.length).toBeLessThanOrEqual(2)
    }
  })

  it('what all got of each of some jobs is exactly what may run', async () => {
    const claimers = await stores(12)
    const nodeId = await bench.node()
    const jobs = [1, 2, 3, 5, 8].map((concurrency) => bench.job({ concurrency }))
    await bench.put(...jobs)
    for (let round = 1; round <= 3; round++) {
      for (const { id: jobId, definition } of jobs) {
        await enqueue('acme', 10, { jobId, options: { concurrency: definition.concurrency ?? 1 } })
      }
      const claimed = (await Promise.all(claimers.map((store) => claimAll(store, nodeId)))).flat()
      const counts = jobs.map(({ id }) => claimed.filter(({ body }) => body.jobId === id).length)
      expect(counts, `round ${round}`).toEqual([1, 2, 3, 5, 8])
      await bench.store.leases.finish(claimed.map((each) => success(each)))
    }
  })

  const changes: [string, TenantConcurrency, TenantConcurrency][] = [
    ['lowered', 20, 3],
    ['raised', 3, 9],
    ['set for the first time', null, 4],
    ['set where any number ran', 'unlimited', 0],
  ]
  it.each(changes)('nothing begins beyond a limit that is %s while it is claimed', async (_case, before, after) => {
    const claimers = await stores(8)
    const nodeId = await bench.node()
    for (let round = 1; round <= rounds; round++) {
      const tenant = newTenant()
      await limit(tenant, before)
      await enqueue(tenant, 60)
      let isSet = false
      const late: number[] = []
      const claims = claimers.map(async (store) => {
        for (;;) {
          const isLate = isSet
          const { executions, again } = await claim(store, nodeId, { limit: 2 })
          if (isLate) late.push(executions.length)
          if (again === null || late.length > 30) return
        }
      })
      await limit(tenant, after)
      isSet = true
      const stood = await runningOf(tenant)
      await Promise.all(claims)
      for (const store of claimers) await claimAll(store, nodeId)
      expect(await runningOf(tenant), `round ${round}, ${stood} ran`).toBe(Math.max(stood, Number(after)))
      await bench.empty()
      await bench.store.nodes.register({ id: nodeId, name: 'node', slots: 9, queues: [], jobTypes: [], leaseMs: 1e9 })
    }
  })

  it('nothing begins beyond a default that is set while it is claimed', async () => {
    const claimers = await stores(8)
    for (let round = 1; round <= rounds; round++) {
      const nodeId = await bench.node()
      const tenants = [newTenant(), newTenant()]
      for (const tenant of tenants) await enqueue(tenant, 40)
      const claims = claimers.map((store) => claim(store, nodeId, { limit: 3 }))
      await bench.store.tenants.limitOthers(5)
      const stood = await Promise.all(tenants.map(runningOf))
      await Promise.all(claims)
      await Promise.all(claimers.map((store) => claimAll(store, nodeId)))
      expect(await Promise.all(tenants.map(runningOf)), `round ${round}`).toEqual(
        stood.map((each) => Math.max(each, 5)),
      )
      await bench.empty()
    }
  })

  describe('nobody waits for another', () => {
    it('who meets a claim under way takes the work of others, and is told to come back', async () => {
      const [store] = await stores(1)
      const nodeId = await bench.node()
      const [busy, free] = [newTenant(), newTenant()]
      await limit(busy, 5)
      await limit(free, 5)
      await enqueue(busy, 9)
      await enqueue(free, 3)
      await whileOpen(takeSlots, [[busy]], async () => {
        const { executions, again } = await claim(store!, nodeId)
        expect(executions.map(({ body }) => body.tenant)).toEqual([free, free, free])
        expect(again).toBe('soon')
      })
      expect(await claimAll(store!, nodeId)).toHaveLength(5)
    })

    it('but a limit for claims under way: until it stands, nothing is claimed of anybody', async () => {
      const [store, other] = await stores(2)
      const nodeId = await bench.node()
      const tenant = newTenant()
      await enqueue(tenant, 3)
      const done: string[] = []
      let limited = Promise.resolve()
      await whileOpen(takeSlots, [[tenant]], async () => {
        limited = limit(tenant, 1, other).then(() => void done.push('limit'))
        for (let looks = 0; looks < 100; looks++) {
          const { executions, again } = await claim(store!, nodeId)
          if (executions.length === 0) {
            expect(again).toBe('soon')
            break
          }
          await bench.store.leases.release(executions)
        }
        expect((await claim(store!, nodeId)).executions).toEqual([])
        expect(done).toEqual([])
      })
      await limited
      expect(await claimAll(store!, nodeId)).toHaveLength(1)
    })

    it('but to suspend a tenant for claims under way: once it is done, nothing more is claimed', async () => {
      const [store, other] = await stores(2)
      const nodeId = await bench.node()
      const tenant = newTenant()
      await enqueue(tenant, 3)
      const flags = (isEnabled: boolean) => [{ flag: 'JOBS_SCHEDULING', isEnabled }] as const
      const done: string[] = []
      let suspended = Promise.resolve()
      await whileOpen(takeSlots, [[tenant]], async () => {
        suspended = other!.flags.put({ tenant, flags: flags(false) }).then(() => void done.push('flag'))
        for (let looks = 0; looks < 100; looks++) {
          const { executions } = await claim(store!, nodeId)
          if (executions.length === 0) break
          await bench.store.leases.release(executions)
        }
        expect((await claim(store!, nodeId)).executions).toEqual([])
        expect(done).toEqual([])
      })
      await suspended
      expect(await claimAll(store!, nodeId)).toEqual([])
      await other!.flags.put({ tenant, flags: flags(true) })
      expect(await claimAll(store!, nodeId)).toHaveLength(3)
    })

    it('a tenant that is switched off and on while many claim loses nothing, and runs nothing while it is off', async () => {
      const claimers = await stores(4)
      const nodeId = await bench.node()
      const tenant = newTenant()
      await enqueue(tenant, 60)
      const offs: boolean[] = []
      let claimed = 0
      for (let turn = 0; claimed < 60; turn++) {
        const under = claimers.map((store) => claim(store, nodeId, { limit: 2 }))
        await bench.store.flags.put({ tenant, flags: [{ flag: 'JOBS_SCHEDULING', isEnabled: false }] })
        const after = await Promise.all(claimers.map((store) => claim(store, nodeId, { limit: 2 })))
        offs.push(after.every(({ executions }) => executions.length === 0))
        claimed += (await Promise.all(under)).reduce((sum, { executions }) => sum + executions.length, 0)
        await bench.store.flags.put({ tenant, flags: [{ flag: 'JOBS_SCHEDULING', isEnabled: true }] })
        if (turn > 20) claimed += (await claimAll(claimers[0]!, nodeId)).length
      }
      expect(claimed).toBe(60)
      expect(new Set(offs)).toEqual(new Set([true]))
    })

    it('what somebody else has locked holds back nobody but its tenant, and that until it is let go', async () => {
      const [store] = await stores(1)
      const nodeId = await bench.node()
      const [tenant, free] = [newTenant(), newTenant()]
      await limit(tenant, 1)
      await enqueue(tenant, 3)
      await enqueue(free, 2)
      await whileOpen(lockHead, [tenant], async () => {
        const { executions, again } = await claim(store!, nodeId)
        expect(executions.map(({ body }) => body.tenant)).toEqual([free, free])
        expect(again).toBe('soon')
      })
      expect(await claimAll(store!, nodeId)).toHaveLength(1)
    })

    it('one who is always outrun has his turn', async () => {
      const [fast, slow] = await stores(2)
      const nodeId = await bench.node()
      const tenant = newTenant()
      await limit(tenant, 2)
      await enqueue(tenant, 600)
      let isServed = false
      await Promise.all([
        (async () => {
          for (let turn = 0; turn < 500 && !isServed; turn++) {
            const { executions } = await claim(fast!, nodeId)
            await fast!.leases.finish(executions.map((each) => success(each)))
          }
        })(),
        (async () => {
          for (let turn = 0; turn < 500 && !isServed; turn++) {
            const { executions, again } = await claim(slow!, nodeId)
            isServed = executions.length > 0
            // Held back by a claim or by the limit itself: in life the one waits for its moment, the other for an end.
            expect([null, 'now', 'soon']).toContain(again)
          }
        })(),
      ])
      expect(isServed).toBe(true)
    })

    it('limits of the same tenants in opposite orders, claims and ends do not block each other', async () => {
      const [one, other, claimer, ender] = await stores(4)
      const nodeId = await bench.node()
      const tenants = Array.from({ length: 12 }, () => newTenant())
      for (const tenant of tenants) await enqueue(tenant, 40)
      const held: ClaimedExecution[] = []
      const kinds = ['unlimited', 3, null, 0, 9] as const
      const limits = (round: number) =>
        tenants.map((tenant, index) => ({ tenant, concurrency: kinds[(index + round) % kinds.length]! }))
      let isOver = false
      const work = [
        (async () => {
          while (!isOver) held.push(...(await claim(claimer!, nodeId, { limit: 30 })).executions)
        })(),
        (async () => {
          while (!isOver) {
            // A turn of the event loop, also where nothing is held.
            await ender!.pulse()
            await ender!.leases.progress(held.slice(0, 20).map((each) => ({ ...each, fraction: 0.5, note: null })))
            await ender!.leases.finish(
              held
                .splice(0, 15)
                .reverse()
                .map((each) => success(each)),
            )
          }
        })(),
      ]
      try {
        for (let round = 0; round < rounds * 2; round++) {
          await Promise.all([
            one!.tenants.limit(limits(round)),
            other!.tenants.limit(limits(round).reverse()),
            other!.tenants.limitOthers(round % 3 === 0 ? null : round % 7),
          ])
        }
      } finally {
        isOver = true
      }
      await Promise.all(work)
      const all = await bench.store.tenants.list({ limit: 100_000 })
      const last = limits(rounds * 2 - 1)
      for (const { tenant, concurrency } of last) {
        expect(all.find((each) => each.tenant === tenant)?.concurrency).toBe(concurrency)
      }
    })
  })
}
