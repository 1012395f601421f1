import { describe, expect, it } from 'vitest'
import { type Bench, failure, LEASE_MS, success } from './bench.ts'

export function describeRecovery(bench: Bench): void {
  const recover = (silentForMs: number | null = null, limit = 99) => bench.store.leases.recover({ silentForMs, limit })

  it('leaves alone what a living node holds', async () => {
    const held = await bench.running()
    bench.advance(LEASE_MS - 1)
    expect(await recover()).toEqual([])
    expect((await bench.find(held.executionId)).status).toBe('RUNNING')
    expect(await bench.store.leases.finish([success(held)])).toEqual([held.executionId])
  })

  it('takes back what a node holds whose lease is over: the attempt is lost, and counts', async () => {
    const job = bench.job()
    await bench.put(job)
    const held = await bench.running({ jobId: job.id })
    const startedAt = bench.now
    bench.advance(LEASE_MS + 1)
    expect(await recover()).toEqual([
      {
        executionId: held.executionId,
        epoch: 1,
        tenant: 'acme',
        jobId: job.id,
        jobType: 'import',
        nodeId: held.nodeId,
        attempt: 1,
        hasEnded: false,
        isUnspent: false,
      },
    ])
    expect(await recover()).toEqual([])
    const found = await bench.find(held.executionId)
    expect(found).toMatchObject({ status: 'QUEUED', attempt: 1, dueAt: null, startedAt, finishedAt: null })
    expect(found.attempts).toMatchObject([
      { attempt: 1, status: 'LOST', nodeId: held.nodeId, startedAt, endedAt: bench.now },
    ])
    expect(await bench.claimOne(await bench.node())).toMatchObject({
      executionId: held.executionId,
      attempt: 2,
      epoch: 2,
    })
    expect((await bench.findJob(job.id)).status).toBe('ACTIVE')
  })

  it('what loses its last attempt ends as FAILED and faults its job', async () => {
    const job = bench.job()
    await bench.put(job)
    const held = await bench.running({ jobId: job.id, maxAttempts: 1 })
    bench.advance(LEASE_MS + 1)
    expect(await recover()).toMatchObject([{ executionId: held.executionId, attempt: 1, hasEnded: true }])
    const found = await bench.find(held.executionId)
    expect(found).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      finishedAt: bench.now,
      nodeId: held.nodeId,
      output: null,
    })
    expect(found.error?.message).toBeTruthy()
    expect(found.attempts).toHaveLength(1)
    expect(await bench.findJob(job.id)).toMatchObject({ status: 'FAULTED', resumeStatus: 'ACTIVE', version: 2 })
    expect(await bench.claim(await bench.node())).toEqual([])
  })

  it('an execution that kills its node every time uses up exactly its attempts', async () => {
    const id = await bench.enqueue({ maxAttempts: 3 })
    const attempts: number[] = []
    for (let round = 0; round < 5; round++) {
      const node = await bench.node()
      for (const { attempt } of await bench.claim(node)) attempts.push(attempt)
      bench.advance(LEASE_MS + 1)
      await recover()
    }
    expect(attempts).toEqual([1, 2, 3])
    const found = await bench.find(id)
    expect(found).toMatchObject({ status: 'FAILED', attempt: 3, epoch: 3 })
    expect(found.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(found.attempts.slice(0, 2).map(({ status }) => status)).toEqual(['LOST', 'LOST'])
  })

  it.each(['PAUSED', 'DISABLED', 'DELETED'] as const)('does not fault a job that is %s', async (status) => {
    const job = bench.job({ status })
    await bench.put(job)
    await bench.running({ jobId: job.id, maxAttempts: 1 })
    bench.advance(LEASE_MS + 1)
    expect(await recover()).toHaveLength(1)
    expect(await bench.findJob(job.id)).toEqual(job)
  })

  it('faults a job that continues after a failure', async () => {
    const job = bench.job({ onFault: 'continue' })
    await bench.put(job)
    await bench.running({ jobId: job.id, maxAttempts: 1 })
    bench.advance(LEASE_MS + 1)
    expect(await recover()).toMatchObject([{ hasEnded: true }])
    expect(await bench.findJob(job.id)).toMatchObject({ status: 'FAULTED', resumeStatus: 'ACTIVE' })
  })

  it('faults a job once that loses several', async () => {
    const job = bench.job()
    await bench.put(job)
    await bench.store.executions.enqueue([1, 2, 3].map(() => bench.execution({ jobId: job.id, maxAttempts: 1 })))
    await bench.claim(await bench.node())
    bench.advance(LEASE_MS + 1)
    expect(await recover()).toHaveLength(3)
    expect(await bench.findJob(job.id)).toMatchObject({ status: 'FAULTED', resumeStatus: 'ACTIVE', version: 2 })
  })

  it('takes back what a node held that was taken off the list', async () => {
    const held = await bench.running()
    await bench.store.nodes.remove(held.nodeId)
    expect(await recover()).toMatchObject([{ executionId: held.executionId, nodeId: held.nodeId }])
  })

  describe('of what a node held that has left', () => {
    const LEAVING_MS = 2_000

    it('comes when its short lease is over, and does not spend the attempt', async () => {
      const job = bench.job()
      await bench.put(job)
      const held = await bench.running({ jobId: job.id, maxAttempts: 1 })
      await bench.store.nodes.leave(held.nodeId, LEAVING_MS)
      bench.advance(LEAVING_MS - 1)
      expect(await recover()).toEqual([])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'RUNNING', attempt: 1 })
      bench.advance(2)
      expect(await recover()).toMatchObject([{ executionId: held.executionId, hasEnded: false, isUnspent: true }])
      const found = await bench.find(held.executionId)
      expect(found).toMatchObject({ status: 'QUEUED', attempt: 0, epoch: 1, attempts: [] })
      expect((await bench.findJob(job.id)).status).toBe('ACTIVE')
      expect(await bench.store.nodes.list()).toEqual([])
      const again = await bench.claimOne(await bench.node())
      expect(again).toMatchObject({ executionId: held.executionId, attempt: 1, epoch: 2 })
      expect(await bench.store.leases.finish([success(held)])).toEqual([])
      bench.advance(LEASE_MS + 1)
      expect(await recover()).toMatchObject([{ attempt: 1, hasEnded: true, isUnspent: false }])
    })

    it('is the same in several steps', async () => {
      await bench.store.executions.enqueue([1, 2, 3].map(() => bench.execution({ maxAttempts: 1 })))
      const node = await bench.node()
      await bench.claim(node)
      await bench.store.nodes.leave(node, LEAVING_MS)
      bench.advance(LEAVING_MS + 1)
      for (let step = 0; step < 3; step++) expect(await recover(null, 1)).toMatchObject([{ isUnspent: true }])
      expect(await recover()).toEqual([])
    })

    it('does not count a durable execution as lost', async () => {
      const held = await bench.running({ options: { durable: true } })
      await bench.store.nodes.leave(held.nodeId, LEAVING_MS)
      bench.advance(LEAVING_MS + 1)
      expect(await recover()).toMatchObject([{ isUnspent: true, hasEnded: false }])
      const again = await bench.claimOne(await bench.node())
      expect(again).toMatchObject({ attempt: 1, epoch: 2 })
      expect(await bench.store.histories.load([again])).toMatchObject([{ lostSinceProgress: 0 }])
    })

    it('leaves alone what others hold', async () => {
      const left = await bench.running()
      const stays = await bench.running()
      await bench.store.nodes.leave(left.nodeId, LEAVING_MS)
      bench.advance(LEAVING_MS + 1)
      expect(await recover()).toMatchObject([{ executionId: left.executionId }])
      expect(await bench.find(stays.executionId)).toMatchObject({ status: 'RUNNING' })
      bench.advance(LEASE_MS)
      expect(await recover()).toMatchObject([{ executionId: stays.executionId, isUnspent: false }])
    })

    it('is none where it has recorded a result meanwhile', async () => {
      const held = await bench.running()
      await bench.store.nodes.leave(held.nodeId, LEAVING_MS)
      expect(await bench.store.leases.finish([success(held)])).toEqual([held.executionId])
      bench.advance(LEAVING_MS + 1)
      expect(await recover()).toEqual([])
    })
  })

  it('takes nodes off the list whose lease is over, and leaves the others on it', async () => {
    const [lost, alive] = [await bench.node(), await bench.node({ leaseMs: 2 * LEASE_MS })]
    await bench.enqueue()
    await bench.claimOne(lost)
    bench.advance(LEASE_MS + 1)
    expect(await recover()).toHaveLength(1)
    expect((await bench.store.nodes.list()).map(({ id }) => id)).toEqual([alive])
  })

  it('a node whose work was taken only in part cannot come back for the rest', async () => {
    await bench.store.executions.enqueue([1, 2].map(() => bench.execution()))
    const node = await bench.node()
    await bench.claim(node)
    bench.advance(LEASE_MS + 1)
    expect(await recover(null, 1)).toHaveLength(1)
    expect(await bench.store.nodes.renew(node, LEASE_MS)).toBe(false)
    expect(await bench.store.nodes.countStale()).toMatchObject({ stale: 1 })
    expect(await recover(null, 1)).toHaveLength(1)
  })

  it('takes at most so many', async () => {
    await bench.store.executions.enqueue([1, 2, 3].map(() => bench.execution()))
    await bench.claim(await bench.node())
    bench.advance(LEASE_MS + 1)
    expect(await recover(null, 0)).toEqual([])
    expect(await recover(null, 2)).toHaveLength(2)
    expect(await recover(null, 2)).toHaveLength(1)
  })

  it('waits for those that must have been silent for longer than their lease', async () => {
    await bench.running()
    bench.advance(LEASE_MS + 1)
    expect(await recover(2 * LEASE_MS)).toEqual([])
    bench.advance(LEASE_MS)
    expect(await recover(2 * LEASE_MS)).toHaveLength(1)
  })

  it('a silence shorter than the lease takes nothing before the lease is over', async () => {
    await bench.running()
    bench.advance(LEASE_MS - 1)
    expect(await recover(1)).toEqual([])
    bench.advance(2)
    expect(await recover(1)).toHaveLength(1)
  })

  it('silence is counted from the last renewal', async () => {
    const { nodeId } = await bench.running()
    bench.advance(LEASE_MS - 1)
    await bench.store.nodes.renew(nodeId, LEASE_MS)
    bench.advance(LEASE_MS + 1)
    expect(await recover(LEASE_MS + 2)).toEqual([])
    bench.advance(2)
    expect(await recover(LEASE_MS + 2)).toHaveLength(1)
  })

  it('does nothing once it is later than who asked has thought', async () => {
    const { nodeId } = await bench.running()
    bench.advance(LEASE_MS + 1)
    const request = { silentForMs: null, limit: 9, notAfter: bench.now - 1 }
    expect(await bench.store.leases.recover(request)).toEqual([])
    expect(await bench.store.nodes.renew(nodeId, LEASE_MS)).toBe(true)
    bench.advance(LEASE_MS + 1)
    expect(await bench.store.leases.recover({ ...request, notAfter: bench.now })).toHaveLength(1)
  })

  it('ends one that the node finishes at the same time either this way or that', async () => {
    for (let round = 0; round < 20; round++) {
      const held = await bench.running({ maxAttempts: 1 })
      bench.advance(LEASE_MS + 1)
      const [accepted, recovered] = await Promise.all([bench.store.leases.finish([success(held)]), recover()])
      expect(accepted.length + recovered.length).toBe(1)
      expect((await bench.find(held.executionId)).status).toBe(accepted.length > 0 ? 'SUCCESS' : 'FAILED')
    }
  })

  describe('the lost attempt', () => {
    it('is refused whatever it still reports, even when nobody has taken the execution anew', async () => {
      const held = await bench.running()
      bench.advance(LEASE_MS + 1)
      await recover()
      expect(await bench.store.leases.finish([success(held)])).toEqual([])
      expect(await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 0 }])).toEqual([])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'QUEUED', attempt: 1 })
    })
  })
}
