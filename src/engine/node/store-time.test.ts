import { describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test/suites/scenarios/recorded.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { StoreTime } from './store-time.ts'

function deps(startAt = 1_000_000) {
  const env = new ManualEnv({ startAt, seed: 1, isBusy: () => false })
  const log = new RecordedLog()
  const time = new StoreTime(env, log.logger)
  /** The store says what time it is, after a way of so long and with one as long before it. */
  const observe = async (now: number, wayMs = 0) => {
    const asked = time.observe(async () => {
      await env.moveTo(env.now() + 2 * wayMs)
      return { now, more: 'answer' }
    })
    return await asked
  }
  return { env, log, time, observe }
}

describe('the store’s time', () => {
  it('is this machine’s until the store has said something', () => {
    const { env, time } = deps()
    expect(time.now()).toBe(env.now())
    expect(time.offsetMs).toBe(0)
  })

  it.each([
    ['ahead', 1_090_000, 90_000],
    ['behind', 910_000, -90_000],
    ['the same', 1_000_000, 0],
  ])('is what the store says: %s', async (_how, storeNow, offset) => {
    const { time, observe, env } = deps()
    expect(await observe(storeNow)).toEqual({ now: storeNow, more: 'answer' })
    expect(time.offsetMs).toBe(offset)
    expect(time.now()).toBe(storeNow)
    await env.moveTo(env.now() + 5_000)
    expect(time.now()).toBe(storeNow + 5_000)
  })

  it('takes the middle of question and answer for the moment at which the store looked', async () => {
    const { time, observe } = deps()
    await observe(1_000_100, 100)
    expect(time.offsetMs).toBe(0)
  })

  it.each([
    ['at once', 0],
    ['after an hour', 3_600_000],
  ])('is not made worse by a slow answer %s', async (_when, laterMs) => {
    const { env, time, observe } = deps()
    await observe(1_000_000, 1)
    await env.moveTo(env.now() + laterMs)
    // The question took ten seconds to arrive, and the answer none.
    await observe(env.now() + 10_000, 5_000)
    expect(Math.abs(time.offsetMs)).toBeLessThanOrEqual(10 + laterMs / 2_000)
    expect(time.uncertaintyMs).toBeLessThanOrEqual(10 + laterMs / 2_000)
  })

  it.each([
    ['was quick', 1, 0],
    ['was slow', 300, 0],
    ['is of a while ago', 1, 60_000],
  ])('is at most what is taken for it and the margin, where the answer %s', async (_how, wayMs, laterMs) => {
    const { env, time, observe } = deps()
    await observe(1_000_000, wayMs)
    await env.moveTo(env.now() + laterMs)
    // It looked as soon as it was asked, and its clock is as fast as one may be.
    const latest = 1_000_000 + 2 * wayMs + laterMs * (1 + 500 / 1_000_000)
    expect(time.now() + time.marginMs).toBeGreaterThanOrEqual(latest)
    expect(time.marginMs).toBeLessThanOrEqual(wayMs + 2 + laterMs / 2_000)
  })

  it('has no margin until the store has said something', () => {
    expect(deps().time.marginMs).toBe(0)
  })

  it('is what the store says anew where its clock was set', async () => {
    const { env, time, observe } = deps()
    await observe(1_000_000)
    await observe(env.now() - 600_000)
    expect(time.offsetMs).toBe(-600_000)
  })

  it('is a whole number of milliseconds', async () => {
    const { time, observe } = deps()
    await observe(1_000_000.4)
    expect(Number.isInteger(time.now())).toBe(true)
  })

  it('stays as it was where the question fails', async () => {
    const { time, observe } = deps()
    await observe(1_050_000)
    await expect(time.observe(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(time.offsetMs).toBe(50_000)
  })

  it('warns once where the clocks differ by more than a second, and again after they agreed', async () => {
    const { log, observe } = deps()
    await observe(1_001_000)
    expect(log.lines).toEqual([])
    await observe(1_001_001)
    await observe(1_005_000)
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { offsetMs: 1_001 } }])
    await observe(1_000_000)
    await observe(995_000)
    expect(log.lines).toMatchObject([{}, { level: 'warn', fields: { offsetMs: -5_000 } }])
  })
})
