import { describe, expect, it } from 'vitest'
import { roundUp, throughputOf, ticksOf } from './throughput.ts'

const bucket = (hour: number, succeeded: number, failed = 0, timedOut = 0, cancelled = 0) => ({
  at: `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`,
  succeeded,
  failed,
  timedOut,
  cancelled,
})

it.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 3],
  [7, 8],
  [10, 10],
  [11, 15],
  [245, 300],
  [480, 500],
  [501, 600],
  [901, 1_000],
])('a scale for %i goes up to %i', (count, top) => {
  expect(roundUp(count)).toBe(top)
})

describe('a chart of what ended', () => {
  it('adds up, and knows the busiest stretch', () => {
    const { totals, top, busiest } = throughputOf([bucket(0, 3, 1), bucket(1, 7, 0, 1, 2), bucket(2, 0)])
    expect(totals).toEqual({ succeeded: 10, failed: 1, timedOut: 1, cancelled: 2 })
    expect(top).toBe(10)
    expect(busiest).toEqual({ at: '2026-01-01T01:00:00Z', total: 10 })
  })

  it('stacks bars from the bottom, failures at the top', () => {
    const { bars } = throughputOf([bucket(0, 6, 4), bucket(1, 0)])
    expect(bars[0]?.parts).toEqual([
      { outcome: 'succeeded', y: 40, height: 60 },
      { outcome: 'failed', y: 0, height: 40 },
    ])
    expect(bars[1]).toEqual({ at: '2026-01-01T01:00:00Z', total: 0, parts: [] })
  })

  it('one failure among a thousand is seen, and no bar is higher than the chart', () => {
    const { bars } = throughputOf([bucket(0, 999, 1)])
    const parts = bars[0]?.parts ?? []
    expect(parts.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed'])
    expect(parts[1]?.height).toBeGreaterThan(1)
    expect(parts[1]?.y).toBeCloseTo(0)
    expect(parts.reduce((sum, { height }) => sum + height, 0)).toBeCloseTo(100)
  })

  it.each([[[]], [[bucket(0, 0)]]])('of nothing has no busiest stretch', (buckets) => {
    expect(throughputOf(buckets)).toMatchObject({ busiest: null, top: 1 })
  })
})

it.each([
  ['UTC', 0, ['04:00', '08:00', '12:00', '16:00', '20:00', '00:00']],
  ['São Paulo', -180, ['03:00', '07:00', '11:00', '15:00', '19:00', '23:00']],
  ['India', 330, ['02:30', '06:30', '10:30', '14:30', '18:30', '22:30']],
])('every fourth hour by the clocks of %s', (_name, aheadMinutes, expected) => {
  const from = Date.parse('2026-01-01T00:30:00Z')
  const ticks = ticksOf(from, from + 24 * 3_600_000, aheadMinutes)
  expect(ticks.map(({ at }) => new Date(at).toISOString().slice(11, 16))).toEqual(expected)
  for (const { share } of ticks) expect(share).toBeGreaterThanOrEqual(0)
  expect(ticks.at(-1)?.share).toBeLessThan(1)
})
