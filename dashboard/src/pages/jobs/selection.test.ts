import { describe, expect, it } from 'vitest'
import { isEmpty, isSelected, NOTHING, type Selection, shownState, toggled, toggledAll } from './selection.ts'

const SHOWN = ['a', 'b', 'c']
const some = (...ids: string[]): Selection => ({ ids: new Set(ids), isAll: false })
const ALL: Selection = { ids: new Set(), isAll: true }

describe('one is taken in or out', () => {
  it.each([
    ['into nothing', NOTHING, 'a', ['a']],
    ['beside another', some('b'), 'a', ['b', 'a']],
    ['out again', some('a', 'b'), 'a', ['b']],
    ['out of all that match: the others that are shown stay', ALL, 'b', ['a', 'c']],
  ])('%s', (_, before, id, expected) => {
    const after = toggled(before, id, SHOWN)
    expect([...after.ids]).toEqual(expected)
    expect(after.isAll).toBe(false)
  })
})

describe('all that are shown', () => {
  it.each([
    ['nothing', NOTHING, 'none', SHOWN],
    ['some', some('a'), 'some', SHOWN],
    ['each of them', some('a', 'b', 'c'), 'all', []],
    ['all that match', ALL, 'all', []],
    ['others, which are not shown', some('x'), 'none', SHOWN],
  ] as const)('%s', (_, before, state, after) => {
    expect(shownState(before, SHOWN)).toBe(state)
    expect([...toggledAll(before, SHOWN).ids]).toEqual(after)
  })

  it('an empty list has nothing selected', () => {
    expect(shownState(ALL, [])).toBe('none')
  })
})

it.each([
  [NOTHING, true, false],
  [some('a'), false, true],
  [some('b'), false, false],
  [ALL, false, true],
])('%o', (selection, expectedEmpty, hasA) => {
  expect(isEmpty(selection)).toBe(expectedEmpty)
  expect(isSelected(selection, 'a')).toBe(hasA)
})
