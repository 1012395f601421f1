import { describe, expect, it } from 'vitest'
import { spread } from './spread.ts'

describe('the spread of an identity', () => {
  // Nodes of different versions must agree for ever: these numbers never change.
  it.each([
    ['', 60, 23],
    ['closing', 60, 22],
    ['closing', 3_600_000, 2_614_162],
    ['fechamento diário', 60, 47],
    ['🙂', 1_000, 841],
  ])('of %j over %i is %i', (identity, size, chosen) => {
    expect(spread(identity, size)).toBe(chosen)
  })

  it('of one value is that value', () => {
    expect(spread('closing', 1)).toBe(0)
  })

  it.each([
    ['that end in a number', (index: number) => `job-${index}`],
    ['that begin with a number', (index: number) => `${index}-job`],
    ['of one letter', (index: number) => String.fromCharCode(0x4e00 + index)],
  ])('is even over identities %s', (_kind, identityOf) => {
    const counts = new Array<number>(60).fill(0)
    for (let index = 0; index < 6_000; index++) {
      const slot = spread(identityOf(index), 60)
      counts[slot] = (counts[slot] ?? 0) + 1
    }
    // A hundred each is expected; fair dice stay within five standard deviations.
    expect(Math.min(...counts)).toBeGreaterThan(50)
    expect(Math.max(...counts)).toBeLessThan(150)
  })
})
