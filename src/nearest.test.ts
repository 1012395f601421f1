import { describe, expect, it } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const KNOWN = ['timeZone', 'startAt', 'endAt', 'every', 'unit']

describe('the nearest known word', () => {
  it.each([
    ['a letter that is missing', 'timeZon', 'timeZone'],
    ['a letter too many', 'startAtt', 'startAt'],
    ['a wrong letter', 'umit', 'unit'],
    ['two letters swapped', 'evrey', 'every'],
    ['another case', 'TIMEZONE', 'timeZone'],
    ['the word itself', 'endAt', 'endAt'],
    ['nothing that is close', 'calendar', undefined],
    ['nothing at all', '', undefined],
    ['text without end', 'x'.repeat(1_000_000), undefined],
  ])('is found for %s', (_what, written, found) => {
    expect(nearest(written, KNOWN)).toBe(found)
  })

  it('is the first of two that are equally close', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat')
  })
})

describe('a hint', () => {
  it.each([
    ['the nearest known word', 'timezone', ' Did you mean "timeZone"?'],
    ['nothing where none is close', 'calendar', ''],
  ])('tells %s', (_what, written, hint) => {
    expect(didYouMean(written, KNOWN)).toBe(hint)
  })
})
