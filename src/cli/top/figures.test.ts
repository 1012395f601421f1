import { describe, expect, it } from 'vitest'
import { sparkline } from './draw-glance.ts'
import { ratesOf } from './read-glance.ts'

/** A stretch in which so many succeeded and failed. */
function bucket(succeeded: number, failed = 0) {
  return {
    at: '2026-03-02T10:00:00.000Z',
    succeeded,
    failed,
    timedOut: 0,
    cancelled: 0,
    meanDurationMs: null,
    p95DurationMs: null,
    meanQueueMs: null,
    onTimeRate: null,
    p99LatenessMs: null,
  }
}

describe('rates', () => {
  it.each<[string, number, ReturnType<typeof bucket>[], number, number]>([
    ['nothing', 1, [], 0, 0],
    ['the last five minutes, without the one under way', 1, [9, 1, 2, 3, 4, 5, 100].map((each) => bucket(each)), 3, 0],
    ['stretches of two minutes', 2, [bucket(6), bucket(8, 2), bucket(1)], 16 / 6, 2 / 6],
    ['stretches longer than that', 10, [bucket(50), bucket(20), bucket(1)], 2, 0],
  ])('are those of %s', (_name, bucketMinutes, buckets, ended, failed) => {
    const rates = ratesOf({ bucketMinutes, buckets })
    expect(rates.endedPerMinute).toBeCloseTo(ended)
    expect(rates.failedPerMinute).toBeCloseTo(failed)
  })
})

it.each<[number[], number, string]>([
  [[], 5, ''],
  [[0, 0], 5, '  '],
  [[1, 4, 8], 5, '▁▄█'],
  [[8, 1, 2], 2, '▄█'],
])('a sparkline of %j in %d columns', (values, width, line) => expect(sparkline(values, width)).toBe(line))
