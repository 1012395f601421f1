import { describe, expect, it } from 'vitest'
import type { Fires } from './fire-times.ts'
import { inOrder } from './read-agenda.ts'

const firesAt = (...times: number[]): Fires => ({ count: times.length, at: (index) => times[index] ?? Number.NaN })

describe('fires of many', () => {
  it.each<[string, number[][], [number, number][]]>([
    ['are none where nobody fires', [[], []], []],
    [
      'come in the order of time',
      [[1, 4], [2, 3], []],
      [
        [0, 1],
        [1, 2],
        [1, 3],
        [0, 4],
      ],
    ],
    [
      'come in the order of the list at one instant',
      [[5], [5], [1, 5]],
      [
        [2, 1],
        [0, 5],
        [1, 5],
        [2, 5],
      ],
    ],
  ])('%s', (_what, all, expected) => {
    const found = [...inOrder(all.map((times) => firesAt(...times)))]
    expect(found.map(({ place, at }) => [place, at])).toEqual(expected)
  })

  it('are those of all, sorted', () => {
    const all = Array.from({ length: 40 }, (_, place) =>
      Array.from({ length: place % 7 }, (_, n) => (place * 37 + n * 11) % 100).toSorted((a, b) => a - b),
    )
    const found = [...inOrder(all.map((times) => firesAt(...times)))].map(({ at }) => at)
    expect(found).toEqual(all.flat().toSorted((a, b) => a - b))
  })
})
