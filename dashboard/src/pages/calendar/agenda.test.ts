import { describe, expect, it } from 'vitest'
import { countByDay, countByHour, fullLoad, loadLevel } from './agenda.ts'

describe('fires', () => {
  const buckets = [
    { at: '2026-03-08T04:45:00Z', count: 2 },
    { at: '2026-03-08T05:00:00Z', count: 3 },
    { at: '2026-03-08T06:00:00Z', count: 5 },
  ]

  it('are counted by the days of a zone', () => {
    expect([...countByDay(buckets, 'America/New_York')]).toEqual([
      ['2026-03-07', 2],
      ['2026-03-08', 8],
    ])
  })

  it('are counted by the hours of a zone, also where it is off by three quarters of one', () => {
    expect([...countByHour(buckets, 'Asia/Kathmandu')]).toEqual([
      ['2026-03-08 10', 5],
      ['2026-03-08 11', 5],
    ])
  })
})

describe('the load', () => {
  it.each([
    [0, 100, 0],
    [1, 1_000, 1],
    [200, 1_000, 1],
    [201, 1_000, 2],
    [1_000, 1_000, 5],
    [1_100, 1_000, 5],
  ])('of %d, where the fullest is %d, is shown as %d', (count, full, expected) => {
    expect(loadLevel(count, full)).toBe(expected)
  })

  it('is full at its peak, and only half full where it is even', () => {
    expect(fullLoad([5, 0, 5, 300, 5])).toBe(300)
    expect(fullLoad([20, 21, 20, 20])).toBe(40)
    expect(fullLoad([])).toBe(0)
  })
})
