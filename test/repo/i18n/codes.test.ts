import { describe, expect, it } from 'vitest'
import { API_CODES } from '../../../src/service/i18n/codes.ts'
import { thrownCodes } from './thrown-codes.ts'

/** Codes that no answer can have, with why that is so. */
const NEVER_ANSWERED: readonly (readonly [why: string, ...codes: readonly (string | RegExp)[]])[] = [
  [
    'told to whoever starts the application',
    /^(identity|encryption|dashboard)\./,
    'cors.origin_invalid',
    'isolate.elsewhere',
    'isolate.module_missing',
    'isolate.nested',
    'isolate.unsendable',
    'job.declared_twice',
    'job_type.declared_twice',
    'limits.invalid',
    'metrics.token_short',
    'override.invalid',
    'override.not_cron',
    'serve.loopback_only',
  ],
  [
    'told to code that calls the engine itself',
    /^chain\./,
    'execution.other_type',
    'wait.timeout',
    'store.no_transactions',
  ],
  [
    'how an execution or a delivery ends, which is recorded as it is',
    /^(activity|batch|child|command|durable|http|node)\./,
    'archive.too_young',
    'execution.cancelled',
    'execution.gone',
    'execution.non_retryable',
    'execution.over',
    'execution.timeout',
    'execution.unstorable',
    'isolate.crashed',
    'mail.late',
    'target_unreachable',
  ],
  ['what a store says about itself, answered as unavailable or internal', /^store\./, 'payload.unreadable'],
  ['an application that was stopped, answered as unavailable', 'pontual.stopped'],
  ['credentials that hold for nobody, answered as unauthenticated', 'name.reserved'],
  ['kinds of activities, no codes', 'activity', 'compensation'],
]

const known = new Set<string>(API_CODES)
const thrown = thrownCodes()
const isNeverAnswered = (code: string) =>
  NEVER_ANSWERED.some(([, ...codes]) =>
    codes.some((each) => (each instanceof RegExp ? each.test(code) : each === code)),
  )

describe('a code that something is refused with', () => {
  it('has a sentence in every language, or is never answered', () => {
    const missing = thrown.filter(({ code }) => !known.has(code) && !isNeverAnswered(code))
    expect(missing.map(({ code, file }) => `${code} in ${file}`)).toEqual([])
  })

  it('is found wherever it is written down', () => {
    const found = new Set(thrown.map(({ code }) => code))
    for (const code of [
      'cron.field_count',
      'job.name_taken',
      'rate_limited',
      'duplicate_key',
      'expected.id',
      'required',
    ])
      expect(found).toContain(code)
    expect(found.size).toBeGreaterThan(150)
  })

  it('is not listed where it cannot be thrown any more', () => {
    const given = new Set(thrown.map(({ code }) => code))
    const idle = NEVER_ANSWERED.flatMap(([, ...codes]) => codes).filter((each) => typeof each === 'string')
    expect(idle.filter((code) => !given.has(code))).toEqual([])
  })
})
