import { describe, expect, it } from 'vitest'
import type { Priority } from '../../../src/job/rules/priority.ts'
import { type Bench, failure, HOUR, LEASE_MS, success } from './bench.ts'

const ABSENT = '00000000-0000-7000-8000-000000000000'

export function describeClaims(bench: Bench): void {
  async function enqueueAll(priorities: readonly Priority[]): Promise<string[]> {
    const ids: string[] = []
    for (const priority of priorities) {
      ids.push(await bench.enqueue({ priority }))
      bench.advance(1)
    }
    return ids
  }

  describe('claim', () => {
    it('gives the body, counts the attempt and the epoch, and tells the time', async () => {
      const { body } = bench.execution({ payload: '{"a":1}', priority: 'LOW', options: { timeoutMs: 5 } })
      await bench.store.executions.enqueue([{ body, runAt: null }])
      const nodeId = await bench.node()
      bench.advance(3)
      const request = { nodeId, limit: 9, queues: ['default'], jobTypes: ['import'], aged: 0 }
      expect(await bench.store.leases.claim(request)).toEqual({
        now: bench.now,
        isNodeAlive: true,
        executions: [{ executionId: body.id, epoch: 1, attempt: 1, body }],
        isLimited: false,
        starts: [],
        again: null,
      })
      const nothing = { now: bench.now, isNodeAlive: true, executions: [], isLimited: false, starts: [], again: null }
      expect(await bench.store.leases.claim(request)).toEqual(nothing)
      expect(await bench.store.leases.held(nodeId)).toEqual([{ executionId: body.id, epoch: 1, hasNews: false }])
    })

    const orders: [string, Priority[], number[]][] = [
      ['the oldest first within a priority', ['MEDIUM', 'MEDIUM', 'MEDIUM'], [0, 1, 2]],
      ['the highest priority first', ['LOW', 'MEDIUM', 'HIGH'], [2, 1, 0]],
      ['the highest first, then the oldest', ['LOW', 'HIGH', 'MEDIUM', 'LOW', 'HIGH', 'MEDIUM'], [1, 4, 2, 5, 0, 3]],
    ]
    it.each(orders)('takes %s', async (_rule, priorities, expected) => {
      const ids = await enqueueAll(priorities)
      const node = await bench.node()
      const taken: number[] = []
      for (const _ of priorities) taken.push(ids.indexOf((await bench.claimOne(node)).executionId))
      expect(taken).toEqual(expected)
    })

    it.each(orders)('takes at once the same as one by one: %s', async (_rule, priorities, expected) => {
      const ids = await enqueueAll(priorities)
      const limit = priorities.length - 1
      const claimed = await bench.claim(await bench.node(), { limit })
      expect(claimed.map(({ executionId }) => ids.indexOf(executionId))).toEqual(expected.slice(0, limit))
    })

    it('goes by priority and age over the queues and job types of a tenant', async () => {
      const changes = [
        { queue: 'b', jobType: 'x' },
        { queue: 'a', jobType: 'y', priority: 'HIGH' },
        { queue: 'b', jobType: 'y' },
        { queue: 'a', jobType: 'x', priority: 'LOW' },
        { queue: 'a', jobType: 'x' },
      ] as const
      const ids: string[] = []
      for (const change of changes) {
        ids.push(await bench.enqueue(change))
        bench.advance(1)
      }
      const node = await bench.node()
      const taken: number[] = []
      for (const _ of ids) {
        const [claimed] = await bench.claim(node, { limit: 1, queues: ['a', 'b'], jobTypes: ['x', 'y'] })
        taken.push(ids.indexOf(claimed?.executionId ?? ''))
      }
      expect(taken).toEqual([1, 0, 2, 4, 3])
    })

    const newcomers: [string, { tenant: string; jobType: string }][] = [
      ['of a tenant that is older than the one that floods', { tenant: 'older', jobType: 'import' }],
      ['of the same tenant, in another lane', { tenant: 'flooding', jobType: 'export' }],
      ['of a tenant that is new', { tenant: 'new', jobType: 'import' }],
    ]
    it.each(newcomers)('one %s does not wait until a flood is over', async (_case, newcomer) => {
      const node = await bench.node()
      const request = { limit: 2, queues: ['default'], jobTypes: ['import', 'export'] }
      await bench.enqueue({ tenant: 'older' })
      await bench.claim(node, request)
      for (let n = 0; n < 40; n += 1) await bench.enqueue({ tenant: 'flooding' })
      for (let claims = 0; claims < 5; claims += 1) await bench.claim(node, request)
      const id = await bench.enqueue({ ...newcomer, priority: 'HIGH' })
      const taken = [...(await bench.claim(node, request)), ...(await bench.claim(node, request))]
      expect(taken.map(({ executionId }) => executionId)).toContain(id)
    })

    it('one whose id is of a time to come does not hide those after it', async () => {
      const node = await bench.node()
      const ahead = bench.execution()
      await bench.store.executions.enqueue([{ ...ahead, body: { ...ahead.body, id: `ffff${ahead.body.id.slice(4)}` } }])
      expect(await bench.claim(node, { limit: 9 })).toHaveLength(1)
      const id = await bench.enqueue()
      expect((await bench.claim(node, { limit: 9 })).map(({ executionId }) => executionId)).toEqual([id])
    })

    it('many that are put back behind what was claimed since are all taken again', async () => {
      const node = await bench.node()
      await bench.store.executions.enqueue(Array.from({ length: 60 }, () => bench.execution()))
      const held = await bench.claim(node)
      bench.advance(LEASE_MS / 2)
      await bench.enqueue()
      expect([await bench.claim(node), await bench.claim(node)].map(({ length }) => length)).toEqual([1, 0])
      await bench.store.leases.release(held)
      expect(await bench.claim(node)).toHaveLength(60)
    })

    const aging: [string, Priority[], { limit: number; aged: number }, number[]][] = [
      ['none by age', ['LOW', 'HIGH', 'HIGH'], { limit: 2, aged: 0 }, [1, 2]],
      ['one by age, among the lower ones', ['LOW', 'HIGH', 'HIGH'], { limit: 2, aged: 1 }, [0, 1]],
      ['the oldest by age, whichever lower priority', ['LOW', 'MEDIUM', 'HIGH', 'HIGH'], { limit: 2, aged: 1 }, [0, 2]],
      [
        'the oldest by age, whichever lower priority, again',
        ['MEDIUM', 'LOW', 'HIGH', 'HIGH'],
        { limit: 2, aged: 1 },
        [0, 2],
      ],
      ['two by age', ['LOW', 'LOW', 'LOW', 'HIGH', 'HIGH', 'HIGH'], { limit: 3, aged: 2 }, [0, 1, 3]],
      ['all by age', ['LOW', 'HIGH', 'MEDIUM', 'LOW'], { limit: 2, aged: 2 }, [0, 2]],
      ['high ones where there is no lower one', ['HIGH', 'HIGH', 'HIGH'], { limit: 2, aged: 1 }, [0, 1]],
      ['as many as there are', ['LOW', 'HIGH'], { limit: 5, aged: 2 }, [0, 1]],
      ['as many as are asked for, none twice', ['LOW', 'LOW', 'HIGH', 'LOW'], { limit: 3, aged: 1 }, [0, 1, 2]],
    ]
    it.each(aging)('with ageing takes %s', async (_rule, priorities, request, expected) => {
      const ids = await enqueueAll(priorities)
      const claimed = await bench.claim(await bench.node(), request)
      const taken = claimed.map(({ executionId }) => ids.indexOf(executionId))
      expect(taken.sort((a, b) => a - b)).toEqual(expected)
    })

    it('takes no more than the limit', async () => {
      await enqueueAll(['LOW', 'LOW', 'LOW'])
      const node = await bench.node()
      expect(await bench.claim(node, { limit: 0 })).toEqual([])
      expect(await bench.claim(node, { limit: 2 })).toHaveLength(2)
      expect(await bench.claim(node, { limit: 2 })).toHaveLength(1)
    })

    it('leaves alone what the node does not know', async () => {
      await bench.enqueue({ jobType: 'export' })
      await bench.enqueue({ queue: 'payments' })
      const node = await bench.node()
      expect(await bench.claim(node)).toEqual([])
      expect(await bench.claim(node, { queues: [] })).toEqual([])
      expect(await bench.claim(node, { jobTypes: [] })).toEqual([])
      expect(await bench.claim(node, { queues: ['never-seen'], jobTypes: ['never-seen'] })).toEqual([])
      expect(await bench.claim(node, { jobTypes: ['import', 'export'] })).toHaveLength(1)
      expect(await bench.claim(node, { queues: ['default', 'payments'] })).toHaveLength(1)
    })

    it('finds a job type and a queue that appear later', async () => {
      const node = await bench.node()
      const change = { queues: ['late-queue'], jobTypes: ['late-type'] }
      expect(await bench.claim(node, change)).toEqual([])
      await bench.enqueue({ queue: 'late-queue', jobType: 'late-type', tenant: 'late-tenant' })
      expect(await bench.claim(node, change)).toHaveLength(1)
    })

    it.each([
      ['that is not registered', () => Promise.resolve(ABSENT)],
      [
        'whose lease is over',
        async () => {
          const id = await bench.node()
          bench.advance(LEASE_MS + 1)
          return id
        },
      ],
      [
        'that was taken off the list',
        async () => {
          const id = await bench.node()
          await bench.store.nodes.remove(id)
          return id
        },
      ],
    ])('takes nothing for a node %s', async (_case, make) => {
      const id = await bench.enqueue()
      const nodeId = await make()
      const request = { nodeId, limit: 9, queues: ['default'], jobTypes: ['import'], aged: 1 }
      expect(await bench.store.leases.claim(request)).toEqual({
        now: bench.now,
        isNodeAlive: false,
        executions: [],
        isLimited: false,
        starts: [],
        again: null,
      })
      expect(await bench.find(id)).toMatchObject({ status: 'QUEUED', attempt: 0, epoch: 0 })
    })

    it('takes for a node whose lease lasts a millisecond more', async () => {
      await bench.enqueue()
      const node = await bench.node()
      bench.advance(LEASE_MS - 1)
      expect(await bench.claim(node)).toHaveLength(1)
    })

    it('several at once never take the same', async () => {
      await bench.store.executions.enqueue(Array.from({ length: 60 }, () => bench.execution()))
      const node = await bench.node()
      const claims = await Promise.all(Array.from({ length: 12 }, () => bench.claim(node, { limit: 7, aged: 1 })))
      const taken = claims.flat().map(({ executionId }) => executionId)
      expect(new Set(taken).size).toBe(taken.length)
      expect(await bench.store.leases.held(node)).toHaveLength(taken.length)
    })
  })

  describe('promote', () => {
    it('makes ready what is due, at its very millisecond and not one before', async () => {
      const id = await bench.enqueue({ runAt: bench.now + 500 })
      const node = await bench.node()
      bench.advance(499)
      expect(await bench.store.leases.promote(9)).toBe(0)
      expect(await bench.claim(node)).toEqual([])
      expect(await bench.find(id)).toMatchObject({ status: 'QUEUED', dueAt: bench.now + 1 })
      bench.advance(1)
      expect(await bench.store.leases.promote(9)).toBe(1)
      expect(await bench.store.leases.promote(9)).toBe(0)
      expect(await bench.find(id)).toMatchObject({ status: 'QUEUED', dueAt: null, attempt: 0 })
      expect((await bench.claimOne(node)).executionId).toBe(id)
    })

    it('makes ready at most so many', async () => {
      for (const delay of [3, 1, 2]) await bench.enqueue({ runAt: bench.now + delay })
      bench.advance(10)
      expect(await bench.store.leases.promote(0)).toBe(0)
      expect(await bench.store.leases.promote(2)).toBe(2)
      expect((await bench.store.pulse()).nextDueAt).not.toBeNull()
      expect(await bench.store.leases.promote(2)).toBe(1)
    })

    it('what it makes ready is taken by its priority and age', async () => {
      const delayed = await bench.enqueue({ runAt: bench.now + 5, priority: 'HIGH' })
      const ready = await bench.enqueue()
      bench.advance(5)
      await bench.store.leases.promote(9)
      const node = await bench.node()
      expect((await bench.claimOne(node)).executionId).toBe(delayed)
      expect((await bench.claimOne(node)).executionId).toBe(ready)
    })
  })

  it('held tells what a node holds, and nothing of others', async () => {
    await enqueueAll(['LOW', 'LOW', 'LOW', 'LOW', 'LOW'])
    const [node, other] = [await bench.node(), await bench.node()]
    const claimed = await bench.claim(node, { limit: 4 })
    await bench.claim(other)
    const [a, b, c, d] = claimed
    await bench.store.leases.finish([success(a!)])
    await bench.store.leases.release([b!])
    await bench.store.leases.retry([{ ...c!, status: 'FAILED', error: failure, delayMs: HOUR }])
    expect(await bench.store.leases.held(node)).toEqual([{ executionId: d!.executionId, epoch: 1, hasNews: false }])
    expect(await bench.store.leases.held(other)).toHaveLength(1)
    expect(await bench.store.leases.held(ABSENT)).toEqual([])
  })
}
