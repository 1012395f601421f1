import { describe, expect, it } from 'vitest'
import { storableText } from './storable-text.ts'

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
