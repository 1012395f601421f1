import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../duration.ts'
import { bucketsOf, seriesWindow } from './series-window.ts'

const NOON = Date.UTC(2026, 2, 29, 12)

describe('the window of a series', () => {
  it.each([
    [1, 1, 61],
    [2, 2, 61],
    [6, 5, 73],
    [24, 30, 49],
    [48, 60, 49],
    [168, 120, 85],
    [720, 480, 91],
    [2_160, 1_440, 91],
  ])('of %i hours has buckets of %i minutes, %i of them', (hours, minutes, count) => {
    const window = seriesWindow(NOON, hours)
    expect(window.bucketMs / 60_000).toBe(minutes)
    expect(bucketsOf(window)).toHaveLength(count)
  })

  it('has 24 to 96 buckets, begins no later than asked for, and its last one is under way', () => {
    for (let hours = 1; hours <= 2_160; hours += 1) {
      for (const now of [NOON, NOON + 1, NOON + 1_234_567]) {
        const window = seriesWindow(now, hours)
        const buckets = bucketsOf(window)
        expect(buckets.length).toBeGreaterThanOrEqual(24)
        expect(buckets.length).toBeLessThanOrEqual(96)
        expect(window.from).toBeLessThanOrEqual(now - hours * HOUR_MS)
        expect(buckets[1]).toBeGreaterThan(now - hours * HOUR_MS)
        expect(buckets.at(-1)).toBeLessThanOrEqual(now)
        expect(window.to).toBeGreaterThan(now)
        expect(86_400_000 % window.bucketMs).toBe(0)
        expect(window.from % window.bucketMs).toBe(0)
      }
    }
  })
})
