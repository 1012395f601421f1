import { describe, expect, it } from 'vitest'
import type { Priority } from '../../../src/job/rules/priority.ts'
import type { Claim, ClaimedExecution, ClaimRequest } from '../../../src/store/leases.ts'
import type { TenantConcurrency } from '../../../src/store/tenants.ts'
import { type Bench, failure, HOUR, LEASE_MS, success } from './bench.ts'
import { describeJobLimits } from './job-limits.ts'

/** Whose turn it is, and how many of whom may run at once. */
export function describeLimits(bench: Bench): void {
  let named = 0

  /** Tenants that no test has seen, known in this order: their turns come in it, and before those of all others. */
  async function tenants<Name extends string>(...names: readonly Name[]): Promise<Record<Name, string>> {
    const all = names.map((name) => [name, `${name}-${bench.now}-${++named}`] as const)
    for (const [, tenant] of all) await bench.store.tenants.limit([{ tenant, concurrency: null }])
    return Object.fromEntries(all) as Record<Name, string>
  }

  async function enqueue(tenant: string, count: number, change: Parameters<Bench['execution']>[0] = {}) {
    const executions = Array.from({ length: count }, () => bench.execution({ tenant, ...change }))
    await bench.store.executions.enqueue(executions)
    bench.advance(1)
    return executions.map(({ body }) => body.id)
  }

  async function limit(tenant: string, concurrency: TenantConcurrency): Promise<void> {
    await bench.store.tenants.limit([{ tenant, concurrency }])
  }

  async function ask(nodeId: string, change: Partial<ClaimRequest> = {}): Promise<Claim> {
    const request = { nodeId, limit: 100, queues: ['default'], jobTypes: ['import'], aged: 0, ...change }
    return await bench.store.leases.claim(request)
  }

  /** How many of each were taken, by the first part of the tenant's name. */
  function countsOf(claimed: readonly ClaimedExecution[]): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { body } of claimed) {
      const name = body.tenant.split('-')[0] ?? ''
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }

  async function running(tenant: string): Promise<number | undefined> {
    const all = await bench.store.tenants.list({ limit: 100_000 })
    return all.find((each) => each.tenant === tenant)?.running
  }

  describe('tenants take turns', () => {
    it.each<[string, Record<string, number>, number, Record<string, number>]>([
      ['each the same where all have enough', { a: 9, b: 9, c: 9 }, 6, { a: 2, b: 2, c: 2 }],
      ['the first ones one more where it does not divide', { a: 9, b: 9, c: 9 }, 5, { a: 2, b: 2, c: 1 }],
      ['one flood leaves the others theirs', { a: 60, b: 1, c: 2 }, 6, { a: 3, b: 1, c: 2 }],
      ['a flood has what the others leave', { a: 60, b: 1, c: 1 }, 40, { a: 38, b: 1, c: 1 }],
      ['all of it where there is room', { a: 3, b: 1, c: 7 }, 20, { a: 3, b: 1, c: 7 }],
      ['fewer than tenants: the first ones', { a: 2, b: 2, c: 2, d: 2 }, 2, { a: 1, b: 1 }],
      ['one alone has everything', { a: 60 }, 50, { a: 50 }],
    ])('%s', async (_rule, waiting, wanted, expected) => {
      const known = await tenants(...Object.keys(waiting))
      for (const [name, count] of Object.entries(waiting)) await enqueue(known[name]!, count)
      const node = await bench.node()
      expect(countsOf(await bench.claim(node, { limit: wanted }))).toEqual(expected)
    })

    it('one by one it goes round, and goes on where it left off', async () => {
      const { a, b, c } = await tenants('a', 'b', 'c')
      await enqueue(a, 5)
      await enqueue(b, 2)
      await enqueue(c, 3)
      const node = await bench.node()
      const order: string[] = []
      for (let n = 0; n < 10; n++) order.push((await bench.claimOne(node)).body.tenant)
      expect(order).toEqual([a, b, c, a, b, c, a, c, a, a])
    })

    it('two at a time it goes round, and goes on where it left off', async () => {
      const { a, b, c } = await tenants('a', 'b', 'c')
      for (const tenant of [a, b, c]) await enqueue(tenant, 4)
      const node = await bench.node()
      const turns: Record<string, number>[] = []
      for (let n = 0; n < 6; n++) turns.push(countsOf(await bench.claim(node, { limit: 2 })))
      const round = [
        { a: 1, b: 1 },
        { a: 1, c: 1 },
        { b: 1, c: 1 },
      ]
      expect(turns).toEqual([...round, ...round])
    })

    it('those that become known together have theirs in the order of their names', async () => {
      const [first, second] = [`a-${bench.now}-${++named}`, `b-${bench.now}-${named}`]
      await bench.store.tenants.limit([second, first].map((tenant) => ({ tenant, concurrency: 9 })))
      for (const tenant of [second, first]) await enqueue(tenant, 1)
      const node = await bench.node()
      expect((await bench.claimOne(node)).body.tenant).toBe(first)
    })

    it('one that comes late has the next turn', async () => {
      const { a, b } = await tenants('a', 'b')
      await enqueue(a, 50)
      const node = await bench.node()
      await bench.claim(node, { limit: 3 })
      await enqueue(b, 1)
      expect((await bench.claimOne(node)).body.tenant).toBe(b)
    })

    it('one with many queues and job types has one turn, as all have', async () => {
      const { a, b } = await tenants('a', 'b')
      const queues = ['default', 'q1', 'q2']
      const jobTypes = ['import', 'j1', 'j2']
      for (const queue of queues) for (const jobType of jobTypes) await enqueue(a, 2, { queue, jobType })
      await enqueue(b, 9)
      const node = await bench.node()
      expect(countsOf(await bench.claim(node, { queues, jobTypes, limit: 8 }))).toEqual({ a: 4, b: 4 })
    })

    it('one after the other all of a hundred have theirs', async () => {
      const names = Array.from({ length: 100 }, (_, n) => `t${n}`)
      const known = await tenants(...names)
      await bench.store.executions.enqueue(
        names.flatMap((name) => [1, 2].map(() => bench.execution({ tenant: known[name]! }))),
      )
      const node = await bench.node()
      const served: string[] = []
      for (let n = 0; n < 20; n++) served.push(...Object.keys(countsOf(await bench.claim(node, { limit: 10 }))))
      expect(new Set(served.slice(0, 100)).size).toBe(100)
      expect(new Set(served.slice(100)).size).toBe(100)
    })

    it('within one it goes by priority and age', async () => {
      const { a, b } = await tenants('a', 'b')
      const order = ['LOW', 'HIGH', 'MEDIUM', 'HIGH'] as const
      const ofA: string[] = []
      for (const priority of order) ofA.push(...(await enqueue(a, 1, { priority })))
      await enqueue(b, 4, { priority: 'LOW' })
      const node = await bench.node()
      const taken: number[] = []
      for (let n = 0; n < 8; n++) {
        const { body } = await bench.claimOne(node)
        if (body.tenant === a) taken.push(ofA.indexOf(body.id))
        expect(body.tenant).toBe(n % 2 === 0 ? a : b)
      }
      expect(taken).toEqual([1, 3, 2, 0])
    })

    it.each<[string, number, Record<string, [Priority, number]>, Record<string, number>]>([
      ['one by age: of who is next', 1, { a: ['LOW', 1], b: ['LOW', 1] }, { a: 1 }],
      ['two by age: one of each', 2, { a: ['LOW', 3], b: ['LOW', 3] }, { a: 1, b: 1 }],
      ['four by age: two of each', 4, { a: ['LOW', 3], b: ['MEDIUM', 3] }, { a: 2, b: 2 }],
    ])('of those taken by age too: %s', async (_rule, aged, waiting, expected) => {
      const known = await tenants(...Object.keys(waiting))
      for (const [name, [priority, count]] of Object.entries(waiting)) {
        await enqueue(known[name]!, count, { priority })
        await enqueue(known[name]!, 9, { priority: 'HIGH' })
      }
      const claimed = await bench.claim(await bench.node(), { limit: 8, aged })
      expect(countsOf(claimed)).toEqual({ a: 4, b: 4 })
      expect(countsOf(claimed.filter(({ body }) => body.priority !== 'HIGH'))).toEqual(expected)
    })

    it('low ones of one are not starved by high ones of it or of others', async () => {
      const { a, b } = await tenants('a', 'b')
      const [low] = await enqueue(a, 1, { priority: 'LOW' })
      const node = await bench.node()
      for (let n = 1; n <= 16; n++) {
        await enqueue(a, 1, { priority: 'HIGH' })
        await enqueue(b, 1, { priority: 'HIGH' })
        const claimed = await bench.claim(node, { limit: 1, aged: n % 8 === 0 ? 1 : 0 })
        if (claimed.some(({ executionId }) => executionId === low)) return expect(n).toBe(8)
      }
      expect.fail('It has starved.')
    })
  })

  describe('no more of a tenant run than may', () => {
    it('however often and for whom is claimed', async () => {
      const { a, b } = await tenants('a', 'b')
      await limit(a, 5)
      await enqueue(a, 20)
      await enqueue(b, 3)
      const [node, other] = [await bench.node(), await bench.node()]
      expect(countsOf(await bench.claim(node, { limit: 4 }))).toEqual({ a: 2, b: 2 })
      expect(countsOf(await bench.claim(other, { limit: 4 }))).toEqual({ a: 3, b: 1 })
      expect(await bench.claim(other)).toEqual([])
      expect(await bench.claim(node)).toEqual([])
      expect(await running(a)).toBe(5)
    })

    it.each<[string, Priority[], { limit: number; aged: number }, number[]]>([
      ['the highest first', ['LOW', 'MEDIUM', 'HIGH', 'HIGH'], { limit: 9, aged: 0 }, [2, 3]],
      ['the oldest first', ['LOW', 'LOW', 'LOW', 'LOW'], { limit: 9, aged: 0 }, [0, 1]],
      ['those by age first', ['LOW', 'MEDIUM', 'HIGH', 'HIGH'], { limit: 9, aged: 1 }, [0, 2]],
      ['those by age within it', ['LOW', 'MEDIUM', 'LOW', 'HIGH'], { limit: 9, aged: 9 }, [0, 1]],
    ])('of two: %s', async (_rule, priorities, request, expected) => {
      const { a } = await tenants('a')
      await limit(a, 2)
      const ids: string[] = []
      for (const priority of priorities) ids.push(...(await enqueue(a, 1, { priority })))
      const claimed = await bench.claim(await bench.node(), request)
      expect(new Set(claimed.map(({ executionId }) => ids.indexOf(executionId)))).toEqual(new Set(expected))
    })

    it('also where it has many queues and job types', async () => {
      const { a } = await tenants('a')
      await limit(a, 4)
      const queues = ['default', 'q1', 'q2']
      const jobTypes = ['import', 'j1', 'j2']
      for (const queue of queues) for (const jobType of jobTypes) await enqueue(a, 2, { queue, jobType })
      const node = await bench.node()
      expect(await bench.claim(node, { queues: ['q1'], jobTypes })).toHaveLength(4)
      expect(await bench.claim(node, { queues, jobTypes })).toEqual([])
    })

    it.each<[string, TenantConcurrency, TenantConcurrency, number, number]>([
      ['a lower limit', 6, 3, 6, 0],
      ['a higher limit', 3, 5, 3, 2],
      ['no limit any more', 3, 'unlimited', 3, 17],
      ['the default again, which is none', 3, null, 3, 17],
      ['none at all may run', 3, 0, 3, 0],
      ['a first limit, below what runs', null, 4, 20, 0],
      ['a first limit after none was wanted', 'unlimited', 4, 20, 0],
    ])('holds at once: %s', async (_rule, before, after, first, then) => {
      const { a } = await tenants('a')
      await limit(a, before)
      await enqueue(a, 20)
      const node = await bench.node()
      expect(await bench.claim(node)).toHaveLength(first)
      await enqueue(a, 20 - Math.max(0, 20 - first))
      await limit(a, after)
      expect(await bench.claim(node, { limit: 17 })).toHaveLength(then)
    })

    it('what runs beyond a lower limit goes on, and nothing begins until enough have ended', async () => {
      const { a } = await tenants('a')
      await enqueue(a, 12)
      const node = await bench.node()
      const claimed = await bench.claim(node, { limit: 6 })
      await limit(a, 4)
      for (const [ended, expected] of [
        [1, 0],
        [2, 0],
        [3, 1],
        [4, 1],
      ] as const) {
        await bench.store.leases.finish([success(claimed[ended - 1]!)])
        expect(await bench.claim(node), `${ended} ended`).toHaveLength(expected)
      }
      expect(await running(a)).toBe(4)
    })

    it('changed again and again, the number is exact', async () => {
      const { a } = await tenants('a')
      await enqueue(a, 60)
      const node = await bench.node()
      let held: ClaimedExecution[] = []
      for (const [index, most] of [10, 3, 10, 0, 7, 'unlimited', 5, 1, 8].entries()) {
        await limit(a, most as TenantConcurrency)
        const room = most === 'unlimited' ? 12 : Math.max(0, Number(most) - held.length)
        const claimed = await bench.claim(node, { limit: 12 })
        expect(claimed.length, `limit ${index + 1}: ${most}`).toBe(Math.min(12, room))
        held.push(...claimed)
        const ended = held.filter((_, n) => n % 2 === 0)
        await bench.store.leases.finish(ended.map((each) => success(each)))
        held = held.filter((each) => !ended.includes(each))
        expect(await running(a)).toBe(held.length)
      }
    })

    it('who has no limit of its own has that of all others, and one of its own goes before it', async () => {
      const { a, b, c } = await tenants('a', 'b', 'c')
      await limit(b, 1)
      await limit(c, 'unlimited')
      await bench.store.tenants.limitOthers(3)
      for (const tenant of [a, b, c]) await enqueue(tenant, 9)
      const node = await bench.node()
      expect(countsOf(await bench.claim(node, { limit: 20 }))).toEqual({ a: 3, b: 1, c: 9 })
      await bench.store.tenants.limitOthers(5)
      expect(countsOf(await bench.claim(node, { limit: 20 }))).toEqual({ a: 2 })
      await bench.store.tenants.limitOthers(2)
      expect(await bench.claim(node)).toEqual([])
      await limit(b, null)
      expect(countsOf(await bench.claim(node))).toEqual({ b: 1 })
      await bench.store.tenants.limitOthers(null)
      expect(countsOf(await bench.claim(node))).toEqual({ a: 4, b: 7 })
    })

    it('what began without a limit counts once all others have one', async () => {
      const { a } = await tenants('a')
      await enqueue(a, 9)
      const node = await bench.node()
      const [first] = await bench.claim(node, { limit: 4 })
      await bench.store.tenants.limitOthers(4)
      expect(await bench.claim(node)).toEqual([])
      await bench.store.leases.finish([success(first!)])
      expect(await bench.claim(node)).toHaveLength(1)
      expect(await bench.claim(node)).toEqual([])
    })

    it('none at all of any tenant, where the default says so', async () => {
      const { a } = await tenants('a')
      await enqueue(a, 2)
      await bench.store.tenants.limitOthers(0)
      const node = await bench.node()
      expect(await bench.claim(node)).toEqual([])
      await bench.store.tenants.limitOthers(null)
      expect(await bench.claim(node)).toHaveLength(2)
    })

    const endings: [string, (held: ClaimedExecution) => Promise<unknown>][] = [
      ['it ends', (held) => bench.store.leases.finish([success(held)])],
      ['it waits for its next try', (held) => retry(held)],
      ['it is given back', (held) => bench.store.leases.release([held])],
      ['it is cancelled', (held) => bench.store.executions.cancel([{ id: held.executionId, reason: null }])],
    ]
    function retry(held: ClaimedExecution): Promise<unknown> {
      return bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: HOUR }])
    }
    it.each(endings)('another may run once %s', async (_case, end) => {
      const { a } = await tenants('a')
      await limit(a, 3)
      await enqueue(a, 9)
      const node = await bench.node()
      const claimed = await bench.claim(node)
      expect(claimed).toHaveLength(3)
      await end(claimed[1]!)
      expect(await running(a)).toBe(2)
      expect(await bench.claim(node)).toHaveLength(1)
      expect(await bench.claim(node)).toEqual([])
    })

    it('others may run once those of a node that is gone are recovered', async () => {
      const { a } = await tenants('a')
      await limit(a, 3)
      await enqueue(a, 9)
      expect(await bench.claim(await bench.node())).toHaveLength(3)
      bench.advance(LEASE_MS + 1)
      const node = await bench.node()
      expect(await bench.claim(node)).toEqual([])
      expect(await bench.store.leases.recover({ silentForMs: null, limit: 2 })).toHaveLength(2)
      expect(await bench.claim(node)).toHaveLength(2)
      await bench.store.leases.recover({ silentForMs: null, limit: 9 })
      expect(await bench.claim(node)).toHaveLength(1)
      expect(await running(a)).toBe(3)
    })

    it('who has none left does not cost others their turn', async () => {
      const { a, b, c } = await tenants('a', 'b', 'c')
      await limit(b, 0)
      for (const tenant of [a, b, c]) await enqueue(tenant, 5)
      const node = await bench.node()
      expect(countsOf(await bench.claim(node, { limit: 6 }))).toEqual({ a: 3, c: 3 })
    })

    it('what its limit holds back is claimed in its old order later', async () => {
      const { a, b } = await tenants('a', 'b')
      await limit(a, 1)
      const ids = await enqueue(a, 6)
      const node = await bench.node()
      const order: string[] = []
      for (let n = 0; n < 6; n++) {
        await enqueue(b, 3)
        const claimed = (await bench.claim(node)).filter(({ body }) => body.tenant === a)
        order.push(...claimed.map(({ executionId }) => executionId))
        await bench.store.leases.finish(claimed.map((each) => success(each)))
      }
      expect(order).toEqual(ids)
    })
  })

  describeJobLimits(bench)

  describe('the reserve of a node', () => {
    it.each<[string, Record<string, number>, number, number, string[], Record<string, number>]>([
      ['is kept from a tenant that runs there', { a: 60, b: 0 }, 10, 1, ['a'], { a: 9 }],
      ['is kept from a tenant after its first execution', { a: 60, b: 0 }, 10, 1, [], { a: 9 }],
      ['is taken by the first of a tenant that runs nothing there', { a: 60, b: 60 }, 1, 1, ['a'], { b: 1 }],
      ['is left to the next tenant', { a: 60, b: 60 }, 10, 2, ['a'], { a: 4, b: 4 }],
      ['is nothing where all is free for the first of each', { a: 1, b: 1, c: 1 }, 3, 1, [], { a: 1, b: 1, c: 1 }],
      ['leaves nothing to tenants that run there', { a: 60, b: 60 }, 1, 1, ['a', 'b'], {}],
      ['holds for several lanes of a tenant', { a: 60, b: 0 }, 4, 3, ['b'], { a: 1 }],
      ['is none where nothing is asked for', { a: 60, b: 60 }, 10, 0, ['a'], { a: 5, b: 5 }],
    ])('%s', async (_rule, waiting, wanted, slots, running, expected) => {
      const known = await tenants(...Object.keys(waiting))
      for (const [name, count] of Object.entries(waiting)) {
        if (count > 0) await enqueue(known[name] ?? '', Math.ceil(count / 2))
        if (count > 1) await enqueue(known[name] ?? '', Math.floor(count / 2), { priority: 'HIGH' })
      }
      const nodeId = await bench.node()
      const reserve = { slots, running: running.map((name) => known[name] ?? '') }
      const claim = await ask(nodeId, { limit: wanted, reserve })
      expect(countsOf(claim.executions)).toEqual(expected)
      const isShort = claim.executions.length < Math.min(wanted, waiting['a']! + (waiting['b'] ?? 0))
      expect(claim.isLimited).toBe(isShort)
    })

    it('is taken by the first of a tenant that runs nothing there, also where all have a limit', async () => {
      const { a, b, c } = await tenants('a', 'b', 'c')
      for (const tenant of [a, b, c]) await limit(tenant, 10)
      for (const tenant of [a, b, c]) await enqueue(tenant, 20)
      const nodeId = await bench.node()
      for (const expected of [{ b: 1 }, { c: 1 }]) {
        const running = 'b' in expected ? [a] : [a, b]
        const claim = await ask(nodeId, { limit: 1, reserve: { slots: 1, running } })
        expect(countsOf(claim.executions)).toEqual(expected)
      }
      const claim = await ask(nodeId, { limit: 1, reserve: { slots: 1, running: [a, b, c] } })
      expect(claim).toMatchObject({ executions: [], isLimited: true, again: null })
    })

    it('what it holds back is claimed in its old order later', async () => {
      const { a } = await tenants('a', 'b')
      const all = await enqueue(a, 6)
      const nodeId = await bench.node()
      const reserve = { slots: 1, running: [a] }
      const first = await bench.claim(nodeId, { limit: 3, reserve })
      expect(await bench.claim(nodeId, { limit: 1, reserve })).toEqual([])
      const next = await bench.claim(nodeId, { limit: 5, reserve })
      expect([...first, ...next].map(({ executionId }) => executionId)).toEqual(all)
    })
  })

  describe('job types that rest', () => {
    it.each<[string, (a: string) => { jobType: string; tenant: string | null }[], string[]]>([
      ['of one tenant', (a) => [{ jobType: 'import', tenant: a }], ['a export', 'b export', 'b import']],
      ['of all', () => [{ jobType: 'import', tenant: null }], ['a export', 'b export']],
      [
        'several',
        (a) => [
          { jobType: 'import', tenant: null },
          { jobType: 'export', tenant: a },
        ],
        ['b export'],
      ],
      [
        'that nobody knows',
        () => [{ jobType: 'never-seen', tenant: null }],
        ['a export', 'a import', 'b export', 'b import'],
      ],
    ])('are left alone: %s', async (_case, resting, expected) => {
      const { a, b } = await tenants('a', 'b')
      for (const tenant of [a, b]) for (const jobType of ['import', 'export']) await enqueue(tenant, 1, { jobType })
      const node = await bench.node()
      const request = { jobTypes: ['import', 'export'], limit: 9 }
      const claimed = await bench.claim(node, { ...request, resting: resting(a) })
      expect(claimed.map(({ body }) => `${body.tenant[0]} ${body.jobType}`).sort()).toEqual(expected)
      expect(await bench.claim(node, request)).toHaveLength(4 - expected.length)
    })

    it('are taken in their old order afterwards', async () => {
      const { a } = await tenants('a')
      const ids = await enqueue(a, 3)
      await enqueue(a, 3, { jobType: 'export' })
      const node = await bench.node()
      const jobTypes = ['import', 'export']
      const resting = [{ jobType: 'import', tenant: null }]
      for (let n = 0; n < 4; n++) {
        for (const { body } of await bench.claim(node, { jobTypes, limit: 1, resting }))
          expect(body.jobType).toBe('export')
      }
      const claimed = await bench.claim(node, { jobTypes })
      expect(claimed.map(({ executionId }) => executionId)).toEqual(ids)
    })
  })

  describe('another claim', () => {
    it.each<[string, number, TenantConcurrency, number, Claim['again']]>([
      ['finds more where this one had no room', 5, null, 3, 'now'],
      ['finds nothing where all is taken', 5, null, 6, null],
      ['finds nothing until some have ended, where a limit is reached', 5, 2, 4, null],
      ['finds nothing where nothing may run', 5, 0, 4, null],
      ['finds nothing where there is nothing', 0, null, 4, null],
    ])('%s', async (_case, waiting, concurrency, wanted, expected) => {
      const { a } = await tenants('a')
      await limit(a, concurrency)
      await enqueue(a, waiting)
      expect((await ask(await bench.node(), { limit: wanted })).again).toBe(expected)
    })
  })

  describe('list', () => {
    it('tells limits and what runs, by name, some at a time', async () => {
      const { a, b, c } = await tenants('a', 'b', 'c')
      await limit(b, 2)
      await limit(c, 'unlimited')
      await bench.store.tenants.limitOthers(7)
      await enqueue(b, 5)
      await bench.claim(await bench.node())
      const all = await bench.store.tenants.list({ limit: 100_000 })
      expect(all.map(({ tenant }) => tenant)).toEqual(all.map(({ tenant }) => tenant).toSorted())
      expect(all.filter(({ tenant }) => [a, b, c].includes(tenant))).toEqual([
        { tenant: a, concurrency: null, limit: 7, running: 0 },
        { tenant: b, concurrency: 2, limit: 2, running: 2 },
        { tenant: c, concurrency: 'unlimited', limit: null, running: 0 },
      ])
      const paged: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await bench.store.tenants.list({ limit: 7, after })
        paged.push(...page.map(({ tenant }) => tenant))
        after = page.at(-1)?.tenant
        if (page.length < 7) break
      }
      expect(paged).toEqual(all.map(({ tenant }) => tenant))
      expect(await bench.store.tenants.list({ limit: 0 })).toEqual([])
    })

    it('the largest limit is that of any tenant, or of those that have none of their own', async () => {
      const { a, b } = await tenants('a', 'b')
      expect(await bench.store.tenants.largestLimit()).toBeNull()
      await limit(a, 'unlimited')
      expect(await bench.store.tenants.largestLimit()).toBeNull()
      await limit(b, 0)
      expect(await bench.store.tenants.largestLimit()).toBe(0)
      await bench.store.tenants.limitOthers(4)
      await limit(b, 3)
      expect(await bench.store.tenants.largestLimit()).toBe(4)
      await limit(a, 7)
      expect(await bench.store.tenants.largestLimit()).toBe(7)
    })

    it('knows a tenant from its first execution on', async () => {
      const tenant = `new-${bench.now}`
      const names = async () => (await bench.store.tenants.list({ limit: 100_000 })).map((each) => each.tenant)
      expect(await names()).not.toContain(tenant)
      await enqueue(tenant, 1)
      expect(await names()).toContain(tenant)
    })

    it('of two limits for the same tenant in one call the last one holds', async () => {
      const { a } = await tenants('a')
      await bench.store.tenants.limit([
        { tenant: a, concurrency: 9 },
        { tenant: a, concurrency: 2 },
      ])
      const all = await bench.store.tenants.list({ limit: 100_000 })
      expect(all.find(({ tenant }) => tenant === a)).toMatchObject({ concurrency: 2, limit: 2 })
    })
  })
}
