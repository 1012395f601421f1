import { describe, expect, it, vi } from 'vitest'
import { type Bench, LEASE_MS, success } from './bench.ts'

const ABSENT = '00000000-0000-7000-8000-000000000000'

export function describeNodes(bench: Bench): void {
  it('register puts a node on the list, with a lease from now on', async () => {
    const node = {
      id: bench.uuid(),
      name: 'web-1',
      slots: 7,
      queues: ['default', 'payments'],
      jobTypes: ['import', 'export'],
      leaseMs: LEASE_MS,
      connections: 22,
    }
    expect(await bench.store.nodes.register(node)).toMatchObject({ now: bench.now })
    const times = { startedAt: bench.now, renewedAt: bench.now, expiresAt: bench.now + LEASE_MS }
    expect(await bench.store.nodes.list()).toEqual([{ ...node, ...times, isAlive: true, running: 0 }])
  })

  it('a node may not know how many connections it opens', async () => {
    await bench.node()
    expect(await bench.store.nodes.list()).toMatchObject([{ connections: null }])
  })

  it('declarations tells what the code of active nodes declares', async () => {
    const retry = { retries: 3, intervalsMs: [60_000], jitter: 'none', nonRetryable: ['Fatal'] } as const
    const enqueueable = [{ id: 'import', queue: 'slow', priority: 'HIGH', isDurable: false, retry }] as const
    const signals = { import: ['go', 'aprovação'] }
    const declares = { tenant: 'acme', jobs: ['nightly', 'weekly "é"'], enqueueable, signals }
    const node = { id: bench.uuid(), name: 'web-1', slots: 1, queues: [], jobTypes: ['import'], leaseMs: LEASE_MS }
    await bench.store.nodes.register({ ...node, declares })
    const older = await bench.node({ leaseMs: 2 * LEASE_MS })
    const ofOlder = { id: older, name: expect.any(String) as string, jobTypes: ['import'], declares: null }
    expect(await bench.store.nodes.declarations()).toEqual([
      { id: node.id, name: 'web-1', jobTypes: ['import'], declares },
      ofOlder,
    ])
    expect((await bench.store.nodes.list())[0]).not.toHaveProperty('declares')
    bench.advance(LEASE_MS + 1)
    expect(await bench.store.nodes.declarations()).toEqual([ofOlder])
  })

  it('a node may know no queue and no job type', async () => {
    await bench.node({ queues: [], jobTypes: [] })
    expect(await bench.store.nodes.list()).toMatchObject([{ queues: [], jobTypes: [] }])
  })

  it('list counts what each node runs', async () => {
    await bench.store.executions.enqueue([1, 2, 3].map(() => bench.execution()))
    const [busy, idle] = [await bench.node(), await bench.node()]
    const [first] = await bench.claim(busy)
    await bench.store.leases.finish([success(first!)])
    const running = new Map((await bench.store.nodes.list()).map((node) => [node.id, node.running]))
    expect(running).toEqual(
      new Map([
        [busy, 2],
        [idle, 0],
      ]),
    )
  })

  describe('renew', () => {
    it('prolongs a lease from now on', async () => {
      const node = await bench.node()
      bench.advance(LEASE_MS - 1)
      expect(await bench.store.nodes.renew(node, 2 * LEASE_MS)).toBe(true)
      expect(await bench.store.nodes.list()).toMatchObject([
        { renewedAt: bench.now, expiresAt: bench.now + 2 * LEASE_MS, isAlive: true },
      ])
      bench.advance(2 * LEASE_MS - 1)
      expect(await bench.store.nodes.renew(node, LEASE_MS)).toBe(true)
    })

    it('a lease that is over may be prolonged until somebody recovers', async () => {
      const held = await bench.running()
      bench.advance(LEASE_MS + 1)
      expect(await bench.store.nodes.list()).toMatchObject([{ id: held.nodeId, isAlive: false, running: 1 }])
      expect(await bench.store.nodes.renew(held.nodeId, LEASE_MS)).toBe(true)
      expect(await bench.store.nodes.list()).toMatchObject([
        { id: held.nodeId, isAlive: true, renewedAt: bench.now, expiresAt: bench.now + LEASE_MS },
      ])
      expect(await bench.store.leases.recover({ silentForMs: null, limit: 9 })).toEqual([])
      expect(await bench.store.leases.finish([success(held)])).toEqual([held.executionId])
    })

    it.each([true, false])('once somebody has recovered, it is over for ever; with work: %s', async (hasWork) => {
      const nodeId = hasWork ? (await bench.running()).nodeId : await bench.node()
      bench.advance(LEASE_MS + 1)
      await bench.store.leases.recover({ silentForMs: null, limit: 9 })
      expect(await bench.store.nodes.list()).toEqual([])
      expect(await bench.store.nodes.renew(nodeId, LEASE_MS)).toBe(false)
      expect(await bench.store.nodes.list()).toEqual([])
      expect(await bench.claim(nodeId)).toEqual([])
    })

    it('there is nothing to prolong of a node that is unknown or gone', async () => {
      const node = await bench.node()
      await bench.store.nodes.remove(node)
      expect(await bench.store.nodes.renew(node, LEASE_MS)).toBe(false)
      expect(await bench.store.nodes.renew(ABSENT, LEASE_MS)).toBe(false)
    })

    it('prolongs one lease only', async () => {
      const [renewed] = [await bench.node(), await bench.node()]
      bench.advance(LEASE_MS - 1)
      await bench.store.nodes.renew(renewed, LEASE_MS)
      bench.advance(2)
      const alive = (await bench.store.nodes.list()).filter(({ isAlive }) => isAlive)
      expect(alive.map(({ id }) => id)).toEqual([renewed])
    })
  })

  describe('remove', () => {
    it('takes a node off the list; what it holds is stale', async () => {
      const { nodeId } = await bench.running()
      expect(await bench.store.nodes.countStale()).toEqual({ now: bench.now, stale: 0 })
      await bench.store.nodes.remove(nodeId)
      await bench.store.nodes.remove(nodeId)
      expect(await bench.store.nodes.list()).toEqual([])
      expect(await bench.store.nodes.countStale()).toEqual({ now: bench.now, stale: 1 })
    })
  })

  describe('leave', () => {
    it('shortens the lease of one node; what it holds is not stale before that is over', async () => {
      const { nodeId } = await bench.running()
      const other = await bench.node()
      await bench.store.nodes.leave(nodeId, 2_000)
      const expiresAt = new Map((await bench.store.nodes.list()).map((node) => [node.id, node.expiresAt]))
      expect(expiresAt.get(nodeId)).toBe(bench.now + 2_000)
      expect(expiresAt.get(other)).toBe(bench.now + LEASE_MS)
      bench.advance(1_999)
      expect(await bench.store.nodes.countStale()).toMatchObject({ stale: 0 })
      bench.advance(2)
      expect(await bench.store.nodes.countStale()).toMatchObject({ stale: 1 })
    })

    it('does nothing for a node that is not on the list', async () => {
      const held = await bench.running()
      await bench.store.nodes.remove(held.nodeId)
      await bench.store.nodes.leave(held.nodeId, 2_000)
      await bench.store.nodes.leave(ABSENT, 2_000)
      expect(await bench.store.nodes.list()).toEqual([])
      expect(await bench.store.leases.recover({ silentForMs: null, limit: 9 })).toMatchObject([{ isUnspent: false }])
    })
  })

  it('countStale counts what is held by nodes whose lease is over', async () => {
    await bench.store.executions.enqueue([1, 2, 3, 4].map(() => bench.execution()))
    const [lost, alive] = [await bench.node(), await bench.node({ leaseMs: 10 * LEASE_MS })]
    await bench.claim(lost, { limit: 2 })
    await bench.claim(alive, { limit: 1 })
    bench.advance(LEASE_MS - 1)
    expect(await bench.store.nodes.countStale()).toEqual({ now: bench.now, stale: 0 })
    bench.advance(2)
    expect(await bench.store.nodes.countStale()).toEqual({ now: bench.now, stale: 2 })
    await bench.store.leases.recover({ silentForMs: null, limit: 9 })
    expect(await bench.store.nodes.countStale()).toEqual({ now: bench.now, stale: 0 })
  })

  describe('keepAlive', () => {
    const keep = (nodeId: string, onLost: (reason: string) => void) =>
      bench.store.nodes.keepAlive({ nodeId, leaseMs: LEASE_MS, intervalMs: 5_000, onLost })
    const expiresAt = async () => (await bench.store.nodes.list())[0]?.expiresAt ?? 0
    /** Moves on by an interval at a time, until something has come about: a renewal may still be under way when the next is due. */
    const until = (isSo: () => void | Promise<void>) =>
      vi.waitFor(
        async () => {
          bench.advance(5_000)
          await bench.store.pulse()
          await isSo()
        },
        { timeout: 20_000, interval: 1 },
      )

    it('renews a lease again and again, until it is stopped', async () => {
      const node = await bench.node()
      const onLost = vi.fn<(reason: string) => void>()
      const keeper = keep(node, onLost)
      for (let renewals = 0; renewals < 20; renewals++) {
        const before = await expiresAt()
        await until(async () => expect(await expiresAt()).toBeGreaterThan(before))
      }
      await keeper.stop()
      await keeper.stop()
      const last = await expiresAt()
      bench.advance(60_000)
      expect(await expiresAt()).toBe(last)
      expect(onLost).not.toHaveBeenCalled()
    })

    it('says once that the node is no longer on the list', async () => {
      const node = await bench.node()
      const onLost = vi.fn<(reason: string) => void>()
      const keeper = keep(node, onLost)
      await bench.store.nodes.remove(node)
      await until(() => expect(onLost).toHaveBeenCalled())
      bench.advance(60_000)
      await keeper.stop()
      expect(onLost).toHaveBeenCalledTimes(1)
      expect(onLost.mock.calls[0]?.[0]).toBeTruthy()
    })

    it('renews no longer than it is allowed to', async () => {
      const node = await bench.node()
      const onLost = vi.fn<(reason: string) => void>()
      const keeper = keep(node, onLost)
      keeper.allowUntil(7_000)
      const startedAt = bench.now
      bench.advance(5_000)
      await vi.waitFor(async () => expect(await expiresAt()).toBe(startedAt + 5_000 + LEASE_MS))
      for (let intervals = 0; intervals < 10; intervals++) {
        bench.advance(5_000)
        expect(await expiresAt()).toBe(startedAt + 5_000 + LEASE_MS)
      }
      keeper.allowUntil(null)
      await until(async () => expect(await expiresAt()).toBeGreaterThan(bench.now))
      await keeper.stop()
      expect(onLost).not.toHaveBeenCalled()
    })
  })
}
