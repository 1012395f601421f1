import { describe, expect, it } from 'vitest'
import { compareText } from './compare.ts'

describe('texts', () => {
  it.each([
    ['a', 'b'],
    ['a', 'aa'],
    ['', 'a'],
    ['Z', 'a'],
    ['z', 'é'],
    // By units the second would come first: it begins with a surrogate.
    ['\uff5e', '😀'],
    ['a\ue000', 'a😀'],
    ['😀', '😁'],
  ])('%j stands before %j, as in UTF-8', (first, second) => {
    expect(compareText(first, second)).toBeLessThan(0)
    expect(compareText(second, first)).toBeGreaterThan(0)
    expect(Buffer.compare(Buffer.from(first), Buffer.from(second))).toBeLessThan(0)
  })

  it('that are the same are the same', () => {
    expect(compareText('nightly', 'nightly')).toBe(0)
  })
})
