import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { cacheRules } from '../../job/type/cache.ts'
import { InvalidPayloadError } from '../../job/type/standard-schema.ts'
import { hashOf } from './result-cache.ts'

function holdingItself<Data extends object>(data: Data): Data {
  return Object.assign(data, { 0: data })
}

function returnThis(this: unknown): unknown {
  return this
}

describe('the hash of an input', () => {
  const of = (input: unknown) => hashOf(null, input, 'rates')

  it.each<[string, unknown, unknown]>([
    ['fields in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['fields that look like numbers', { 10: 'a', 9: 'b', x: 1 }, { x: 1, 9: 'b', 10: 'a' }],
    ['a field without a value', { a: 1, b: undefined }, { a: 1 }],
    ['nothing and null', undefined, null],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['equal dates', [new Date(0)], [new Date(0)]],
    [
      'equal maps, with the fields of a value in another order',
      new Map([[1n, { a: 1, b: 2 }]]),
      new Map([[1n, { b: 2, a: 1 }]]),
    ],
    ['equal bytes', new Uint8Array([1]), new Uint8Array([1])],
    ['no number', Number.NaN, Number.NaN],
  ])('is the same for %s', (_what, one, other) => {
    expect(of(one)).toBe(of(other))
  })

  it.each<[string, unknown, unknown]>([
    ['values', { a: 1 }, { a: 2 }],
    ['names', { a: 1 }, { b: 1 }],
    ['the order of a list', [1, 2], [2, 1]],
    ['the order of a set', new Set([1, 2]), new Set([2, 1])],
    ['a list and an object', ['a'], { 0: 'a' }],
    ['text and number', '1', 1],
    ['null and its word', null, 'null'],
    ['a field that is null and none', { a: null }, {}],
    ['where a name ends', { 'a":1,"b': 1 }, { a: 1, b: 1 }],
    ['a field named __proto__', JSON.parse('{"__proto__":1}'), {}],
    ['nesting', [[1], 2], [1, [2]]],
    ['a date and its text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a bigint and its text', 1n, '1'],
    ['a set and a list', new Set([1]), [1]],
    ['a type and data that looks like it', new Date(0), { $: 'Date', v: '1970-01-01T00:00:00.000Z' }],
  ])('differs by %s', (_what, one, other) => {
    expect(of(one)).not.toBe(of(other))
  })

  it('of plain data is the one that earlier versions have stored', () => {
    const digest = '43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777'
    expect(of({ b: 2, a: 1 })).toBe(digest)
  })

  it.each<[string, unknown, string]>([
    ['an object of a class', new (class Money {})(), 'is an instance of Money;'],
    ['a function', { run: () => 1 }, 'run is a function;'],
    ['a list that holds itself', holdingItself([]), '[0] leads back to what it is in;'],
    ['what is never done becoming JSON', { toJSON: returnThis }, 'leads back to what it is in;'],
  ])('cannot be made of %s', (_what, input, message) => {
    const error = refusal(() => of(input))
    expect(error).toBeInstanceOf(InvalidPayloadError)
    expect(error.code).toBe('cache.key_invalid')
    expect(error.message).toMatch(
      /^Job type "rates": what decides about its cached result cannot be stored\. Input or key.* Give cache a key/,
    )
    expect(error.message).toContain(message)
  })

  it('is made of what the rules say', () => {
    const rules = cacheRules({ ttl: '1h', key: ({ from }: { from: string }) => [from, 'v2'] }, 'rates')
    expect(hashOf(rules, { from: 'BRL', at: 7 }, 'rates')).toBe(of(['BRL', 'v2']))
  })
})
