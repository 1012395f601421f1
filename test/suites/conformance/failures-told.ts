import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/job.ts'
import { Bench, failure, LEASE_MS, type OpenSource, START_AT, success } from './bench.ts'
import { ManualEnv } from './manual-env.ts'

/** What every store keeps, of what fails for good, for people to be told, once its audit log is on. */
export function describeFailuresTold(name: string, openSource: OpenSource): void {
  describe(`${name}, telling of failures`, () => {
    // Ids of its own: what people are told of outlives what they are told.
    const bench = new Bench(openSource, new ManualEnv(START_AT, 3))
    let job: Job
    beforeAll(async () => {
      await bench.open()
      await bench.store.audit.enable()
    })
    beforeEach(async () => {
      await bench.begin()
      job = bench.job({ tenant: `tenant ${bench.uuid()}` })
      await bench.put(job)
    })
    afterAll(() => bench.close())

    const events = () => bench.store.notifications.list({ tenant: job.tenant, limit: 99 })
    const running = (maxAttempts = 3) => bench.running({ tenant: job.tenant, jobId: job.id, maxAttempts })
    const failed = (status: 'FAILED' | 'TIMEOUT') => ({ status, error: failure, faultsJobId: job.id }) as const

    it.each(['FAILED', 'TIMEOUT'] as const)('%s is told, in the transaction of the end', async (status) => {
      const held = await running()
      bench.advance(7)
      await bench.store.leases.finish([success(held, failed(status))])
      expect(await events()).toEqual([
        {
          id: held.executionId,
          tenant: job.tenant,
          kind: 'job.failed',
          at: bench.now,
          facts: { jobId: job.id, executionId: held.executionId },
          isPlanned: false,
          suppression: null,
          toldAt: null,
          deliveries: [],
        },
      ])
    })

    it('an end that is recorded again is told once', async () => {
      const held = await running()
      for (let n = 0; n < 2; n += 1) await bench.store.leases.finish([success(held, failed('FAILED'))])
      expect(await events()).toHaveLength(1)
    })

    it('success, a retry and a cancellation are not told', async () => {
      await bench.store.leases.finish([success(await running())])
      const retried = await running()
      await bench.store.leases.retry([{ ...retried, status: 'FAILED', error: failure, delayMs: 1 }])
      const queued = await bench.enqueue({ tenant: job.tenant, jobId: job.id })
      await bench.store.executions.cancel([{ id: queued, reason: null }])
      expect(await events()).toEqual([])
    })

    it('a failure without a job is notified if a person or a key requested the execution', async () => {
      const held = await bench.running({ tenant: job.tenant, options: { requestedBy: 'ann' } })
      const ofJob = await running()
      await bench.store.leases.finish([
        success(held, { status: 'FAILED', error: failure }),
        success(ofJob, failed('FAILED')),
      ])
      expect((await events()).map(({ facts }) => facts)).toEqual(
        expect.arrayContaining([
          { jobId: null, executionId: held.executionId },
          { jobId: job.id, executionId: ofJob.executionId },
        ]),
      )
    })

    it('what has no job is not told', async () => {
      const held = await bench.running({ tenant: job.tenant })
      await bench.store.leases.finish([success(held, { status: 'FAILED', error: failure })])
      expect(await events()).toEqual([])
    })

    it('an execution whose last node died is told; one that is tried again is not', async () => {
      const last = await running(1)
      await running(2)
      bench.advance(LEASE_MS + 1)
      await bench.store.leases.recover({ silentForMs: null, limit: 9 })
      expect(await events()).toMatchObject([{ id: last.executionId, kind: 'job.failed' }])
    })

    it('several that fail at once are told one by one', async () => {
      const held = [await running(), await running(), await running()]
      await bench.store.leases.finish(held.map((each) => success(each, failed('FAILED'))))
      expect((await events()).map(({ id }) => id).sort()).toEqual(held.map(({ executionId }) => executionId).sort())
    })
  })
}
