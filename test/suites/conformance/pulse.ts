import { describe, expect, it } from 'vitest'
import { type Bench, HOUR, MINUTE } from './bench.ts'

export function describePulse(bench: Bench): void {
  describe('pulse', () => {
    it('tells of nothing to do', async () => {
      expect(await bench.store.pulse()).toEqual({
        now: bench.now,
        nextFireAt: null,
        nextDueAt: null,
        hasReady: false,
        withoutRetries: { isAllBut: false, names: [] },
      })
    })

    it('tells when the next job that fires by itself is due', async () => {
      await bench.put(
        bench.job({ nextFireAt: bench.now + 3 * MINUTE, status: 'APPROVED' }),
        bench.job({ nextFireAt: bench.now + 5 * MINUTE }),
        bench.job({ nextFireAt: bench.now + MINUTE, status: 'PAUSED' }),
        bench.job({ nextFireAt: null }),
      )
      expect((await bench.store.pulse()).nextFireAt).toBe(bench.now + 3 * MINUTE)
    })

    it('tells of a job that is due since long', async () => {
      await bench.put(bench.job({ nextFireAt: bench.now - HOUR }))
      expect((await bench.store.pulse()).nextFireAt).toBe(bench.now - HOUR)
    })

    it('tells when the next delayed execution is due', async () => {
      const first = await bench.enqueue({ runAt: bench.now + 7 })
      await bench.enqueue({ runAt: bench.now + 9 })
      expect((await bench.store.pulse()).nextDueAt).toBe(bench.now + 7)
      await bench.store.executions.cancel([{ id: first, reason: null }])
      expect(await bench.store.pulse()).toMatchObject({ nextDueAt: bench.now + 9, hasReady: false })
      bench.advance(20)
      expect((await bench.store.pulse()).nextDueAt).toBe(bench.now - 11)
      await bench.store.leases.promote(9)
      expect(await bench.store.pulse()).toMatchObject({ nextDueAt: null, hasReady: true })
    })

    it('tells whether anything waits to be claimed, by whatever node', async () => {
      const node = await bench.node()
      await bench.enqueue()
      await bench.claimOne(node)
      expect((await bench.store.pulse()).hasReady).toBe(false)
      await bench.enqueue({ jobType: 'nobody-knows', queue: 'nobody-serves' })
      expect((await bench.store.pulse()).hasReady).toBe(true)
    })
  })

  it('maintain makes room for months to come, and may be called again and again', async () => {
    await bench.store.maintain()
    bench.advance(27 * 24 * HOUR)
    await bench.store.maintain()
    await bench.store.maintain()
    bench.advance(5 * 24 * HOUR)
    const id = await bench.enqueue()
    expect((await bench.find(id)).status).toBe('QUEUED')
    const held = await bench.claimOne(await bench.node())
    expect(held.executionId).toBe(id)
  })
}
