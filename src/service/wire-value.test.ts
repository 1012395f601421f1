import { describe, expect, it } from 'vitest'
import { encodeInput, encodeValue } from '../durable/codec.ts'
import { plain, wireInstant, wireValue } from './wire-value.ts'

describe('a stored value', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, null],
    ['plain data', { a: [1, 'b', null, true] }, { a: [1, 'b', null, true] }],
    ['an instant', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an instant that is none', new Date(Number.NaN), null],
    ['a large number', 2n ** 70n, '1180591620717411303424'],
    ['a number that JSON has no word for', Number.POSITIVE_INFINITY, 'Infinity'],
    ['a map', new Map([['a', 1n]]), [['a', '1']]],
    ['a set', new Set([1, 2]), [1, 2]],
    ['bytes', new Uint8Array([1, 2, 3]), 'AQID'],
    ['bytes of larger numbers', new Uint16Array([513, 3]).subarray(0, 1), 'AQI='],
    ['a buffer', new Uint8Array([1, 2, 3]).buffer, 'AQID'],
    ['an address', new URL('https://example.com/a'), 'https://example.com/a'],
    ['nothing within', { a: undefined }, { a: null }],
    ['an error, without its stack', new TypeError('no'), { name: 'TypeError', message: 'no' }],
  ])('that is %s is shown as JSON can hold it', (_, value, expected) => {
    const shown = wireValue(encodeValue(value, 'value'))
    expect(shown).toEqual(expected)
    expect(JSON.parse(JSON.stringify(shown))).toEqual(expected)
  })

  it('that is deeper than anybody looks is shown as deep as 500', () => {
    let value: unknown = 1
    for (let depth = 0; depth < 1_000; depth += 1) value = [value]
    const shown = JSON.stringify(wireValue(encodeInput(value, 'result')))
    expect(shown).toBe(`${'['.repeat(500)}null${']'.repeat(500)}`)
  })

  it('that holds itself is shown without', () => {
    const value: Record<string, unknown> = { a: 1 }
    value['self'] = value
    expect(plain(value)).toEqual({ a: 1, self: null })
  })
})

it('an instant stands in UTC', () => {
  expect(wireInstant(Date.UTC(2026, 0, 1))).toBe('2026-01-01T00:00:00.000Z')
  expect(wireInstant(null)).toBeNull()
})
