import { describe, expect, it } from 'vitest'
import type { FailuresQuery, SeriesQuery } from '../../../src/store/series.ts'
import { type Bench, failure, HOUR, MINUTE, success } from './bench.ts'
import { type EndedRun, endedRun } from './ended-run.ts'

/** What is measured of executions by when they ended, what failed, what fires, and what waits longest. */
export function describeSeries(bench: Bench): void {
  const series = (query: Partial<SeriesQuery> = {}) =>
    bench.store.executions.series({
      tenant: 'acme',
      since: bench.now - 24 * HOUR,
      until: bench.now + 1,
      bucketMs: HOUR,
      limit: 1_000,
      ...query,
    })
  const failures = (query: Partial<FailuresQuery> = {}) =>
    bench.store.executions.failures({ tenant: 'acme', since: bench.now - 24 * HOUR, limit: 1_000, ...query })

  const ran = (run: EndedRun = {}) => endedRun(bench, run)

  /** Waits for the next whole hour. */
  function atNextHour(): number {
    bench.advance(HOUR - (bench.now % HOUR))
    return bench.now
  }

  describe('a series', () => {
    it('of nothing has no buckets', async () => {
      expect(await series()).toEqual([])
      await bench.enqueue()
      expect(await series()).toEqual([])
      expect(await series({ tenant: 'nobody' })).toEqual([])
    })

    it('has a bucket for each stretch in which something ended, from its first instant up to that of the next', async () => {
      const first = atNextHour()
      await ran()
      bench.advance(HOUR - 1)
      await ran({ status: 'FAILED' })
      bench.advance(1)
      await ran({ status: 'TIMEOUT' })
      bench.advance(2 * HOUR)
      await bench.store.executions.cancel([{ id: await bench.enqueue(), reason: null }])
      await ran({ body: { tenant: 'globex' } })
      const none = { succeeded: 0, failed: 0, timedOut: 0, cancelled: 0 }
      expect(await series()).toMatchObject([
        { ...none, at: first, succeeded: 1, failed: 1 },
        { ...none, at: first + HOUR, timedOut: 1 },
        { ...none, at: first + 3 * HOUR, cancelled: 1, meanDurationMs: null, p95DurationMs: null, meanQueueMs: null },
      ])
      expect(await series({ since: first + 1, until: first + HOUR })).toMatchObject([{ ...none, at: first, failed: 1 }])
      expect(await series({ until: first })).toEqual([])
      expect(await series({ limit: 1 })).toMatchObject([{ ...none, cancelled: 1 }])
      expect(await series({ limit: 0 })).toEqual([])
    })

    it('tells of what began before the stretch and ended in it', async () => {
      const held = await bench.running()
      const first = atNextHour()
      bench.advance(MINUTE)
      await bench.store.leases.finish([success(held)])
      bench.advance(HOUR)
      expect(await series({ since: first, until: first + HOUR })).toMatchObject([{ at: first, succeeded: 1 }])
      expect(await series({ since: first + HOUR, until: first + 2 * HOUR })).toEqual([])
    })

    it('says of one bucket what is measured of all', async () => {
      const first = atNextHour()
      for (let n = 1; n <= 20; n += 1) {
        const status = n % 5 === 0 ? 'FAILED' : 'SUCCESS'
        await ran({ status, waitMs: n * 100, runMs: n * 10, body: { origin: 'schedule', scheduledAt: bench.now } })
      }
      await bench.enqueue({ origin: 'schedule', scheduledAt: bench.now })
      bench.advance(50)
      const { executionId, epoch } = await bench.claimOne(await bench.node())
      const error = { name: 'Error', message: 'Again.' }
      await bench.store.leases.retry([{ executionId, epoch, error, status: 'FAILED', delayMs: 0 }])
      await bench.store.leases.promote(9)
      await bench.store.leases.finish([success(await bench.claimOne(await bench.node()))])
      const [bucket] = await series({ since: first, until: first + HOUR })
      const { lateness, ...measures } = await bench.store.executions.measure({
        tenant: 'acme',
        since: first,
        limit: 1_000,
      })
      const { p95DurationMs } = await bench.store.executions.statistics({ tenant: 'acme', since: first, limit: 1_000 })
      expect(bucket?.meanDurationMs).toBeCloseTo(measures.meanDurationMs ?? 0, 6)
      expect(bucket?.meanQueueMs).toBeCloseTo(measures.meanQueueMs ?? 0, 6)
      expect(bucket).toMatchObject({
        at: first,
        succeeded: measures.succeeded,
        failed: measures.failed,
        timedOut: measures.timedOut,
        cancelled: measures.cancelled,
        p95DurationMs,
        started: lateness.count,
        onTime: lateness.onTime,
        p99LatenessMs: lateness.p99Ms,
      })
      expect(lateness).toMatchObject({ count: 21, onTime: 11 })
    })
  })

  describe('failures', () => {
    it('are what failed or timed out since, the latest first, with their errors', async () => {
      expect(await failures()).toEqual([])
      const job = bench.job()
      await bench.put(job)
      const long = await bench.running({ jobId: job.id })
      bench.advance(48 * HOUR)
      const older = await ran({ status: 'TIMEOUT', body: { jobId: job.id } })
      const olderAt = bench.now
      bench.advance(MINUTE)
      const newer = await ran({ status: 'FAILED' })
      const newerAt = bench.now
      await ran()
      await ran({ status: 'FAILED', body: { tenant: 'globex' } })
      await bench.store.executions.cancel([{ id: await bench.enqueue(), reason: null }])
      bench.advance(1)
      await bench.store.leases.finish([success(long, { status: 'FAILED', error: { name: 'Late', message: 'x' } })])
      const latest = {
        executionId: long.executionId,
        jobId: job.id,
        status: 'FAILED',
        at: bench.now,
        error: { name: 'Late', message: 'x' },
      }
      const second = { executionId: newer, jobId: null, status: 'FAILED', at: newerAt, error: failure }
      const third = { executionId: older, jobId: job.id, status: 'TIMEOUT', at: olderAt, error: failure }
      expect(await failures()).toEqual([latest, second, third])
      expect(await failures({ since: newerAt })).toEqual([latest, second])
      expect(await failures({ limit: 1 })).toEqual([second])
      expect(await failures({ limit: 0 })).toEqual([])
      expect(await failures({ tenant: 'nobody' })).toEqual([])
    })

    it('may be without an error', async () => {
      await ran({ status: 'FAILED', error: null })
      expect(await failures()).toMatchObject([{ error: null }])
    })
  })

  describe('schedules', () => {
    const schedules = (limit = 9, after?: string) => bench.store.jobs.schedules({ tenant: 'acme', limit, after })

    it('are those of jobs that fire, by name, and tell where their triggers stand', async () => {
      expect(await schedules()).toEqual([])
      const made = (['ACTIVE', 'APPROVED', 'PAUSED', 'DISABLED', 'DELETED', 'ACTIVE'] as const).map((status, n) =>
        bench.job({ name: `job-${n}`, status }),
      )
      await bench.put(...made.toReversed(), bench.job({ tenant: 'globex', name: 'job-0' }))
      const all = await schedules()
      expect(all.map(({ name }) => name)).toEqual(['job-0', 'job-1', 'job-5'])
      const [job] = made
      expect(all[0]).toEqual({
        id: job?.id,
        name: 'job-0',
        calendar: job?.definition.calendar,
        schedule: job?.schedule,
      })
      expect((await schedules(1)).map(({ name }) => name)).toEqual(['job-0'])
      expect((await schedules(9, 'job-0')).map(({ name }) => name)).toEqual(['job-1', 'job-5'])
      expect(await schedules(0)).toEqual([])
    })
  })

  describe('what waits longest', () => {
    const oldest = (tenant = 'acme') => bench.store.executions.oldestQueuedAt(tenant)

    it('is the oldest that may be claimed now, by tenant', async () => {
      expect(await oldest()).toBeNull()
      await bench.enqueue({ runAt: bench.now + HOUR })
      expect(await oldest()).toBeNull()
      await bench.enqueue({ tenant: 'globex' })
      bench.advance(MINUTE)
      const at = bench.now
      await bench.enqueue({ priority: 'LOW', queue: 'mail' })
      bench.advance(MINUTE)
      await bench.enqueue({ priority: 'HIGH' })
      expect(await oldest()).toBe(at)
      expect(await oldest('globex')).toBe(at - MINUTE)
      expect(await oldest('nobody')).toBeNull()
    })

    it('waits since it was due, where that is later than it was created', async () => {
      await bench.enqueue({ scheduledAt: bench.now + 400 })
      expect(await oldest()).toBe(bench.now + 400)
    })
  })
}
