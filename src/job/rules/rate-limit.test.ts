import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../errors.ts'
import { type RateLimit, type RateLimitOptions, rateLimitOf } from './rate-limit.ts'

describe('a rate limit', () => {
  it.each<[RateLimitOptions, RateLimit]>([
    [
      { limit: 100, per: '1m' },
      { limit: 100, perMs: 60_000, by: 'tenant' },
    ],
    [
      { limit: 1, per: 250, by: 'type' },
      { limit: 1, perMs: 250, by: 'type' },
    ],
  ])('%j', (options, rule) => {
    expect(rateLimitOf(options, 'rateLimit')).toEqual(rule)
  })

  it.each<[unknown, string]>([
    [{ limit: 0, per: '1m' }, 'rateLimit: limit must be a whole number of 1-1000000, got 0.'],
    [{ limit: 5, per: 0 }, 'rateLimit: per must be a whole number of 1-31622400000, got 0.'],
    [{ limit: 5, per: '1m', by: 'job' }, 'rateLimit: by must be one of tenant, type, got "job".'],
    [{ limit: 5, every: '1m' }, 'rateLimit has no field "every"; its fields are limit, per, by.'],
    [5, 'rateLimit must be an object, got 5.'],
  ])('%j is refused', (options, message) => {
    expect(() => rateLimitOf(options as RateLimitOptions, 'rateLimit')).toThrow(InvalidInputError)
    expect(() => rateLimitOf(options as RateLimitOptions, 'rateLimit')).toThrow(message)
  })
})
