import { describe, expect, it } from 'vitest'
import { isMet, KPI_KEYS, KPIS, type KpiFigures, type KpiKey, type KpiTarget } from './kpi.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MINUTE = 60_000
const SINCE = Date.UTC(2026, 0, 1)
const UNTIL = SINCE + DAY

interface Change {
  readonly measures?: Partial<KpiFigures['measures']>
  readonly workers?: number | null
  readonly meanRecoveryMs?: number
  readonly minutes?: Partial<KpiFigures['minutes']>
  readonly notifications?: Partial<KpiFigures['notifications']>
  readonly since?: number
}

function figures({ measures, minutes, notifications, ...rest }: Change = {}): KpiFigures {
  const lateness = { count: 0, onTime: 0, p50Ms: null, p95Ms: null, p99Ms: null, maxMs: null }
  const ends = { succeeded: 0, failed: 0, timedOut: 0, cancelled: 0, retried: 0, consecutiveFailures: 0 }
  return {
    since: SINCE,
    until: UNTIL,
    workers: 10,
    meanRecoveryMs: null,
    ...rest,
    measures: {
      now: UNTIL,
      measuredSince: rest.since ?? SINCE,
      ...ends,
      meanDurationMs: null,
      meanQueueMs: null,
      busyMs: 0,
      lateness,
      ...measures,
    },
    minutes: { now: UNTIL, firstAt: null, marked: 0, ...minutes },
    notifications: { failures: 0, told: 0, suppressed: 0, ...notifications },
  }
}

describe.each<[KpiKey, string, KpiTarget]>([
  ['successRate', 'percent', { min: 95 }],
  ['meanDuration', 'seconds', { max: 30 }],
  ['retryRate', 'percent', { max: 5 }],
  ['workerUtilization', 'percent', { min: 40, max: 60 }],
  ['queueTime', 'minutes', { max: 5 }],
  ['meanTimeToRecover', 'minutes', { max: 30 }],
  ['schedulerAvailability', 'percent', { min: 99.9 }],
  ['failureAlertsSent', 'percent', { min: 100 }],
])('%s', (key, unit, target) => {
  it(`is told in ${unit}, against ${JSON.stringify(target)}`, () => {
    expect(KPIS[key]).toMatchObject({ unit, target })
  })
})

it('there are eight, each with its rule', () => {
  expect(KPI_KEYS).toHaveLength(8)
  expect(Object.keys(KPIS).sort()).toEqual([...KPI_KEYS].sort())
})

describe('a KPI', () => {
  it.each<[string, KpiKey, Change, number | null, boolean | null]>([
    ['of no execution: no rate of success', 'successRate', {}, null, null],
    ['95 of 100 succeed', 'successRate', { measures: { succeeded: 95, failed: 3, timedOut: 2 } }, 95, true],
    ['94 of 100 succeed', 'successRate', { measures: { succeeded: 94, failed: 6 } }, 94, false],
    ['cancelled ones are no failure', 'successRate', { measures: { succeeded: 1, cancelled: 9 } }, 100, true],
    ['only cancelled ones say nothing', 'successRate', { measures: { cancelled: 9 } }, null, null],
    ['of no execution: no mean duration', 'meanDuration', {}, null, null],
    ['30 seconds on the average', 'meanDuration', { measures: { meanDurationMs: 30_000 } }, 30, true],
    ['a millisecond more', 'meanDuration', { measures: { meanDurationMs: 30_001 } }, 30.001, false],
    ['of no execution: no rate of retries', 'retryRate', {}, null, null],
    ['5 of 100 retried', 'retryRate', { measures: { succeeded: 90, cancelled: 10, retried: 5 } }, 5, true],
    ['6 of 100 retried', 'retryRate', { measures: { succeeded: 100, retried: 6 } }, 6, false],
    ['none retried', 'retryRate', { measures: { succeeded: 100 } }, 0, true],
    ['idle workers', 'workerUtilization', {}, 0, false],
    ['4 of 10 workers busy all day', 'workerUtilization', { measures: { busyMs: 4 * DAY } }, 40, true],
    ['6 of 10 workers busy all day', 'workerUtilization', { measures: { busyMs: 6 * DAY } }, 60, true],
    ['7 of 10 workers busy all day', 'workerUtilization', { measures: { busyMs: 7 * DAY } }, 70, false],
    [
      'one of 2 within 6 hours',
      'workerUtilization',
      { workers: 2, since: UNTIL - 6 * HOUR, measures: { busyMs: 6 * HOUR } },
      50,
      true,
    ],
    [
      'more than are measured: 5 of 10 in the last hour',
      'workerUtilization',
      { measures: { busyMs: 5 * HOUR, measuredSince: UNTIL - HOUR } },
      50,
      true,
    ],
    ['a cap that was lowered', 'workerUtilization', { workers: 1, measures: { busyMs: 3 * DAY } }, 100, false],
    ['no workers at all', 'workerUtilization', { workers: null, measures: { busyMs: DAY } }, null, null],
    ['a tenant that may run none', 'workerUtilization', { workers: 0 }, null, null],
    ['nothing waited', 'queueTime', {}, null, null],
    ['5 minutes in the queue', 'queueTime', { measures: { meanQueueMs: 5 * MINUTE } }, 5, true],
    ['6 minutes in the queue', 'queueTime', { measures: { meanQueueMs: 6 * MINUTE } }, 6, false],
    ['nothing recovered', 'meanTimeToRecover', {}, null, null],
    ['30 minutes to recover', 'meanTimeToRecover', { meanRecoveryMs: 30 * MINUTE }, 30, true],
    ['31 minutes to recover', 'meanTimeToRecover', { meanRecoveryMs: 31 * MINUTE }, 31, false],
    ['no minute is known', 'schedulerAvailability', {}, null, null],
    ['every minute of the day', 'schedulerAvailability', { minutes: { firstAt: 0, marked: 1_440 } }, 100, true],
    [
      'one minute missing is within',
      'schedulerAvailability',
      { minutes: { firstAt: 0, marked: 1_439 } },
      (1_439 / 1_440) * 100,
      true,
    ],
    [
      'two minutes missing are not',
      'schedulerAvailability',
      { minutes: { firstAt: 0, marked: 1_438 } },
      (1_438 / 1_440) * 100,
      false,
    ],
    [
      'known for an hour, all of it',
      'schedulerAvailability',
      { minutes: { firstAt: UNTIL - HOUR, marked: 60 } },
      100,
      true,
    ],
    [
      'known for an hour, half of it',
      'schedulerAvailability',
      { minutes: { firstAt: UNTIL - HOUR, marked: 30 } },
      50,
      false,
    ],
    [
      'the minute under way is not over',
      'schedulerAvailability',
      { minutes: { firstAt: UNTIL, now: UNTIL + 59_999 } },
      null,
      null,
    ],
    [
      'a window within a minute',
      'schedulerAvailability',
      { since: UNTIL - HOUR + 1, minutes: { firstAt: 0, marked: 59 } },
      100,
      true,
    ],
    ['no failure to tell', 'failureAlertsSent', {}, null, null],
    ['every failure told', 'failureAlertsSent', { notifications: { failures: 3, told: 3 } }, 100, true],
    [
      'one of a million not told',
      'failureAlertsSent',
      { notifications: { failures: 1e6, told: 1e6 - 1 } },
      99.9999,
      false,
    ],
    [
      'what nobody wants told does not count',
      'failureAlertsSent',
      { notifications: { failures: 4, told: 1, suppressed: 3 } },
      100,
      true,
    ],
    ['where nobody wants any told', 'failureAlertsSent', { notifications: { failures: 4, suppressed: 4 } }, null, null],
  ])('%s', (_what, key, change, expected, meets) => {
    const { measure, target } = KPIS[key]
    const value = measure(figures(change))
    if (expected === null) expect(value).toBeNull()
    else expect(value).toBeCloseTo(expected, 9)
    expect(isMet(value, target)).toBe(meets)
  })
})
