import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstOf, OrderedSet } from './ordered-set.ts'

const ascending = (a: number, b: number) => a - b

function setOf(items: Iterable<number>): OrderedSet<number> {
  const set = new OrderedSet<number>(ascending)
  for (const item of items) set.add(item)
  return set
}

describe('an ordered set', () => {
  it('holds what a sorted list of the same items holds', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 300 })), { maxLength: 600 })
    fc.assert(
      fc.property(steps, fc.integer({ min: -1, max: 301 }), (changes, point) => {
        const set = setOf([])
        const model = new Set<number>()
        for (const [isAdded, item] of changes) {
          if (isAdded) {
            set.add(item)
            model.add(item)
          } else {
            set.delete(item)
            model.delete(item)
          }
        }
        const sorted = [...model].toSorted(ascending)
        expect(set.size).toBe(sorted.length)
        expect(set.first).toBe(sorted[0])
        expect([...set.ascending()]).toEqual(sorted)
        expect([...set.descending()]).toEqual(sorted.toReversed())
        expect([...set.ascending((item) => item < point)]).toEqual(sorted.filter((item) => item >= point))
        expect([...set.descending((item) => item < point)]).toEqual(sorted.filter((item) => item < point).toReversed())
      }),
    )
  })

  it.each([
    ['in order', (index: number) => index],
    ['backwards', (index: number) => -index],
    ['scattered', (index: number) => (index * 7_919) % 5_003],
  ])('keeps its order over many buckets when items come %s', (_way, itemAt) => {
    const items = Array.from({ length: 5_000 }, (_, index) => itemAt(index))
    const set = setOf(items)
    expect([...set.ascending()]).toEqual(items.toSorted(ascending))
    for (const item of items) {
      if (item % 3 !== 0) set.delete(item)
    }
    const left = items.filter((item) => item % 3 === 0).toSorted(ascending)
    expect([...set.ascending()]).toEqual(left)
    expect([...set.descending()]).toEqual(left.toReversed())
    expect(set.size).toBe(left.length)
  })

  it('keeps the item that came first where two are the same', () => {
    const set = new OrderedSet<{ key: number; name: string }>((a, b) => a.key - b.key)
    for (const name of ['first', 'second']) set.add({ key: 1, name })
    expect([...set.ascending()]).toEqual([{ key: 1, name: 'first' }])
  })
})

describe('the first of several sets', () => {
  it.each([
    [
      'over all sets, in order',
      [
        [1, 4, 7],
        [2, 5],
        [3, 6],
      ],
      5,
      [1, 2, 3, 4, 5],
    ],
    ['all, where there are fewer', [[2], [], [1]], 5, [1, 2]],
    ['none, where none is asked for', [[1]], 0, []],
    ['none, where a negative number is asked for', [[1]], -1, []],
    ['none of no sets', [], 3, []],
  ])('are %s', (_fact, sets, limit, expected) => {
    expect(firstOf(sets.map(setOf), ascending, limit)).toEqual(expected)
  })
})
