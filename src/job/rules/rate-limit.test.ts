import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../errors.ts'
import { grantStarts, type RateLimit, type RateLimitOptions, rateLimitOf, type Starts } from './rate-limit.ts'

const MINUTE = 60_000

describe('starts', () => {
  const rate = { limit: 3, perMs: MINUTE }
  it.each<[string, Starts[], number, number, number, number | null]>([
    ['none yet', [], 0, 2, 2, null],
    ['none yet', [], 0, 3, 3, MINUTE],
    ['none yet', [], 0, 9, 3, MINUTE],
    ['none is wanted', [{ at: 0, count: 3 }], 1, 0, 0, MINUTE],
    ['one left', [{ at: 0, count: 2 }], 10, 5, 1, MINUTE],
    ['none left', [{ at: 5, count: 3 }], 10, 5, 0, MINUTE + 5],
    ['none left, up to the last millisecond', [{ at: 0, count: 3 }], MINUTE - 1, 1, 0, MINUTE],
    ['all past', [{ at: 0, count: 3 }], MINUTE, 3, 3, 2 * MINUTE],
    [
      'one past',
      [
        { at: 0, count: 1 },
        { at: 9, count: 2 },
      ],
      MINUTE,
      3,
      1,
      MINUTE + 9,
    ],
    [
      'the limit was higher before',
      [
        { at: 0, count: 1 },
        { at: 7, count: 5 },
        { at: 9, count: 1 },
      ],
      10,
      1,
      0,
      MINUTE + 7,
    ],
    ['the clock was set back', [{ at: 500, count: 2 }], 100, 5, 1, MINUTE + 500],
  ])('%s: %j at %i, %i wanted', (_name, known, now, wanted, granted, nextAt) => {
    expect(grantStarts(known, { ...rate, wanted }, now)).toMatchObject({ granted, nextAt })
  })

  it('are never more than the limit in any stretch of time, and no more are refused than have to be', () => {
    const requests = fc.array(fc.record({ pauseMs: fc.nat(400), wanted: fc.integer({ min: 1, max: 7 }) }), {
      maxLength: 400,
    })
    const limits = fc.record({ limit: fc.integer({ min: 1, max: 300 }), perMs: fc.integer({ min: 1, max: 9_000 }) })
    fc.assert(
      fc.property(limits, requests, ({ limit, perMs }, all) => {
        const granted: { at: number; count: number }[] = []
        let known: readonly Starts[] = []
        let now = 1_000_000
        for (const { pauseMs, wanted } of all) {
          now += pauseMs
          const answer = grantStarts(known, { limit, perMs, wanted }, now)
          known = answer.starts
          granted.push({ at: now, count: answer.granted })
          const inWindow = (lengthMs: number) =>
            granted.filter(({ at }) => at > now - lengthMs).reduce((sum, { count }) => sum + count, 0)
          expect(inWindow(perMs)).toBeLessThanOrEqual(limit)
          expect(known.length).toBeLessThanOrEqual(130)
          // What is refused would be too much in a stretch that is longer by a 64th, and by nothing where few are kept.
          const sparseMs = known.length < 64 ? 0 : Math.ceil(perMs / 64)
          if (answer.granted < wanted) expect(inWindow(perMs + sparseMs)).toBeGreaterThanOrEqual(limit)
          expect(answer.nextAt === null).toBe(known.reduce((sum, { count }) => sum + count, 0) < limit)
          if (answer.nextAt !== null) {
            expect(answer.nextAt).toBeGreaterThan(now)
            expect(grantStarts(known, { limit, perMs, wanted: 1 }, answer.nextAt - 1).granted).toBe(0)
            expect(grantStarts(known, { limit, perMs, wanted: 1 }, answer.nextAt).granted).toBe(1)
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

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
