import { describe, expect, it } from 'vitest'
import { at, fires, refusal, wall } from '../../../test/harness/instants.ts'
import { cron } from './cron.ts'
import { type JitterOptions, withJitter } from './jittered.ts'
import { once } from './once.ts'

const hourly = cron('0 * * * *', { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-01T05:00:00Z' })

describe('jitter', () => {
  it('moves every fire time by the same amount', () => {
    const trigger = withJitter(hourly, { within: '30m', identity: 'closing' })
    const plain = [...hourly.between(at('2026-01-01'), at('2026-01-02'))]
    expect(fires(trigger, '2026-01-01', '2026-01-02')).toEqual(plain.map((time) => wall(time + trigger.offsetMs)))
    expect(trigger.endAt).toBe(at('2026-01-01T05:00') + trigger.offsetMs)
  })

  it('is the same for one identity and another for others', () => {
    const offsetOf = (identity: string) => withJitter(hourly, { within: '1h', identity }).offsetMs
    expect(offsetOf('closing')).toBe(offsetOf('closing'))
    expect(offsetOf('closing')).not.toBe(offsetOf('opening'))
  })

  it.each([
    ['1ms', 1, 1],
    [7, 7, 7],
    ['1m', 60_000, 900],
    ['1h', 3_600_000, 990],
  ])('of %s stays below it and spreads a thousand jobs', (within, limit, fewest) => {
    const offsets = Array.from(
      { length: 1_000 },
      (_, index) => withJitter(hourly, { within, identity: `job-${index}` }).offsetMs,
    )
    expect(Math.min(...offsets)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...offsets)).toBeLessThan(limit)
    expect(new Set(offsets).size).toBeGreaterThanOrEqual(fewest)
  })

  it('moves a one-time trigger too', () => {
    const trigger = withJitter(once(1_000), { within: 500, identity: 'a' })
    expect([...trigger.between(0, 10_000)]).toEqual([1_000 + trigger.offsetMs])
  })

  it.each([
    ['within', { within: 'soon', identity: 'a' }],
    ['within', { within: 0, identity: 'a' }],
    ['within', { within: -5, identity: 'a' }],
    ['within', { identity: 'a' }],
    ['identity', { within: '1m' }],
    ['identity', { within: '1m', identity: 5 }],
    ['identity', { within: '1m', identity: null }],
  ])('names an invalid %s: %j', (name, options) => {
    expect(refusal(() => withJitter(hourly, options as JitterOptions)).message).toMatch(new RegExp(`^${name} must be`))
  })
})
