import { describe, expect, it } from 'vitest'
import type { StatisticsQuery } from '../../../src/store/executions.ts'
import { type Bench, failure, HOUR, MINUTE, success } from './bench.ts'
import { type EndedRun, endedRun } from './ended-run.ts'

const NONE = {
  succeeded: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
  retried: 0,
  meanDurationMs: null,
  p50DurationMs: null,
  p95DurationMs: null,
  p99DurationMs: null,
  meanQueueMs: null,
  lastFailure: null,
  lastSuccessAt: null,
}

/** How executions have ended, and how many there are. */
export function describeStatistics(bench: Bench): void {
  const ask = (query: Partial<StatisticsQuery> = {}) =>
    bench.store.executions.statistics({ tenant: 'acme', since: bench.now - 24 * HOUR, limit: 1_000, ...query })

  const ran = (run: EndedRun = {}) => endedRun(bench, run)

  describe('statistics', () => {
    it('of nothing are none', async () => {
      expect(await ask()).toEqual(NONE)
      expect(await ask({ tenant: 'nobody' })).toEqual(NONE)
      await bench.enqueue()
      expect(await ask()).toEqual(NONE)
    })

    it('count ends by their kind, and tell of the last ones', async () => {
      for (const status of ['SUCCESS', 'FAILED', 'TIMEOUT', 'SUCCESS'] as const) {
        await ran({ status })
        bench.advance(MINUTE)
      }
      const lastSuccessAt = bench.now - MINUTE
      const failed = await ran({ status: 'FAILED' })
      const at = bench.now
      bench.advance(MINUTE)
      const cancelled = await bench.enqueue()
      await bench.store.executions.cancel([{ id: cancelled, reason: null }])
      expect(await ask()).toMatchObject({
        succeeded: 2,
        failed: 2,
        timedOut: 1,
        cancelled: 1,
        lastSuccessAt,
        lastFailure: { executionId: failed, at, error: failure },
      })
    })

    it('give mean and percentiles of how long it ran, and of how long it waited', async () => {
      for (let n = 1; n <= 20; n += 1) await ran({ waitMs: n * 10, runMs: n * 100 })
      expect(await ask()).toMatchObject({
        meanDurationMs: 1_050,
        p50DurationMs: 1_000,
        p95DurationMs: 1_900,
        p99DurationMs: 2_000,
        meanQueueMs: 105,
      })
    })

    it('wait from when an occurrence was due, where that is later than it was created', async () => {
      await ran({ waitMs: 1_000, body: { scheduledAt: bench.now + 400 } })
      await ran({ waitMs: 1_000, body: { scheduledAt: bench.now + 4_000 } })
      expect((await ask()).meanQueueMs).toBe(300)
    })

    it('count one that took several attempts as retried, and its last attempt alone', async () => {
      const held = await bench.running()
      const error = { name: 'Error', message: 'Again.' }
      const attempt = { executionId: held.executionId, epoch: held.epoch, error, status: 'FAILED' } as const
      bench.advance(HOUR)
      await bench.store.leases.retry([{ ...attempt, delayMs: 0 }])
      await bench.store.leases.promote(9)
      const again = await bench.claimOne(await bench.node())
      bench.advance(7)
      await bench.store.leases.finish([success(again)])
      expect(await ask()).toMatchObject({ succeeded: 1, retried: 1, meanDurationMs: 7 })
    })

    it('are of one tenant, and of one of its jobs', async () => {
      const [mine, other] = [bench.job(), bench.job()]
      await bench.put(mine, other)
      await ran({ body: { jobId: mine.id } })
      await ran({ body: { jobId: mine.id }, status: 'FAILED' })
      await ran({ body: { jobId: other.id } })
      await ran({ body: { tenant: 'globex' } })
      expect(await ask()).toMatchObject({ succeeded: 2, failed: 1 })
      expect(await ask({ jobId: mine.id })).toMatchObject({ succeeded: 1, failed: 1 })
      expect(await ask({ jobId: other.id })).toMatchObject({ succeeded: 1, failed: 0 })
      expect(await ask({ tenant: 'globex' })).toMatchObject({ succeeded: 1, failed: 0 })
      expect(await ask({ tenant: 'globex', jobId: mine.id })).toEqual(NONE)
    })

    it('are of what ended since, however long before that it was created', async () => {
      const job = bench.job()
      await bench.put(job)
      await ran({ body: { jobId: job.id } })
      bench.advance(1)
      const long = await bench.running({ jobId: job.id })
      bench.advance(48 * HOUR)
      const since = bench.now
      await bench.store.leases.finish([success(long)])
      await ran({ body: { jobId: job.id } })
      for (const jobId of [undefined, job.id]) {
        expect((await ask({ since, jobId })).succeeded).toBe(2)
        expect((await ask({ since: bench.now + 1, jobId })).succeeded).toBe(0)
        expect((await ask({ since: 0, jobId })).succeeded).toBe(3)
        expect((await ask({ since: -1, jobId })).succeeded).toBe(3)
      }
    })

    it('are of the newest where there are more than asked for', async () => {
      await ran({ status: 'FAILED' })
      await ran({ runMs: 5 })
      await ran({ runMs: 15 })
      expect(await ask({ limit: 2 })).toMatchObject({ succeeded: 2, failed: 0, meanDurationMs: 10 })
      expect(await ask({ limit: 0 })).toEqual(NONE)
    })
  })

  describe('count', () => {
    it('tells what is under way, of one tenant or of all', async () => {
      const idle = { QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 }
      const first = await bench.enqueue()
      await bench.enqueue({ runAt: bench.now + HOUR })
      await bench.store.executions.enqueue([bench.execution({ after: [{ id: first, on: 'success' }] })])
      await bench.enqueue({ tenant: 'globex', runAt: bench.now + HOUR })
      expect(await bench.store.executions.count('acme')).toEqual({ ...idle, QUEUED: 2, WAITING: 1 })
      await bench.claimOne(await bench.node())
      expect(await bench.store.executions.count('acme')).toEqual({ ...idle, QUEUED: 1, WAITING: 1, RUNNING: 1 })
      expect(await bench.store.executions.count('globex')).toEqual({ ...idle, QUEUED: 1 })
      expect(await bench.store.executions.count('nobody')).toEqual(idle)
      expect(await bench.store.executions.count()).toEqual({ ...idle, QUEUED: 2, WAITING: 1, RUNNING: 1 })
    })
  })

  describe('queues', () => {
    it('tells what of a tenant may be claimed now, by queue', async () => {
      expect(await bench.store.executions.queues('acme')).toEqual([])
      for (const queue of ['mail', 'default', 'mail']) await bench.enqueue({ queue })
      await bench.enqueue({ queue: 'mail', jobType: 'other' })
      await bench.enqueue({ queue: 'later', runAt: bench.now + HOUR })
      await bench.enqueue({ queue: 'mail', tenant: 'globex' })
      expect(await bench.store.executions.queues('acme')).toEqual([
        { queue: 'default', queued: 1 },
        { queue: 'mail', queued: 3 },
      ])
      expect(await bench.store.executions.queues('globex')).toEqual([{ queue: 'mail', queued: 1 }])
      expect(await bench.store.executions.queues('nobody')).toEqual([])
    })
  })

  describe('list since an instant', () => {
    it('gives what was created then and after, wherever it stands', async () => {
      const job = bench.job()
      await bench.put(job)
      const jobId = job.id
      await bench.enqueue({ jobId })
      bench.advance(MINUTE)
      const since = bench.now
      const ids = [await ran({ body: { jobId, priority: 'HIGH' } })]
      bench.advance(1)
      ids.unshift(await bench.enqueue({ jobId, runAt: bench.now + HOUR }))
      const list = async (at: number, change: object = {}) =>
        (await bench.store.executions.list({ limit: 9, since: at, ...change })).map(({ id }) => id)
      for (const scope of [{}, { jobId }, { tenant: 'acme' }]) {
        expect(await list(since, scope)).toEqual(ids)
        expect(await list(since + 1, scope)).toEqual(ids.slice(0, 1))
        expect(await list(bench.now + 1, scope)).toEqual([])
        expect(await list(0, scope)).toHaveLength(3)
        expect(await list(since, { ...scope, statuses: ['QUEUED'] })).toEqual(ids.slice(0, 1))
        expect(await list(since, { ...scope, statuses: ['SUCCESS'] })).toEqual(ids.slice(1))
      }
    })
  })
}
