import { describe, expect, it } from 'vitest'
import { Punctuality } from './punctuality.ts'

function reportOf(lateness: readonly number[]) {
  const punctuality = new Punctuality()
  for (const each of lateness) punctuality.record(each)
  return punctuality.report()
}

describe('punctuality', () => {
  it.each<[string, number[], object]>([
    ['of nothing is perfect', [], { count: 0, onTime: 1, p50Ms: 0, p99Ms: 0, maxMs: 0 }],
    ['of one', [7], { count: 1, onTime: 1, p50Ms: 7, p99Ms: 7, maxMs: 7 }],
    ['counts a second as on time', [1_000, 1_001], { count: 2, onTime: 0.5, p50Ms: 1_001, p99Ms: 1_001, maxMs: 1_001 }],
    ['takes any order', [30, 10, 20], { count: 3, onTime: 1, p50Ms: 20, p99Ms: 30, maxMs: 30 }],
  ])('%s', (_what, lateness, expected) => {
    expect(reportOf(lateness)).toEqual(expected)
  })

  it('knows the middle and the tail of a thousand', () => {
    expect(reportOf(Array.from({ length: 1_000 }, (_, index) => index))).toMatchObject({
      count: 1_000,
      p50Ms: 500,
      p99Ms: 990,
      maxMs: 999,
    })
  })

  it('forgets what is older than the last thousand', () => {
    const old = Array.from({ length: 500 }, () => 100_000)
    const recent = Array.from({ length: 1_000 }, () => 1)
    expect(reportOf([...old, ...recent])).toEqual({ count: 1_000, onTime: 1, p50Ms: 1, p99Ms: 1, maxMs: 1 })
  })
})
