import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../src/duration.ts'
import {
  calendarInterval,
  cron,
  dailyCalendar,
  dailyTimeInterval,
  initialState,
  type MisfireCause,
  type MisfirePolicyName,
  misfireRules,
  type Resolution,
  resolveMisfires,
  weeklyCalendar,
  withCalendar,
  withJitter,
} from '../../../src/time.ts'

const START = Date.parse('2026-03-06T00:00:00Z')

const TRIGGERS = {
  'every minute': cron('* * * * *'),
  'every 20 seconds': cron('*/20 * * * * *'),
  'every half hour across a clock change': cron('*/30 * * * *', { timeZone: 'America/New_York' }),
  'with jitter': withJitter(cron('*/5 * * * *'), { within: '4m', identity: 'closing' }),
  'every 7 minutes': calendarInterval({ startAt: START, every: 7, unit: 'minute' }),
  'by day': dailyTimeInterval({ every: 15, unit: 'minute', from: '08:00', to: '18:00' }),
  'moved from the weekend': withCalendar(cron('0 */6 * * *'), weeklyCalendar(), { onExcluded: 'nextDay' }),
} as const

const CALENDARS = {
  none: null,
  weekends: weeklyCalendar(),
  nights: dailyCalendar({ from: '22:00', to: '05:59:59.999' }),
} as const

const keys = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T & string)[]))
const policies: readonly MisfirePolicyName[] = ['smart', 'fireNow', 'fireOnce', 'fireAll', 'skipToNext', 'ignore']
const causes: readonly MisfireCause[] = ['outage', 'paused', 'faulted', 'flag', 'edited', 'overload']

const scenario = fc.record({
  trigger: keys(TRIGGERS),
  calendar: keys(CALENDARS),
  policy: fc.constantFrom(...policies),
  threshold: fc.constantFrom(0, MINUTE_MS, HOUR_MS),
  limit: fc.constantFrom(0, 3, 1_000),
  order: fc.constantFrom('oldestFirst', 'newestFirst'),
  looks: fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 9 * HOUR_MS }), cause: fc.constantFrom(...causes) }), {
    minLength: 1,
    maxLength: 12,
  }),
})

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

/** All resolutions of a scheduler that looks at a job at these instants, and the last of the instants. */
function run(given: Scenario): { resolutions: Resolution[]; end: number } {
  const calendar = CALENDARS[given.calendar]
  const { policy, threshold, limit, order } = given
  const rules = misfireRules({ policy, threshold, catchUp: { limit, order: order as 'oldestFirst' } })
  const resolutions: Resolution[] = []
  let state = initialState(TRIGGERS[given.trigger], START, calendar)
  let now = START
  for (const { afterMs, cause } of given.looks) {
    now += afterMs
    do {
      const resolution = resolveMisfires({ state, rules, calendar }, now, cause)
      resolutions.push(resolution)
      state = resolution.state
    } while (state.nextFireAt !== null && state.nextFireAt <= now)
  }
  return { resolutions, end: now }
}

describe('a scheduler that looks at a job at random instants', () => {
  it('accounts for every occurrence exactly once', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { resolutions, end } = run(given)
        const calendar = CALENDARS[given.calendar]
        const trigger = TRIGGERS[given.trigger]
        const effective = calendar ? withCalendar(trigger, calendar) : trigger
        const expected = [...effective.between(START + 1, end + 1)]
        const accounted = resolutions.flatMap(({ fire, ledger }) => [
          ...fire.filter(({ misfire }) => !misfire).map(({ scheduledAt }) => scheduledAt),
          ...ledger.flatMap(({ from, to, count }) => {
            const covered = expected.filter((at) => at >= from && at <= to)
            expect(covered).toHaveLength(count)
            return covered
          }),
        ])
        expect(accounted.sort((a, b) => a - b)).toEqual(expected)
      }),
      { numRuns: 600, seed: 20261115 },
    )
  })

  it('runs each occurrence at most once, never early, and stamps late runs with what the ledger calls fired late', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { resolutions } = run(given)
        const stamps = resolutions.flatMap(({ fire }) => fire.map(({ scheduledAt }) => scheduledAt))
        expect(new Set(stamps).size).toBe(stamps.length)
        for (const { fire, ledger, policy } of resolutions) {
          const late = fire.filter(({ misfire }) => misfire)
          const firedLate = ledger.filter(({ decision }) => decision === 'firedLate')
          expect(firedLate.reduce((sum, { count }) => sum + count, 0)).toBe(late.length)
          expect(fire.every(({ scheduledAt, runAt }) => runAt >= scheduledAt)).toBe(true)
          expect(policy === null).toBe(ledger.length === 0)
        }
      }),
      { numRuns: 400, seed: 20261115 },
    )
  })
})
