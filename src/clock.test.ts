import { describe, expect, it, vi } from 'vitest'
import { eventLoopTurn, systemClock, systemEnv } from './clock.ts'
import { instantOfUuid } from './uuid.ts'

describe('the system clock', () => {
  it('is the machine’s', () => {
    const before = Date.now()
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
    expect(systemEnv.now()).toBeLessThanOrEqual(Date.now())
  })

  it('measures with a clock that only grows', () => {
    const readings = Array.from({ length: 100 }, () => systemEnv.monotonic())
    expect(readings.toSorted((a, b) => a - b)).toEqual(readings)
  })
})

describe('a timer', () => {
  it('goes off once', async () => {
    let calls = 0
    await new Promise<void>((resolve) => {
      systemEnv.after(1, () => {
        calls += 1
        resolve()
      })
    })
    await eventLoopTurn()
    expect(calls).toBe(1)
  })

  it('that is called off does not, and may be called off again', async () => {
    let calls = 0
    const cancel = systemEnv.after(0, () => {
      calls += 1
    })
    cancel()
    cancel()
    await new Promise<void>((resolve) => systemEnv.after(2, resolve))
    expect(calls).toBe(0)
  })

  it('that repeats goes off until it is called off', async () => {
    let calls = 0
    await new Promise<void>((resolve) => {
      const cancel = systemEnv.every(1, () => {
        calls += 1
        if (calls < 3) return
        cancel()
        resolve()
      })
    })
    await new Promise<void>((resolve) => systemEnv.after(3, resolve))
    expect(calls).toBe(3)
  })

  it.each([
    ['24 days', 24],
    ['25 days', 25],
    ['100 days', 100],
    ['10 years', 3_650],
  ])('of %s goes off then and not before', (_what, days) => {
    vi.useFakeTimers()
    try {
      let calls = 0
      systemEnv.after(days * 86_400_000, () => {
        calls += 1
      })
      vi.advanceTimersByTime(days * 86_400_000 - 1)
      expect(calls).toBe(0)
      vi.advanceTimersByTime(1)
      expect(calls).toBe(1)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([0, 30, 60])('of 100 days can be called off after %i days', (days) => {
    vi.useFakeTimers()
    try {
      const cancel = systemEnv.after(100 * 86_400_000, () => expect.fail('It was called off.'))
      vi.advanceTimersByTime(days * 86_400_000)
      cancel()
      expect(vi.getTimerCount()).toBe(0)
      vi.advanceTimersByTime(200 * 86_400_000)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('chance', () => {
  it('is from 0 up to, but not including, 1', () => {
    const draws = Array.from({ length: 1_000 }, () => systemEnv.random())
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true)
    expect(new Set(draws).size).toBeGreaterThan(990)
  })

  it('makes ids that are unique, grow, and tell their instant', () => {
    const now = systemEnv.now()
    const ids = Array.from({ length: 10_000 }, () => systemEnv.uuid(now))
    expect(new Set(ids).size).toBe(10_000)
    expect(ids.toSorted()).toEqual(ids)
    expect(instantOfUuid(ids[0] ?? '')).toBe(now)
  })
})
