import { describe, expect, it } from 'vitest'
import { diffFields, diffLines, foldLines, isSameData, jsonLines } from './diff-lines.ts'

const signs = { same: ' ', removed: '-', added: '+' } as const

function written(before: string, after: string): string {
  return diffLines(before.split(''), after.split(''))
    .map(({ kind, text }) => `${signs[kind]}${text}`)
    .join('')
    .trim()
}

describe('lines of two texts', () => {
  it.each([
    ['nothing', '', '', ''],
    ['the same', 'ab', 'ab', 'a b'],
    ['all new', '', 'ab', '+a+b'],
    ['all gone', 'ab', '', '-a-b'],
    ['one in the middle', 'abc', 'axc', 'a-b+x c'],
    ['one put in', 'ac', 'abc', 'a+b c'],
    ['one taken out', 'abc', 'ac', 'a-b c'],
    ['moved', 'abcd', 'bcda', '-a b c d+a'],
    ['repeated', 'aaa', 'aa', 'a a-a'],
    ['nothing in common', 'ab', 'xy', '-a-b+x+y'],
  ])('%s', (_, before, after, expected) => {
    expect(written(before, after)).toBe(expected)
  })

  it('what is taken out and put in makes the second of the first', () => {
    const [before, after] = ['the quick brown fox'.split(''), 'that quiet crown of ox'.split('')]
    const lines = diffLines(before, after)
    expect(lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before)
    expect(lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after)
  })

  it('texts too long to compare are shown whole', () => {
    const before = Array.from({ length: 2_000 }, (_, at) => `a${at}`)
    const after = Array.from({ length: 2_000 }, (_, at) => `b${at}`)
    const kinds = diffLines(['same', ...before], ['same', ...after]).map(({ kind }) => kind)
    expect([...new Set(kinds)]).toEqual(['same', 'removed', 'added'])
    expect(kinds).toHaveLength(4_001)
  })
})

describe('data', () => {
  it.each([
    ['the order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
    ['the order of a list', [1, 2], [2, 1], false],
    ['null and nothing', null, undefined, false],
    ['a number and its text', 1, '1', false],
    ['nothing and nothing', undefined, undefined, true],
  ])('%s: the same is %s', (_, one, other, expected) => {
    expect(isSameData(one, other)).toBe(expected)
  })

  it('is a line for each value', () => {
    expect(jsonLines({ b: [1], a: 'x' })).toEqual(['{', '  "a": "x",', '  "b": [', '    1', '  ]', '}'])
    expect(jsonLines(undefined)).toEqual([])
  })
})

it('fields that differ stand in the order in which they occur', () => {
  expect(diffFields({ name: 'a', cron: '* * * * *', gone: 1 }, { name: 'b', cron: '* * * * *', come: null })).toEqual([
    { field: 'name', before: 'a', after: 'b' },
    { field: 'gone', before: 1, after: undefined },
    { field: 'come', before: undefined, after: null },
  ])
})

describe('lines that are the same', () => {
  const shown = (before: string, after: string) =>
    foldLines(diffLines(before.split(''), after.split('')), 1).map((line) =>
      line.kind === 'folded' ? `…${line.count}` : `${signs[line.kind]}${line.text}`,
    )

  it.each([
    ['far from a change are folded', 'abcdXefgh', 'abcdefgh', ['…3', ' d', '-X', ' e', '…3']],
    ['between two changes stay where they are near', 'XabY', 'ab', ['-X', ' a', ' b', '-Y']],
    ['are folded into one where nothing changed', 'abc', 'abc', ['…3']],
  ])('%s', (_, before, after, expected) => {
    expect(shown(before, after)).toEqual(expected)
  })
})
