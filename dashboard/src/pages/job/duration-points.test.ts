import { describe, expect, it } from 'vitest'
import { heightOf, plotDurations } from './duration-points.ts'

const run = (durationMs: number | null, status: 'SUCCESS' | 'FAILED' | 'RUNNING' = 'SUCCESS') => ({
  id: `${durationMs}`,
  status,
  durationMs,
})

describe('durations are drawn', () => {
  it('from the oldest to the newest, below a round top', () => {
    const plot = plotDurations([run(1_500), run(500, 'FAILED'), run(1_000)], 100, 50)
    expect(plot).toMatchObject({
      topMs: 2_000,
      shortestMs: 500,
      longestMs: 1_500,
      path: 'M0.0 25.0L50.0 37.5L100.0 12.5',
    })
    expect(plot?.points.map(({ id, hasFailed }) => [id, hasFailed])).toEqual([
      ['1000', false],
      ['500', true],
      ['1500', false],
    ])
  })

  it('without what has not ended', () => {
    expect(plotDurations([run(null, 'RUNNING'), run(5)], 100, 50)?.points).toHaveLength(1)
  })

  it('one alone in the middle', () => expect(plotDurations([run(5)], 100, 50)?.points[0]?.x).toBe(50))

  it('not at all where there is none', () => expect(plotDurations([run(null)], 100, 50)).toBeNull())

  it.each([0, 850, 999, 61_000, 3_600_000, 10 ** 12])('%i ms stand below the top', (durationMs) => {
    const plot = plotDurations([run(durationMs)], 100, 50)
    expect(plot?.topMs).toBeGreaterThanOrEqual(durationMs)
    expect(plot?.topMs).toBeGreaterThan(0)
    expect(plot?.points[0]?.y).toBeGreaterThanOrEqual(0)
  })
})

it('what is higher than the top stands at it', () => expect(heightOf(20, 10, 50)).toBe(0))
