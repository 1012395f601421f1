import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { type CacheOptions, cacheRules } from './cache.ts'

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
