import { describe, expect, it } from 'vitest'
import { filtersOf, quotedIfNeeded, replaceFilters, saysJust, withoutFilter } from './filters.ts'

it.each([
  ['', []],
  ['closing', []],
  ['status:failed,timeout Tag:"a b"', ['status=failed', 'status=timeout', 'tag=a b']],
  ['"status:failed" x', []],
  ['status:', []],
])('the filters of %j', (query, expected) => {
  expect(filtersOf(query).map(({ key, value }) => `${key}=${value}`)).toEqual(expected)
})

describe('a filter taken out', () => {
  it.each([
    ['status:failed', { key: 'status', value: 'failed' }, ''],
    ['a status:failed,timeout b', { key: 'status', value: 'failed' }, 'a status:timeout b'],
    ['STATUS:failed  "two words"', { key: 'status', value: 'failed' }, '"two words"'],
    ['tag:"a b",c', { key: 'tag', value: 'c' }, 'tag:"a b"'],
    ['tag:x status:x', { key: 'tag', value: 'x' }, 'status:x'],
    ['tag:x', { key: 'tag', value: 'y' }, 'tag:x'],
  ])('%s', (query, gone, expected) => {
    expect(withoutFilter(query, gone)).toBe(expected)
  })
})

describe('filters in the place of others', () => {
  const failed = [
    { key: 'status', value: 'failed' },
    { key: 'status', value: 'timeout' },
    { key: 'after', value: '1d' },
  ]
  const keys = ['status', 'after', 'before']

  it.each([
    ['', failed, 'status:failed,timeout after:1d'],
    ['faturas tag:x status:active before:2d', failed, 'faturas tag:x status:failed,timeout after:1d'],
    ['tag:x status:active', [], 'tag:x'],
    ['', [{ key: 'status', value: 'a b' }], 'status:"a b"'],
  ])('%s', (query, filters, expected) => {
    expect(replaceFilters(query, keys, filters)).toBe(expected)
  })

  it.each([
    ['after:1d x status:Timeout,FAILED', true],
    ['status:failed after:1d', false],
    ['status:failed,timeout after:1d tag:x', true],
    ['status:failed,timeout after:1d before:1h', false],
    ['', false],
  ])('%s says just them: %s', (query, expected) => {
    expect(saysJust(query, keys, failed)).toBe(expected)
  })
})

it.each([
  ['plain', 'plain'],
  ['two words', '"two words"'],
  ['a,b', '"a,b"'],
  ['a "b', 'a "b'],
])('%s is typed as %s', (value, expected) => {
  expect(quotedIfNeeded(value)).toBe(expected)
})
