import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { isRetryable, type RetryOptions, retryDelay, retryRules } from './retry.ts'

const MINUTE = 60_000

/** All waits that rules give, one after another. */
function waits(options: RetryOptions): (number | null)[] {
  const rules = retryRules(options)
  return Array.from({ length: rules.retries + 1 }, (_, index) => retryDelay(rules, index + 1, () => 0.5))
}

describe('the waits before retries', () => {
  it.each<[string, RetryOptions, (number | null)[]]>([
    ['by default 1, 2 and 4 minutes', {}, [MINUTE, 2 * MINUTE, 4 * MINUTE, null]],
    ['none', { retries: 0 }, [null]],
    ['more of them', { retries: 5 }, [1, 2, 4, 8, 16].map((each) => each * MINUTE).concat([null] as never)],
    ['from another start', { initial: '10s' }, [10_000, 20_000, 40_000, null]],
    ['with another factor', { factor: 3, retries: 3 }, [MINUTE, 3 * MINUTE, 9 * MINUTE, null]],
    [
      'with a factor that is no whole number',
      { initial: 1_000, factor: 1.5, retries: 4 },
      [1_000, 1_500, 2_250, 3_375, null],
    ],
    ['always the same', { factor: 1, initial: '5s', retries: 3 }, [5_000, 5_000, 5_000, null]],
    [
      'up to a longest',
      { initial: '30m', max: '1h', retries: 4 },
      [30, 60, 60, 60].map((each) => each * MINUTE).concat([null] as never),
    ],
    ['one by one', { intervals: ['5s', '1m', 0] }, [5_000, MINUTE, 0, null]],
    [
      'one by one, the last of which repeats',
      { intervals: ['5s', '1m'], retries: 4 },
      [5_000, MINUTE, MINUTE, MINUTE, null],
    ],
    ['one by one, fewer than given', { intervals: ['5s', '1m'], retries: 1 }, [5_000, null]],
    ['of nothing', { initial: 0, retries: 2 }, [0, 0, null]],
  ])('are %s', (_what, options, expected) => {
    expect(waits(options)).toEqual(expected)
  })

  it('stay within a day by default, however many there are', () => {
    const all = waits({ retries: 10_000 })
    expect(all).toHaveLength(10_001)
    expect(Math.max(...all.map(Number))).toBe(86_400_000)
    expect(retryRules({ retries: 10_000 }).intervalsMs.length).toBeLessThan(20)
  })

  it('stay finite with the largest factor and the longest maximum', () => {
    const { intervalsMs } = retryRules({ retries: 10_000, factor: 1_000, max: Number.MAX_SAFE_INTEGER })
    expect(intervalsMs.every(Number.isSafeInteger)).toBe(true)
    expect(intervalsMs.length).toBeLessThan(20)
  })

  it('are safe to store as JSON', () => {
    const rules = retryRules({ nonRetryable: [TypeError, 'E_NO'], jitter: 'full' })
    expect(JSON.parse(JSON.stringify(rules))).toEqual(rules)
    expect(rules.nonRetryable).toEqual(['TypeError', 'E_NO'])
  })

  it.each<[string, RetryOptions, string]>([
    ['a negative count', { retries: -1 }, 'retries must be a whole number of 0-10000, got -1.'],
    ['too many', { retries: 10_001 }, 'retries must be a whole number of 0-10000'],
    ['a fraction of a retry', { retries: 1.5 }, 'retries must be a whole number'],
    ['a factor below one', { factor: 0.5 }, 'retry factor must be a number of 1-1000, got 0.5.'],
    ['a factor that is no number', { factor: Number.NaN }, 'retry factor must be a number'],
    ['a negative wait', { initial: -1 }, 'retry initial must be'],
    ['an interval that is none', { intervals: ['soon'] }, 'retry interval must be'],
    [
      'both intervals and a start',
      { intervals: ['1s'], initial: '1s' },
      'either intervals, or initial, factor and max; got both.',
    ],
    ['an unknown jitter', { jitter: 'half' as 'full' }, 'retry jitter must be one of none, full'],
    [
      'attempts, with the retries that they mean',
      { attempts: 1 } as RetryOptions,
      'Retry has no field "attempts"; write retries: 0 instead of attempts: 1: the first attempt is not a retry.',
    ],
    ['an unknown option', { retires: 3 } as RetryOptions, 'Did you mean "retries"?'],
    ['what is no list', { nonRetryable: 'E_NO' as unknown as string[] }, 'nonRetryable must be a list'],
  ])('are not %s', (_what, options, message) => {
    expect(refusal(() => retryRules(options)).message).toContain(message)
  })
})

describe('full jitter', () => {
  const rules = retryRules({ jitter: 'full', intervals: ['1m'] })

  it.each([
    [0, 0],
    [0.5, 30_000],
    [1 - 2 ** -32, 60_000],
  ])('chance %d waits %d ms', (chance, expected) => {
    expect(retryDelay(rules, 1, () => chance)).toBe(expected)
  })

  it('spreads 50,000 that failed together: no second has more than 5 %', () => {
    const { random } = new ManualEnv({ startAt: 0, seed: 7, isBusy: () => false })
    const seconds = new Map<number, number>()
    for (let index = 0; index < 50_000; index += 1) {
      const wait = retryDelay(rules, 1, random) ?? Number.NaN
      expect(wait).toBeLessThanOrEqual(60_000)
      const second = Math.floor(wait / 1_000)
      seconds.set(second, (seconds.get(second) ?? 0) + 1)
    }
    expect(Math.max(...seconds.values())).toBeLessThanOrEqual(2_500)
    expect(seconds.size).toBeGreaterThanOrEqual(60)
  })

  it('draws no chance where none is wanted', () => {
    const never = () => {
      throw new Error('not wanted')
    }
    expect(retryDelay(retryRules(), 1, never)).toBe(60_000)
  })
})

class Declined extends Error {}
class Stolen extends Declined {}

describe('an error is worth another try', () => {
  it.each<[string, unknown, (string | typeof Declined)[], boolean]>([
    ['where nothing else is said', new Declined(), [], true],
    ['unless its class is named', new Declined(), [Declined], false],
    ['unless a class above it is named', new Stolen(), [Declined], false],
    ['also where a class below it is named', new Declined(), [Stolen], true],
    ['unless the name of its class is given', new Stolen(), ['Stolen'], false],
    ['unless the name of a class above it is given', new Stolen(), ['Declined'], false],
    ['unless its own name is given', Object.assign(new Error('x'), { name: 'Odd' }), ['Odd'], false],
    ['unless its code is given', Object.assign(new Error('x'), { code: 'E_NO' }), ['E_OTHER', 'E_NO'], false],
    ['unless it is no error and has that code', { code: 'E_NO' }, ['E_NO'], false],
    ['where it is text', 'E_NO', ['E_NO'], true],
    ['where it is nothing', undefined, ['undefined'], true],
    ['where its code is a number', Object.assign(new Error('x'), { code: 404 }), ['404'], true],
    ['where it has no class', Object.assign(new Error('x'), { constructor: undefined }), ['E_NO'], true],
    [
      'where it cannot be looked at',
      new Proxy(new Error('x'), {
        get: () => {
          throw new Error('no')
        },
      }),
      ['E_NO'],
      true,
    ],
  ])('%s', (_when, error, nonRetryable, expected) => {
    expect(isRetryable(retryRules({ nonRetryable }), error)).toBe(expected)
  })
})
