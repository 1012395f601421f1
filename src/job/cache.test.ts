import { describe, expect, it } from 'vitest'
import { refusal } from '../../test/instants.ts'
import { type CacheOptions, cacheKeyText, cacheRules } from './cache.ts'
import { InvalidPayloadError } from './standard-schema.ts'

describe('cache rules', () => {
  it.each<[string, number | string | CacheOptions, number]>([
    ['text', '1h', 3_600_000],
    ['milliseconds', 250, 250],
    ['an object', { ttl: '5m' }, 300_000],
    ['longer than anybody waits', '200000 years', 100 * 365 * 86_400_000],
  ])('are made of %s', (_what, options, ttlMs) => {
    const rules = cacheRules(options, 'rates')
    expect(rules.ttlMs).toBe(ttlMs)
    expect(rules.key({ a: 1 })).toEqual({ a: 1 })
  })

  it('have the key they are given', () => {
    const rules = cacheRules({ ttl: '1h', key: ({ from }: { from: string }) => from }, 'rates')
    expect(rules.key({ from: 'BRL', at: 1 })).toBe('BRL')
  })

  it.each<[string, unknown, string]>([
    ['no time', {}, 'Job type "rates": cache: ttl must be a number of milliseconds'],
    ['no time at all', 0, 'cache: ttl must be longer than zero; leave cache out for none, got 0.'],
    ['a time that is none', 'soon', 'cache: ttl must be a number of milliseconds'],
    ['true', true, 'cache: ttl must be'],
    ['null', null, 'cache must be an object, got null.'],
    ['a key that is no function', { ttl: '1h', key: 'from' }, 'cache: key must be a function, got "from".'],
    ['an unknown option', { tll: '1h' }, 'Did you mean "ttl"?'],
  ])('are refused with %s', (_what, options, message) => {
    expect(refusal(() => cacheRules(options as CacheOptions, 'rates')).message).toContain(message)
  })
})

function holdingItself<Data extends object>(data: Data): Data {
  return Object.assign(data, { 0: data })
}

function returnThis(this: unknown): unknown {
  return this
}

describe('the key of an input', () => {
  const keyOf = (input: unknown) => cacheKeyText(null, input, 'rates')

  it.each<[string, unknown, unknown]>([
    ['fields in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['fields that look like numbers', { 10: 'a', 9: 'b', x: 1 }, { x: 1, 9: 'b', 10: 'a' }],
    ['a field without a value', { a: 1, b: undefined }, { a: 1 }],
    ['nothing and null', undefined, null],
    ['zeros', 0, -0],
    ['a date and what JSON makes of it', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('is the same for %s', (_what, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other))
  })

  it.each<[string, unknown, unknown]>([
    ['values', { a: 1 }, { a: 2 }],
    ['names', { a: 1 }, { b: 1 }],
    ['the order of a list', [1, 2], [2, 1]],
    ['a list and an object', ['a'], { 0: 'a' }],
    ['text and number', '1', 1],
    ['null and its word', null, 'null'],
    ['a field that is null and none', { a: null }, {}],
    ['where a name ends', { 'a":1,"b': 1 }, { a: 1, b: 1 }],
    ['a field named __proto__', JSON.parse('{"__proto__":1}'), {}],
    ['nesting', [[1], 2], [1, [2]]],
  ])('differs by %s', (_what, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other))
  })

  it('is JSON', () => {
    const input = { b: ['x', null, true, 1.5e300], a: { 'quote"': '\ud800\u2028' } }
    expect(JSON.parse(keyOf(input))).toEqual(input)
    expect(Object.keys(JSON.parse(keyOf(input)) as object)).toEqual(['a', 'b'])
  })

  it.each<[string, unknown, string]>([
    ['a Map', { a: new Map() }, 'got Map.'],
    ['a Set', new Set([1]), 'got Set.'],
    ['an object of a class', new (class Money {})(), 'got Object.'],
    ['a function', { run: () => 1 }, 'got a function.'],
    ['a bigint', [1n], 'got 1n.'],
    ['no number', Number.NaN, 'got NaN.'],
    ['an endless number', Number.POSITIVE_INFINITY, 'got Infinity.'],
    ['a list that holds itself', holdingItself([]), 'got data that holds itself, or is nested more than 1000 deep.'],
    ['an object that holds itself', { a: holdingItself({}) }, 'got data that holds itself'],
    ['what is never done becoming JSON', { toJSON: returnThis }, 'got data that holds itself'],
  ])('cannot be made of %s', (_what, input, message) => {
    const error = refusal(() => keyOf(input))
    expect(error).toBeInstanceOf(InvalidPayloadError)
    expect(error.message).toContain(message)
    expect(error.message).toContain('Job type "rates"')
  })

  it('is made of what the rules say', () => {
    const rules = cacheRules({ ttl: '1h', key: ({ from }: { from: string }) => [from, 'v2'] }, 'rates')
    expect(cacheKeyText(rules, { from: 'BRL', at: 7 }, 'rates')).toBe('["BRL","v2"]')
  })
})
