import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../errors.ts'
import { misfirePolicy, misfireRules, policyFor } from './policy.ts'

describe('misfire rules', () => {
  it('have the defaults of the contract', () => {
    expect(misfireRules()).toEqual({
      policy: 'smart',
      thresholdMs: 60_000,
      causes: {},
      catchUp: { limit: 1_000, maxAgeMs: null, order: 'oldestFirst', spacingMs: 0 },
    })
  })

  it.each([
    ['fireImmediately', 'fireNow'],
    ['fireOnceNow', 'fireNow'],
    ['skipAndScheduleNext', 'skipToNext'],
    ['doNothing', 'skipToNext'],
    ['rescheduleNowWithRemainingCount', 'rescheduleNowWithRemainingCount'],
  ])('know %s as %s', (name, policy) => {
    expect(misfirePolicy(name)).toBe(policy)
  })

  it.each([
    [() => misfirePolicy('fireAl'), 'misfire.policy_unknown', 'Did you mean "fireAll"?'],
    [() => misfirePolicy('constructor'), 'misfire.policy_unknown', 'got "constructor"'],
    [() => misfirePolicy({ toString: 1 } as never), 'misfire.policy_unknown', 'got an object'],
    [() => misfirePolicy(['doNothing'] as never), 'misfire.policy_unknown', 'got a list of 1'],
    [() => misfireRules({ threshold: 'soon' }), 'duration.invalid', 'misfire threshold'],
    [() => misfireRules({ threshold: -1 }), 'duration.invalid', 'got -1'],
    [() => misfireRules({ catchUp: { limit: 1.5 } }), 'option.invalid', 'catch-up limit'],
    [() => misfireRules({ causes: { meteor: 'fireNow' } as never }), 'option.invalid', 'misfire cause'],
  ])('refuse what they do not know: %s', (make, code, part) => {
    expect(make).toThrow(InvalidInputError)
    expect(make).toThrow(expect.objectContaining({ code }))
    expect(make).toThrow(part)
  })

  it.each([
    ['outage', 'fireAll'],
    ['overload', 'fireAll'],
    ['overlap', 'fireOnce'],
    ['paused', 'skipToNext'],
    ['faulted', 'skipToNext'],
    ['flag', 'skipToNext'],
  ] as const)('answer %s with %s where the job says fireAll', (cause, policy) => {
    expect(policyFor(misfireRules({ policy: 'fireAll' }), cause)).toBe(policy)
  })
})
