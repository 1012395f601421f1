import { describe, expect, it } from 'vitest'
import { refusal } from '../../test/instants.ts'
import { decodePayload, encodePayload, isSamePayload, MAX_PAYLOAD_BYTES } from './payload.ts'

const circular: { self?: unknown } = {}
circular.self = circular

describe('data', () => {
  it.each<[string, unknown, string | null]>([
    ['nothing', undefined, null],
    ['null', null, 'null'],
    ['false', false, 'false'],
    ['zero', 0, '0'],
    ['empty text', '', '""'],
    ['a tree', { a: [1, { b: 'c' }] }, '{"a":[1,{"b":"c"}]}'],
    ['a date, as JSON has it', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['what says how it is written', { toJSON: () => [1] }, '[1]'],
    ['NUL', '\0', '"\\u0000"'],
    ['half a character', '\ud800', '"\\ud800"'],
  ])('is stored as JSON: %s', (_what, value, text) => {
    expect(encodePayload(value, 'Input')).toBe(text)
  })

  it.each([
    ['text', 'a€😀\0\ud800'],
    ['a tree', { a: [null, { b: false }] }],
    ['nothing', undefined],
  ])('comes back as it was: %s', (_what, value) => {
    expect(decodePayload(encodePayload(value, 'Input'))).toEqual(value)
  })

  it.each<[string, unknown]>([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a big integer', 1n],
    ['what holds itself', circular],
    ['what says it is nothing', { toJSON: () => undefined }],
    [
      'what cannot be read',
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
    ],
  ])('is refused where JSON cannot hold it: %s', (_what, value) => {
    const error = refusal(() => encodePayload(value, 'Input of job type "x"'))
    expect(error.code).toBe('payload.not_json')
    expect(error.message).toMatch(/^Input of job type "x" must be data that JSON can hold, got .+/)
  })

  it.each([
    ['ASCII that just fits', 'x'.repeat(MAX_PAYLOAD_BYTES - 2), true],
    ['one byte more', 'x'.repeat(MAX_PAYLOAD_BYTES - 1), false],
    ['three bytes each that just fit', '€'.repeat((MAX_PAYLOAD_BYTES - 4) / 3), true],
    ['one of them more', '€'.repeat((MAX_PAYLOAD_BYTES - 4) / 3 + 1), false],
    ['four bytes each', '😀'.repeat(MAX_PAYLOAD_BYTES / 4), false],
  ])('is measured in bytes: %s', (_what, text, fits) => {
    if (fits) return expect(encodePayload(text, 'Input')).toHaveLength(text.length + 2)
    const error = refusal(() => encodePayload(text, 'Input'))
    expect(error.code).toBe('payload.too_large')
    expect(error.message).toMatch(/^Input must be at most 1048576 bytes as JSON, got \d+\. Store it elsewhere/)
    expect(error.details).toMatchObject({ maxBytes: MAX_PAYLOAD_BYTES })
  })
})

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
