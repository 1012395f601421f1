import { describe, expect, it } from 'vitest'
import { type MisfirePolicyName, misfireRules } from './policy.ts'
import { resolveWaiting } from './waiting.ts'

const NOW = 1_000_000
const WAITING = [NOW - 300_000, NOW - 200_000, NOW - 10_000]

describe('occurrences that wait for a slot', () => {
  it.each<[MisfirePolicyName, number[], [string, number][]]>([
    [
      'smart',
      [NOW - 300_000],
      [
        ['firedLate', 1],
        ['consolidated', 2],
      ],
    ],
    [
      'fireNow',
      [NOW - 300_000],
      [
        ['firedLate', 1],
        ['consolidated', 2],
      ],
    ],
    [
      'fireOnce',
      [NOW - 10_000],
      [
        ['firedLate', 1],
        ['consolidated', 2],
      ],
    ],
    ['fireAll', WAITING, [['firedLate', 3]]],
    ['ignore', WAITING, [['firedLate', 3]]],
    ['skipToNext', [], [['skipped', 3]]],
  ])('%s runs %j', (policy, run, ledger) => {
    const resolution = resolveWaiting(WAITING, misfireRules({ policy }), NOW, 'overload')
    expect(resolution.run.map(({ scheduledAt }) => scheduledAt)).toEqual(run)
    expect(resolution.ledger.map(({ decision, count }) => [decision, count])).toEqual(ledger)
    expect(resolution.run.every(({ misfire }) => misfire?.cause === 'overload')).toBe(true)
  })

  it('run as on time as long as the oldest waits no longer than the threshold', () => {
    const resolution = resolveWaiting([NOW - 60_000, NOW], misfireRules({ policy: 'skipToNext' }), NOW, 'overload')
    expect(resolution).toEqual({
      run: [
        { scheduledAt: NOW - 60_000, runAt: NOW },
        { scheduledAt: NOW, runAt: NOW },
      ],
      ledger: [],
    })
  })

  it.each(['overload', 'outage'] as const)('carry the cause %s', (cause) => {
    const { run, ledger } = resolveWaiting(WAITING, misfireRules({ causes: { [cause]: 'fireOnce' } }), NOW, cause)
    expect(run).toMatchObject([{ scheduledAt: NOW - 10_000, misfire: { cause, policy: 'fireOnce' } }])
    expect(new Set(ledger.map((entry) => entry.cause))).toEqual(new Set([cause]))
  })

  it('are nothing to decide about when there are none', () => {
    expect(resolveWaiting([], misfireRules(), NOW, 'overlap')).toEqual({ run: [], ledger: [] })
  })
})

describe('occurrences that wait for the run before them', () => {
  it('become one run, stamped with the newest', () => {
    const { run } = resolveWaiting(WAITING, misfireRules({ policy: 'fireAll' }), NOW, 'overlap')
    expect(run.map(({ scheduledAt }) => scheduledAt)).toEqual([NOW - 10_000])
  })

  it('follow a policy of their own where the job has one', () => {
    const rules = misfireRules({ causes: { overlap: 'skipToNext' } })
    expect(resolveWaiting(WAITING, rules, NOW, 'overlap').run).toEqual([])
  })
})
