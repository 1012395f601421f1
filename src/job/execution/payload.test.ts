import { describe, expect, it } from 'vitest'
import { isSamePayload, storableText } from './payload.ts'

describe('two stored texts hold the same', () => {
  it.each<[string | null, string | null, boolean]>([
    [null, null, true],
    [null, 'null', false],
    ['1', '1', true],
    ['1', '1.0', true],
    ['1', '"1"', false],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":{"x":1,"y":[{"p":1,"q":2}]}}', '{"a":{"y":[{"q":2,"p":1}],"x":1}}', true],
    ['[1,2]', '[2,1]', false],
    ['{"a":1}', '{"a":1,"b":null}', false],
    ['{"a":null}', '{}', false],
    ['{"__proto__":1}', '{"__proto__":2}', false],
    ['{"__proto__":{"a":1}}', '{}', false],
    ['{"2":1,"1":2}', '{"1":2,"2":1}', true],
    ['T{"a":{"$":"BigInt","v":"1"},"b":2}', 'T{"b":2,"a":{"v":"1","$":"BigInt"}}', true],
    ['T{"$":"BigInt","v":"1"}', '{"$":"BigInt","v":"1"}', false],
    ['ZyosBAA==', 'ZyosBAA==', true],
    ['ZyosBAA==', '1', false],
    ['TT{"a":1,"b":2}', 'TT{"b":2,"a":1}', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(isSamePayload(a, b)).toBe(expected)
    expect(isSamePayload(b, a)).toBe(expected)
  })

  it('however long and strange a text is', () => {
    expect(isSamePayload('1', 'T'.repeat(100_000))).toBe(false)
    expect(isSamePayload('1', '['.repeat(100_000) + ']'.repeat(100_000))).toBe(false)
  })
})

describe('text that a database can hold', () => {
  it.each([
    ['is left as it is', 'añ€😀\n\t', 100, 'añ€😀\n\t'],
    ['shows NUL', 'a\0b\0', 100, 'a␀b␀'],
    ['has no high half of a character', 'a\ud83db', 100, 'a\ufffdb'],
    ['has no low half of a character', 'a\ude00b', 100, 'a\ufffdb'],
    ['is not cut where it just fits', 'abc', 3, 'abc'],
    ['is cut and marked where it is longer', 'abcd', 3, 'abc…'],
    ['is cut within a character without leaving half of it', 'ab😀', 3, 'ab\ufffd…'],
    ['may be empty', '', 0, ''],
  ])('%s', (_fact, text, maxLength, expected) => {
    const kept = storableText(text, maxLength)
    expect(kept).toBe(expected)
    expect(Buffer.from(kept).toString()).toBe(kept)
  })
})
