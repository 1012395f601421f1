import { describe, expect, it } from 'vitest'
import { Chance } from '../../harness/chance.ts'
import { median, type Reading, slopeOf } from './slope.ts'

/** Readings every ten seconds for a quarter of an hour: a line, noise, and now and then a burst. */
function readings(perHour: number, noise: number): Reading[] {
  const chance = new Chance(1, 'readings')
  return Array.from({ length: 90 }, (_, index) => {
    const hour = index / 360
    const burst = index % 10 === 3 ? 50 * noise : 0
    return { hour, value: 100 + perHour * hour + (chance.fraction() - 0.5) * 2 * noise + burst }
  })
}

describe('the slope of readings', () => {
  it.each([0, 1, 20, -5])('%d an hour lies between its bounds, whatever bursts there are', (perHour) => {
    const { low, perHour: found, high } = slopeOf(readings(perHour, 0.2))
    expect(low).toBeLessThanOrEqual(perHour)
    expect(high).toBeGreaterThanOrEqual(perHour)
    expect(Math.abs(found - perHour)).toBeLessThan(0.5)
  })

  it('is nothing certain for one reading', () => {
    expect(slopeOf([{ hour: 0, value: 1 }])).toEqual({ low: -Infinity, perHour: Number.NaN, high: Infinity })
  })

  it('has bounds that are apart where readings are few', () => {
    const few = slopeOf(readings(1, 0.2).filter((_, index) => index % 15 === 0))
    const many = slopeOf(readings(1, 0.2))
    expect(few.high - few.low).toBeGreaterThan(many.high - many.low)
  })

  it('the median is the middle, or between the two in the middle', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5])
  })
})
