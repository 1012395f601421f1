import { describe, expect, it } from 'vitest'
import type { FinalStatus } from '../../../src/job/execution/execution.ts'
import type { MeasureQuery } from '../../../src/store/executions.ts'
import { type Bench, HOUR, MINUTE, success } from './bench.ts'
import { heldOf, item, settled } from './durable-entries.ts'
import { type EndedRun, endedRun } from './ended-run.ts'

const NO_LATENESS = { count: 0, onTime: 0, p50Ms: null, p95Ms: null, p99Ms: null, maxMs: null }
const NONE = {
  succeeded: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
  retried: 0,
  consecutiveFailures: 0,
  meanDurationMs: null,
  meanQueueMs: null,
  busyMs: 0,
  lateness: NO_LATENESS,
}

/** What is measured of executions, and in which minutes somebody lived. */
export function describeMeasures(bench: Bench): void {
  const measure = (query: Partial<MeasureQuery> = {}) =>
    bench.store.executions.measure({ tenant: 'acme', since: bench.now - 24 * HOUR, limit: 1_000, ...query })

  const ran = (run: EndedRun = {}) => endedRun(bench, run)

  it('of nothing there are none', async () => {
    expect(await measure()).toEqual({ ...NONE, now: bench.now, measuredSince: bench.now - 24 * HOUR })
    expect(await measure({ tenant: 'nobody' })).toMatchObject(NONE)
    await bench.enqueue()
    expect(await measure()).toEqual({ ...NONE, now: bench.now, measuredSince: bench.now - 24 * HOUR })
  })

  it('counts ends by their kind, means of how long they ran and waited, and of those asked for alone', async () => {
    await ran({ waitMs: 10, runMs: 100 })
    await ran({ waitMs: 30, runMs: 300, status: 'FAILED' })
    await ran({ waitMs: 20, runMs: 200, status: 'TIMEOUT' })
    await ran({ body: { tenant: 'globex' }, waitMs: 20, runMs: 1_000 })
    await bench.store.executions.cancel([{ id: await bench.enqueue(), reason: null }])
    const own = { succeeded: 1, failed: 1, timedOut: 1, cancelled: 1, meanDurationMs: 200, meanQueueMs: 20 }
    expect(await measure()).toMatchObject({ ...own, busyMs: 600 })
    expect(await measure({ tenant: 'globex' })).toMatchObject({ succeeded: 1, failed: 0, busyMs: 1_000 })
    expect(await measure({ tenant: null })).toMatchObject({ ...own, succeeded: 2, meanDurationMs: 400, busyMs: 1_600 })
    expect(await measure({ limit: 0 })).toMatchObject(NONE)
    expect(await measure({ limit: 1 })).toMatchObject({ cancelled: 1, succeeded: 0 })
    expect(await measure({ since: bench.now + 1 })).toMatchObject({ succeeded: 0, busyMs: 0 })
  })

  describe('consecutive failures', () => {
    it.each<[string, readonly (FinalStatus | 'WAITED')[], number]>([
      ['of nothing are none', [], 0],
      ['are none after a success', ['FAILED', 'TIMEOUT', 'SUCCESS'], 0],
      ['count failures and timeouts since', ['FAILED', 'SUCCESS', 'FAILED', 'TIMEOUT'], 2],
      ['count all where nothing succeeded', ['FAILED', 'FAILED', 'FAILED'], 3],
      ['pass over what was cancelled', ['SUCCESS', 'FAILED', 'CANCELLED', 'FAILED'], 2],
    ])('%s', async (_what, statuses, expected) => {
      for (const status of statuses) {
        await ran({ status: status as FinalStatus })
        bench.advance(1)
      }
      expect((await measure()).consecutiveFailures).toBe(expected)
    })
  })

  describe('busy time', () => {
    it('is cut off at the instant, and goes on for what runs', async () => {
      await bench.enqueue()
      const held = await bench.claimOne(await bench.node())
      bench.advance(HOUR)
      expect((await measure()).busyMs).toBe(HOUR)
      expect((await measure({ since: bench.now - MINUTE })).busyMs).toBe(MINUTE)
      expect((await measure({ tenant: 'globex' })).busyMs).toBe(0)
      await bench.store.leases.finish([success(held)])
      bench.advance(MINUTE)
      expect((await measure()).busyMs).toBe(HOUR)
      expect((await measure({ since: bench.now - 2 * MINUTE })).busyMs).toBe(MINUTE)
      expect((await measure({ since: bench.now })).busyMs).toBe(0)
    })

    it('counts each attempt, and no pause between them', async () => {
      const held = await bench.running()
      bench.advance(HOUR)
      const { executionId, epoch } = held
      const error = { name: 'Error', message: 'Again.' }
      await bench.store.leases.retry([{ executionId, epoch, error, status: 'FAILED', delayMs: MINUTE }])
      bench.advance(2 * MINUTE)
      await bench.store.leases.promote(9)
      const again = await bench.claimOne(await bench.node())
      bench.advance(7)
      await bench.store.leases.finish([success(again)])
      expect(await measure()).toMatchObject({ busyMs: HOUR + 7, retried: 1, meanDurationMs: 7 })
      expect((await measure({ since: bench.now - 7 - 3 * MINUTE })).busyMs).toBe(MINUTE + 7)
    })
  })

  it('tells since when, where more have ended than are measured', async () => {
    await ran({ runMs: 100 })
    bench.advance(HOUR)
    const begunAt = bench.now
    await ran({ runMs: 100 })
    await ran({ runMs: 100 })
    const since = begunAt - 5 * HOUR
    expect(await measure({ since, limit: 2 })).toMatchObject({ succeeded: 2, measuredSince: begunAt, busyMs: 200 })
    expect(await measure({ since, limit: 4 })).toMatchObject({ succeeded: 3, measuredSince: since, busyMs: 300 })
  })

  describe('lateness', () => {
    /** An occurrence of a job that is due now and starts so much later. */
    async function fired(lateMs: number, tenant = 'acme'): Promise<void> {
      const scheduledAt = bench.now
      await ran({ waitMs: lateMs, body: { tenant, origin: 'schedule', scheduledAt } })
    }

    it('is that of occurrences, by tenant or of all', async () => {
      for (let n = 1; n <= 20; n += 1) await fired(n * 100)
      await fired(5_000, 'globex')
      await ran({ waitMs: 9_000 })
      await ran({ waitMs: 9_000, body: { origin: 'retry', scheduledAt: bench.now } })
      expect((await measure()).lateness).toEqual({
        count: 20,
        onTime: 10,
        p50Ms: 1_000,
        p95Ms: 1_900,
        p99Ms: 2_000,
        maxMs: 2_000,
      })
      expect((await measure({ tenant: null })).lateness).toMatchObject({ count: 21, maxMs: 5_000 })
    })

    it('is that of the first attempt', async () => {
      await bench.enqueue({ origin: 'schedule', scheduledAt: bench.now })
      bench.advance(50)
      const { executionId, epoch } = await bench.claimOne(await bench.node())
      bench.advance(HOUR)
      const error = { name: 'Error', message: 'Again.' }
      await bench.store.leases.retry([{ executionId, epoch, error, status: 'FAILED', delayMs: 0 }])
      await bench.store.leases.promote(9)
      await bench.store.leases.finish([success(await bench.claimOne(await bench.node()))])
      expect((await measure()).lateness).toMatchObject({ count: 1, maxMs: 50 })
    })

    it('of a durable execution is that of its first step, however long it waits after that', async () => {
      const { histories, leases } = bench.store
      await bench.enqueue({ origin: 'schedule', scheduledAt: bench.now, options: { durable: true } })
      bench.advance(50)
      const held = await bench.claimOne(await bench.node())
      await histories.record([item(held, settled(1, { startedAt: bench.now }))])
      await histories.park([{ ...heldOf(held), dueAt: bench.now + HOUR }])
      bench.advance(HOUR)
      await leases.promote(9)
      const again = await bench.claimOne(await bench.node())
      bench.advance(200)
      await leases.finish([success(again)])
      const measured = { lateness: { count: 1, maxMs: 50 }, meanQueueMs: 50, meanDurationMs: 200, busyMs: 200 }
      expect(await measure()).toMatchObject(measured)
      expect(await measure({ tenant: null })).toMatchObject(measured)
      const [bucket] = await bench.store.executions.series({
        tenant: 'acme',
        since: bench.now - HOUR,
        until: bench.now + HOUR,
        bucketMs: 2 * HOUR,
        limit: 9,
      })
      expect(bucket).toMatchObject({ meanQueueMs: 50, p99LatenessMs: 50 })
    })
  })

  describe('minutes', () => {
    const count = (since: number) => bench.store.minutes.count(since)

    it('that are over count once, however often they are marked', async () => {
      const begunAt = bench.now
      const before = await count(begunAt)
      await bench.store.minutes.mark()
      bench.advance(MINUTE / 2)
      await bench.store.minutes.mark()
      expect(await count(begunAt)).toMatchObject({ now: bench.now, marked: before.marked })
      bench.advance(MINUTE / 2)
      expect((await count(begunAt)).marked).toBe(before.marked + 1)
      bench.advance(MINUTE)
      await bench.store.minutes.mark()
      bench.advance(MINUTE)
      expect((await count(begunAt)).marked).toBe(before.marked + 2)
      expect((await count(begunAt + MINUTE)).marked).toBe(before.marked + 1)
      expect((await count(begunAt)).firstAt).toBeLessThanOrEqual(begunAt)
    })

    it('are forgotten after 100 days', async () => {
      const begunAt = bench.now
      await bench.store.minutes.mark(bench.uuid())
      bench.advance(101 * 24 * HOUR)
      await bench.store.minutes.mark()
      await bench.store.maintain()
      expect(await count(begunAt)).toMatchObject({ firstAt: bench.now, marked: 0 })
      expect(await bench.store.minutes.active(0)).toEqual([])
    })

    it('are marked with periods, each from its first mark to its last', async () => {
      const begunAt = bench.now
      const [first, second] = [bench.uuid(), bench.uuid()]
      await bench.store.minutes.mark(first)
      bench.advance(MINUTE / 4)
      await bench.store.minutes.mark(second)
      bench.advance(MINUTE / 4)
      await bench.store.minutes.mark(first)
      await bench.store.minutes.mark()
      expect(await bench.store.minutes.active(begunAt + MINUTE / 4)).toEqual([{ from: begunAt, to: bench.now }])
      expect(await bench.store.minutes.active(begunAt)).toEqual([
        { from: begunAt, to: bench.now },
        { from: begunAt + MINUTE / 4, to: begunAt + MINUTE / 4 },
      ])
      expect(await bench.store.forTenant('acme').minutes.active(bench.now)).toEqual([])
    })

    it('are readable for a tenant', async () => {
      const { minutes } = bench.store.forTenant('acme')
      await bench.store.minutes.mark()
      bench.advance(MINUTE)
      expect((await minutes.count(bench.now - MINUTE)).marked).toBe(1)
    })
  })
}
