import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/job.ts'
import type { ClaimedExecution } from '../../../src/store/leases.ts'
import { type Bench, failure, HOUR, LEASE_MS, success } from './bench.ts'
import { heldOf, MISMATCH } from './durable-entries.ts'

/** How many executions of one job may run at once. */
export function describeJobLimits(bench: Bench): void {
  /** Executions of a job, as it is defined. */
  async function enqueue(job: Job, count: number, change: Parameters<Bench['execution']>[0] = {}) {
    const { concurrency, queue, jobType } = job.definition
    const options = concurrency === null ? null : { concurrency }
    const executions = Array.from({ length: count }, () =>
      bench.execution({ jobId: job.id, tenant: job.tenant, queue, jobType, options, ...change }),
    )
    await bench.store.executions.enqueue(executions)
    bench.advance(1)
    return executions.map(({ body }) => body.id)
  }

  async function stored(concurrency: number | null): Promise<Job> {
    const job = bench.job({ concurrency })
    await bench.put(job)
    return job
  }

  async function edit(job: Job, change: Partial<Job['definition']>): Promise<Job> {
    const edited = { ...job, version: job.version + 1, definition: { ...job.definition, ...change } }
    expect(await bench.store.jobs.put([{ job: edited, expectedVersion: job.version, ledger: [] }])).toEqual(['stored'])
    return edited
  }

  const idsOf = (claimed: readonly ClaimedExecution[]) => claimed.map(({ executionId }) => executionId)

  describe('no more of a job run than may', () => {
    it.each([1, 2, 7])('%i at once, the oldest first, however often is claimed', async (most) => {
      const job = await stored(most)
      const ids = await enqueue(job, 10)
      const node = await bench.node()
      const order: string[] = []
      for (let done = 0; done < 10; ) {
        const claimed = await bench.claim(node, { limit: 20 })
        expect(claimed.length).toBe(Math.min(most, 10 - done))
        expect(await bench.claim(node, { limit: 20 })).toEqual([])
        order.push(...idsOf(claimed))
        done += claimed.length
        await bench.store.leases.finish(claimed.map((each) => success(each)))
      }
      expect(order).toEqual(ids)
    })

    it('and others of its tenant, queue and job type are not held back', async () => {
      const job = await stored(1)
      const another = await stored(2)
      await enqueue(job, 5)
      await enqueue(another, 5)
      const free = await enqueue(await stored(null), 3)
      const plain = await bench.enqueue()
      const claimed = await bench.claim(await bench.node(), { limit: 20 })
      const count = (id: string | null) => claimed.filter(({ body }) => body.jobId === id).length
      expect([count(job.id), count(another.id), claimed.length]).toEqual([1, 2, 7])
      expect(idsOf(claimed)).toEqual(expect.arrayContaining([...free, plain]))
    })

    it('by priority, and by age where that is asked for', async () => {
      const job = await stored(2)
      const ids: string[] = []
      for (const priority of ['LOW', 'MEDIUM', 'HIGH', 'HIGH'] as const)
        ids.push(...(await enqueue(job, 1, { priority })))
      const node = await bench.node()
      const claimed = await bench.claim(node, { limit: 9, aged: 1 })
      expect(new Set(idsOf(claimed).map((id) => ids.indexOf(id)))).toEqual(new Set([0, 2]))
      await bench.store.leases.finish(claimed.map((each) => success(each)))
      expect(idsOf(await bench.claim(node, { limit: 9 })).map((id) => ids.indexOf(id))).toEqual([3, 1])
    })

    it.each<[string, number | null, number]>([
      ['more', 5, 3],
      ['fewer', 1, 0],
      ['any number', null, 8],
    ])('as it is defined now: %s may', async (_case, concurrency, expected) => {
      const job = await stored(2)
      await enqueue(job, 10)
      const node = await bench.node()
      expect(await bench.claim(node, { limit: 20 })).toHaveLength(2)
      await edit(job, { concurrency })
      expect(await bench.claim(node, { limit: 20 })).toHaveLength(expected)
    })

    it('what began before it had a limit counts', async () => {
      const job = await stored(null)
      await enqueue(job, 3)
      const node = await bench.node()
      const claimed = await bench.claim(node, { limit: 20 })
      expect(claimed).toHaveLength(3)
      const edited = await edit(job, { concurrency: 3 })
      await enqueue(edited, 5)
      expect(await bench.claim(node, { limit: 20 })).toEqual([])
      await bench.store.leases.finish([success(claimed[0]!)])
      expect(await bench.claim(node, { limit: 20 })).toHaveLength(1)
    })

    it('also where it moved to another queue meanwhile: all of it counts together', async () => {
      const job = await stored(3)
      const before = await enqueue(job, 2)
      const after = await enqueue(await edit(job, { queue: 'q1' }), 4)
      const node = await bench.node()
      const taken: string[] = []
      const request = { nodeId: node, limit: 20, queues: ['default', 'q1'], jobTypes: ['import'], aged: 0 }
      // As often as it says that there is more.
      for (let tries = 0; tries < 3; tries++) {
        const { executions, again } = await bench.store.leases.claim(request)
        taken.push(...idsOf(executions))
        if (again === null) break
      }
      expect(taken.sort()).toEqual([...before, after[0]!].sort())
    })

    it('what is left of a job that is gone runs without a limit', async () => {
      const job = await stored(1)
      await enqueue(job, 1)
      const node = await bench.node()
      expect(await bench.claim(node)).toHaveLength(1)
      await bench.store.jobs.remove([job.id])
      await enqueue(job, 3)
      expect(await bench.claim(node)).toHaveLength(3)
    })

    it('nor of its tenant', async () => {
      const job = await stored(4)
      const another = await stored(4)
      await bench.store.tenants.limit([{ tenant: job.tenant, concurrency: 5 }])
      await enqueue(job, 9)
      await enqueue(another, 9)
      const node = await bench.node()
      const claimed = await bench.claim(node, { limit: 20 })
      expect(claimed.map(({ body }) => body.jobId)).toEqual([job.id, job.id, job.id, job.id, another.id])
      await bench.store.leases.finish([success(claimed[0]!)])
      expect((await bench.claim(node, { limit: 20 })).map(({ body }) => body.jobId)).toEqual([job.id])
    })

    it.each<[string, (held: ClaimedExecution) => Promise<unknown>]>([
      ['it ends', (held) => bench.store.leases.finish([success(held)])],
      [
        'it waits for its next try',
        (held) => bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: HOUR }]),
      ],
      ['it is cancelled', (held) => bench.store.executions.cancel([{ id: held.executionId, reason: null }])],
    ])('the next may run once %s', async (_case, end) => {
      const job = await stored(1)
      const ids = await enqueue(job, 3)
      const node = await bench.node()
      await end(await bench.claimOne(node))
      expect(idsOf(await bench.claim(node))).toEqual([ids[1]])
      expect(await bench.claim(node)).toEqual([])
    })

    it('one that is given back is the next', async () => {
      const ids = await enqueue(await stored(1), 3)
      const node = await bench.node()
      await bench.store.leases.release([await bench.claimOne(node)])
      expect(idsOf(await bench.claim(node))).toEqual([ids[0]])
    })

    it('one of a node that is gone counts until it is recovered', async () => {
      const ids = await enqueue(await stored(1), 3)
      await bench.claimOne(await bench.node())
      bench.advance(LEASE_MS + 1)
      const node = await bench.node()
      expect(await bench.claim(node)).toEqual([])
      await bench.store.leases.recover({ silentForMs: null, limit: 9 })
      expect(idsOf(await bench.claim(node))).toEqual([ids[0]])
    })
  })
  describe('a durable run that has begun has not ended', () => {
    const durable = (job: Job, count: number, change: Parameters<Bench['execution']>[0] = {}) =>
      enqueue(job, count, { options: { durable: true, concurrency: job.definition.concurrency ?? 1 }, ...change })
    const park = (held: readonly ClaimedExecution[]) =>
      bench.store.histories.park(held.map((each) => ({ ...heldOf(each), dueAt: null })))
    const wake = (held: readonly ClaimedExecution[]) => bench.store.histories.wake(idsOf(held))

    it.each([1, 2, 3])('of %i at most: while it waits no other takes its place', async (most) => {
      const ids = await durable(await stored(most), 9)
      const node = await bench.node()
      const held = await bench.claim(node, { limit: 20 })
      expect(idsOf(held)).toEqual(ids.slice(0, most))
      await park(held)
      expect(await bench.claim(node, { limit: 20 })).toEqual([])
      await bench.store.executions.cancel([{ id: held[0]!.executionId, reason: null, force: true }])
      expect(idsOf(await bench.claim(node, { limit: 20 }))).toEqual([ids[most]])
    })

    it('what comes for it lets it go on, before all others, wherever it stands in line', async () => {
      const job = await stored(1)
      const older = await durable(job, 12, { priority: 'LOW', delayMs: HOUR })
      await durable(job, 1, { priority: 'LOW' })
      const node = await bench.node()
      const held = await bench.claimOne(node)
      await park([held])
      bench.advance(2 * HOUR)
      await bench.store.leases.promote(99)
      const urgent = await durable(job, 30, { priority: 'HIGH' })
      const other = await bench.node()
      expect(await bench.claim(other, { limit: 20, aged: 1 })).toEqual([])
      await wake([held])
      const woken = await bench.claim(other, { limit: 20 })
      expect(woken).toMatchObject([{ executionId: held.executionId, attempt: 1, epoch: 2 }])
      expect(await bench.claim(other, { limit: 20 })).toEqual([])
      await bench.store.leases.finish([success(woken[0]!)])
      expect(idsOf(await bench.claim(other, { limit: 20, aged: 0 }))).toEqual([urgent[0]])
      expect(older).toHaveLength(12)
    })

    it.each<[string, (held: ClaimedExecution) => Promise<unknown>]>([
      ['handed back', (held) => bench.store.leases.release([heldOf(held)])],
      [
        'lost with its node',
        async () => {
          bench.advance(LEASE_MS + 1)
          await bench.store.leases.recover({ silentForMs: null, limit: 9 })
        },
      ],
      ['asked to end itself', (held) => park([held]).then(() => cancel(held))],
    ])('nor has one that was %s: it goes first', async (_case, letGo) => {
      const job = await stored(1)
      await durable(job, 1, { priority: 'LOW' })
      const held = await bench.claimOne(await bench.node())
      await durable(job, 3, { priority: 'HIGH' })
      await letGo(held)
      const node = await bench.node()
      expect(idsOf(await bench.claim(node, { limit: 20 }))).toEqual([held.executionId])
      expect(await bench.claim(node, { limit: 20 })).toEqual([])
    })
    const cancel = (held: ClaimedExecution) => bench.store.executions.cancel([{ id: held.executionId, reason: null }])

    it('more of them than may run by now go on in turns: none waits for one that waits', async () => {
      const job = await stored(3)
      await durable(job, 5)
      const node = await bench.node()
      const held = await bench.claim(node, { limit: 20 })
      expect(held).toHaveLength(3)
      await park(held)
      await edit(job, { concurrency: 1 })
      await wake(held.slice(1))
      const second = await bench.claim(node, { limit: 20 })
      expect(idsOf(second)).toEqual([held[1]!.executionId])
      expect(await bench.claim(node, { limit: 20 })).toEqual([])
      await park(second)
      const third = await bench.claim(node, { limit: 20 })
      expect(idsOf(third)).toEqual([held[2]!.executionId])
      await bench.store.leases.finish([success(third[0]!)])
      expect(await bench.claim(node, { limit: 20 })).toEqual([])
    })

    it('one that is DIVERGED holds nobody up, and goes first once it is resumed', async () => {
      const ids = await durable(await stored(1), 4)
      const node = await bench.node()
      const held = await bench.claimOne(node)
      await bench.store.histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      const next = await bench.claimOne(node)
      expect(next.executionId).toBe(ids[1])
      await bench.store.histories.resume({ ids: [held.executionId], limit: 1 })
      expect(await bench.claim(node, { limit: 20 })).toEqual([])
      await bench.store.leases.finish([success(next)])
      expect(idsOf(await bench.claim(node, { limit: 20 }))).toEqual([held.executionId])
    })

    it('also where its job moved to another queue meanwhile', async () => {
      const job = await stored(1)
      await durable(job, 1)
      const node = await bench.node()
      const held = await bench.claimOne(node)
      const [moved] = await durable(await edit(job, { queue: 'q1' }), 3)
      const claim = async (queues: readonly string[]) =>
        idsOf(
          (await bench.store.leases.claim({ nodeId: node, limit: 9, queues, jobTypes: ['import'], aged: 0 }))
            .executions,
        )
      await park([held])
      expect(await claim(['q1'])).toEqual([])
      await wake([held])
      expect(await claim(['q1'])).toEqual([])
      expect(await claim(['default', 'q1'])).toEqual([held.executionId])
      await bench.store.executions.cancel([{ id: held.executionId, reason: null, force: true }])
      expect(await claim(['q1'])).toEqual([moved])
    })

    it('without a limit it is claimed as any other', async () => {
      const job = await stored(null)
      await enqueue(job, 3, { options: { durable: true } })
      const node = await bench.node()
      const held = await bench.claim(node, { limit: 2 })
      await park(held)
      expect(await bench.claim(node, { limit: 20 })).toHaveLength(1)
      await wake(held)
      expect(await bench.claim(node, { limit: 20 })).toHaveLength(2)
    })
  })
}
