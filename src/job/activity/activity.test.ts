import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../../test/harness/instants.ts'
import { isRetryable } from '../rules/retry.ts'
import { type Activity, type AnyActivity, activity, activityRules, type CallOptions, rulesOfCall } from './activity.ts'

const run = () => 'done'
const declare = (options: Record<string, unknown>, id = 'charge') => activity(id, { run, ...options })

describe('an activity', () => {
  it('has defaults for all but its id and its work', () => {
    const plain = activity('charge', { run })
    expect(plain).toMatchObject({
      id: 'charge',
      schema: null,
      outputSchema: null,
      hasCompensation: false,
      rules: {
        attemptMs: null,
        startMs: null,
        totalMs: null,
        heartbeatMs: null,
        queue: null,
        retry: { retries: 3 },
      },
    })
    expect(plain.keyOf(undefined)).toBeNull()
    expect(Object.isFrozen(plain)).toBe(true)
  })

  it('knows the types of its input and output', () => {
    const charge = activity('charge', {
      input: z.object({ cents: z.string().transform(BigInt) }),
      output: z.object({ at: z.date() }),
      idempotencyKey: ({ cents }) => `${cents}`,
      run: ({ cents }, { attempt, signal }) => ({ at: new Date(Number(cents) + attempt + Number(signal.aborted)) }),
      compensate: ({ cents }, { output }) => [cents, output?.at.getTime()],
    })
    expectTypeOf(charge).toExtend<Activity<{ cents: bigint }, { at: Date }, { cents: string }>>()
    expect(charge.keyOf({ cents: 5n })).toBe('5')
    expect(charge.hasCompensation).toBe(true)
    const list: AnyActivity[] = [charge, activity('none', { run: () => {} })]
    expect(list).toHaveLength(2)
  })

  it.each<[string, Record<string, unknown>, object]>([
    ['one duration for one attempt', { timeout: '30s' }, { attemptMs: 30_000, totalMs: null }],
    [
      'all four',
      { timeout: { attempt: '1s', start: '2s', total: '3s', heartbeat: 4 } },
      { attemptMs: 1_000, startMs: 2_000, totalMs: 3_000, heartbeatMs: 4 },
    ],
    ['a queue', { queue: 'mail' }, { queue: 'mail' }],
    ['no retries', { retry: { retries: 0 } }, { retry: expect.objectContaining({ retries: 0 }) as unknown }],
  ])('takes %s', (_what, options, rules) => {
    expect(declare(options).rules).toMatchObject(rules)
  })

  it('is not tried again after errors it names', () => {
    class CardDeclined extends Error {}
    const { retry } = declare({ retry: { nonRetryable: [CardDeclined, 'E_STOLEN'] } }).rules
    expect(isRetryable(retry, new CardDeclined())).toBe(false)
    expect(isRetryable(retry, Object.assign(new Error('no'), { code: 'E_STOLEN' }))).toBe(false)
    expect(isRetryable(retry, new Error('no'))).toBe(true)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown option', { retires: 1 }, 'Activity "charge" has no field "retires"'],
    ['a misspelt one, with a hint', { timout: 1 }, 'Did you mean "timeout"?'],
    ['no work', { run: undefined }, 'Activity "charge": run must be a function, got nothing.'],
    ['work that is none', { compensate: 'x' }, 'Activity "charge": compensate must be a function, got "x".'],
    ['an input that is no schema', { input: {} }, 'Activity "charge": input must be a schema'],
    ['an output that is no schema', { output: {} }, 'Activity "charge": output must be a schema'],
    ['a timeout of nothing', { timeout: 0 }, 'timeout must be longer than nothing, got 0.'],
    ['an unknown timeout', { timeout: { begin: '1s' } }, 'timeout has no field "begin"'],
    ['a total of nothing', { timeout: { total: '0s' } }, 'timeout.total must be longer than nothing'],
    ['fewer than no retries', { retry: { retries: -1 } }, 'retries must be a whole number of 0-10000, got -1.'],
    [
      'attempts, with the retries that they mean',
      { retry: { attempts: 5 } },
      'Activity retry has no field "attempts"; write retries: 4 instead of attempts: 5: the first attempt is not a retry.',
    ],
    [
      'attempts that are no count',
      { retry: { attempts: 0 } },
      'Activity retry has no field "attempts"; it takes retries: the first attempt is not a retry.',
    ],
    ['intervals', { retry: { intervals: ['1s'] } }, 'Activity retry has no field "intervals"'],
    ['an empty queue', { queue: '' }, 'queue must be text'],
    ['a key that is a text', { idempotencyKey: 'x' }, 'idempotencyKey must be a function'],
  ])('is refused with %s', (_what, options, message) => {
    expect(refusal(() => declare(options)).message).toContain(message)
  })

  it('is refused without an id, and its key where it is none', () => {
    expect(refusal(() => declare({}, '')).message).toContain('Activity id must be text')
    const keyed = declare({ idempotencyKey: () => '' })
    expect(refusal(() => keyed.keyOf(undefined)).message).toContain('Activity "charge": idempotencyKey must be text')
  })
})

describe('the rules of a call', () => {
  const rules = activityRules({ timeout: { attempt: '1s', total: '1m' }, retry: { retries: 1 }, queue: 'mail' })

  it('are those of the activity where the call says nothing', () => {
    expect(rulesOfCall(rules, {})).toBe(rules)
    expect(rulesOfCall(rules, { idempotencyKey: 'k' })).toBe(rules)
  })

  it('take the place of the timeouts, or of the retries, as a whole', () => {
    expect(rulesOfCall(rules, { timeout: '5s' })).toEqual({ ...rules, attemptMs: 5_000, totalMs: null })
    expect(rulesOfCall(rules, { retry: { retries: 8 } })).toMatchObject({ attemptMs: 1_000, retry: { retries: 8 } })
  })

  it.each([
    [{ queue: 'other' }, 'Call options has no field "queue"'],
    [{ idempotencyKey: '' }, 'idempotencyKey must be text'],
    [{ timeout: -1 }, 'timeout must be'],
  ])('are refused: %j', (options, message) => {
    expect(refusal(() => rulesOfCall(rules, options as CallOptions)).message).toContain(message)
  })
})
