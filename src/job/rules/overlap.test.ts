import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../errors.ts'
import { concurrencyOf, type OverlapRule, overlapRule } from './overlap.ts'

describe('how many may run at once', () => {
  it.each<[OverlapRule, number | null]>([
    ['allow', null],
    ['queue', 1],
    ['skip', 1],
    ['replace', 1],
    [{ atMost: 1 }, 1],
    [{ atMost: 7 }, 7],
  ])('%j: %j', (rule, concurrency) => {
    expect(overlapRule(rule)).toEqual(rule)
    expect(concurrencyOf(rule)).toBe(concurrency)
  })
})

describe('what is no rule', () => {
  it.each<[unknown, string]>([
    ['skp', 'overlap must be one of allow, queue, skip, replace, got "skp". Did you mean "skip"?'],
    [3, 'overlap must be one of allow, queue, skip, replace, or { atMost: n }, got 3.'],
    [null, 'overlap must be one of allow, queue, skip, replace, or { atMost: n }, got null.'],
    [{ atMost: 0 }, 'overlap.atMost must be a whole number of 1-10000, got 0.'],
    [{ atMost: 1.5 }, 'overlap.atMost must be a whole number of 1-10000, got 1.5.'],
    [{}, 'overlap.atMost must be a whole number of 1-10000, got nothing.'],
    [{ most: 3 }, 'overlap has no field "most"; its fields are atMost. Did you mean "atMost"?'],
  ])('%j is refused', (rule, message) => {
    expect(() => overlapRule(rule as OverlapRule)).toThrow(InvalidInputError)
    expect(() => overlapRule(rule as OverlapRule)).toThrow(message)
  })
})
