import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../errors.ts'
import { type MisfireOptions, type MisfirePolicy, misfireRules } from '../../time/misfire/policy.ts'
import {
  type FiredOccurrence,
  type LedgerEntry,
  type MisfireInfo,
  type Resolution,
  resolveMisfires,
} from '../../time/misfire/resolve.ts'
import type { TriggerState } from '../../time/trigger-state.ts'
import { cron } from '../../time/triggers/cron.ts'
import { dailyTimeInterval } from '../../time/triggers/daily-time-interval.ts'
import { once } from '../../time/triggers/once.ts'
import { concurrencyOf, type OverlapRule, overlapRule } from './overlap.ts'
import { resolveOverlap, type Standing, type StandingOccurrence } from './resolve-overlap.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 2, 2, 10, 10, 30)
const minute = (number: number) => Date.UTC(2026, 2, 2, 10, number)

/** What is due of a job of every minute whose next fire time is this one. */
function due(from: number, misfire: MisfireOptions = {}): Resolution {
  const state: TriggerState = {
    trigger: cron('* * * * *', { timeZone: 'UTC' }),
    nextFireAt: minute(from),
    previousFireAt: null,
    timesTriggered: 0,
  }
  return resolveMisfires({ state, rules: misfireRules(misfire) }, NOW)
}

const running = (number: number): StandingOccurrence => ({ ...waiting(number), isFresh: false })
const waiting = (number: number, missedCount = 0, policy: MisfirePolicy = 'fireOnce'): StandingOccurrence => ({
  executionId: `execution-${number}`,
  scheduledAt: minute(number),
  misfire: missedCount === 0 ? null : misfireOf(minute(number), policy, missedCount),
  isFresh: true,
})

function misfireOf(scheduledAt: number, policy: MisfirePolicy, missedCount: number): MisfireInfo {
  return { scheduledAt, detectedAt: NOW, delayMs: NOW - scheduledAt, policy, missedCount, cause: 'overlap' }
}

const busy = (...occurrences: StandingOccurrence[]): Standing => ({ isBusy: true, occurrences })
const IDLE: Standing = { isBusy: false, occurrences: [] }
const MANUAL = busy()

const clock = (instant: number) => new Date(instant).toISOString().slice(11, 16)
const shownFire = ({ scheduledAt, misfire }: FiredOccurrence) =>
  misfire ? `${clock(scheduledAt)} for ${misfire.missedCount} by ${misfire.cause}` : clock(scheduledAt)
const shownEntry = ({ from, to, count, decision, cause }: LedgerEntry) =>
  `${count} ${decision} ${from === to ? clock(from) : `${clock(from)}-${clock(to)}`} ${cause}`

/** What is decided, in words. */
function decided(from: number, standing: Standing, rule: OverlapRule, misfire: MisfireOptions = {}) {
  const resolution = due(from, misfire)
  const overlap = resolveOverlap(resolution, standing, rule, misfireRules(misfire), NOW)
  const isSkipped = overlap.missed > 0 && overlap.resolution.policy === 'skipToNext'
  const uncounted = isSkipped ? resolution.fire.length - overlap.resolution.fire.length : 0
  const { timesTriggered } = resolution.state
  expect(overlap.resolution.state).toEqual({ ...resolution.state, timesTriggered: timesTriggered - uncounted })
  return {
    fire: overlap.resolution.fire.map(shownFire),
    ledger: overlap.resolution.ledger.map(shownEntry),
    policy: overlap.resolution.policy,
    missed: overlap.missed,
    consolidated: overlap.consolidated.map(({ scheduledAt }) => clock(scheduledAt)),
    carrier:
      overlap.carrier && shownFire({ ...overlap.carrier.occurrence, runAt: NOW, misfire: overlap.carrier.misfire }),
    replaced: overlap.replaced.map(({ scheduledAt }) => clock(scheduledAt)),
  }
}

type Decided = Partial<ReturnType<typeof decided>>
const NOTHING = { fire: [], ledger: [], policy: null, missed: 0, consolidated: [], carrier: null, replaced: [] }

describe('10:10 is due on time', () => {
  const onTime: Decided = { fire: ['10:10'] }
  const causes = (overlap: MisfirePolicy) => ({ causes: { overlap } })
  it.each<[string, OverlapRule, Standing, MisfireOptions, Decided]>([
    ['nothing stands', 'allow', IDLE, {}, onTime],
    ['nothing stands', 'queue', IDLE, {}, onTime],
    ['nothing stands', 'skip', IDLE, {}, onTime],
    ['nothing stands', 'replace', IDLE, {}, onTime],
    ['one runs', 'allow', busy(running(9)), {}, onTime],
    ['one runs', { atMost: 1 }, busy(running(9)), {}, onTime],
    ['one runs', 'queue', busy(running(9)), {}, onTime],
    [
      'one runs',
      'skip',
      busy(running(9)),
      {},
      { ledger: ['1 skipped 10:10 overlap'], policy: 'skipToNext', missed: 1 },
    ],
    ['one runs', 'replace', busy(running(9)), {}, { ...onTime, replaced: ['10:09'] }],
    ['a manual run stands', 'queue', MANUAL, {}, onTime],
    [
      'a manual run stands',
      'skip',
      MANUAL,
      {},
      { ledger: ['1 skipped 10:10 overlap'], policy: 'skipToNext', missed: 1 },
    ],
    ['a manual run stands', 'replace', MANUAL, {}, onTime],
    ['one runs, one waits', 'allow', busy(running(8), waiting(9)), {}, onTime],
    ['one runs, one waits', { atMost: 2 }, busy(running(8), waiting(9)), {}, onTime],
    [
      'one runs, one waits',
      'queue',
      busy(running(8), waiting(9)),
      {},
      {
        fire: ['10:10 for 2 by overlap'],
        ledger: ['1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 2,
        consolidated: ['10:09'],
      },
    ],
    [
      'one waits that stands for three',
      'queue',
      busy(running(6), waiting(9, 3)),
      {},
      {
        fire: ['10:10 for 4 by overlap'],
        ledger: ['1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 4,
        consolidated: ['10:09'],
      },
    ],
    [
      'two wait after a crash',
      'queue',
      busy(waiting(8), waiting(9)),
      {},
      {
        fire: ['10:10 for 3 by overlap'],
        ledger: ['1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 3,
        consolidated: ['10:08', '10:09'],
      },
    ],
    [
      'one waits',
      'queue',
      busy(waiting(9)),
      causes('fireNow'),
      {
        ledger: ['1 consolidated 10:10 overlap'],
        policy: 'fireNow',
        missed: 2,
        carrier: '10:09 for 2 by overlap',
      },
    ],
    [
      'one waits',
      'queue',
      busy(waiting(9)),
      causes('smart'),
      { ledger: ['1 consolidated 10:10 overlap'], policy: 'fireNow', missed: 2, carrier: '10:09 for 2 by overlap' },
    ],
    [
      'one waits',
      'queue',
      busy(waiting(9)),
      causes('rescheduleNowWithExistingCount'),
      { ledger: ['1 consolidated 10:10 overlap'], policy: 'fireNow', missed: 2, carrier: '10:09 for 2 by overlap' },
    ],
    [
      'two wait after a crash',
      'queue',
      busy(waiting(8), waiting(9)),
      causes('fireNow'),
      {
        ledger: ['1 consolidated 10:10 overlap'],
        policy: 'fireNow',
        missed: 3,
        consolidated: ['10:09'],
        carrier: '10:08 for 3 by overlap',
      },
    ],
    [
      'one waits',
      'queue',
      busy(waiting(9)),
      causes('skipToNext'),
      { ledger: ['1 skipped 10:10 overlap'], policy: 'skipToNext', missed: 1 },
    ],
    [
      'one waits',
      'queue',
      busy(waiting(9)),
      causes('rescheduleNextWithRemainingCount'),
      { ledger: ['1 skipped 10:10 overlap'], policy: 'skipToNext', missed: 1 },
    ],
    ['one waits', 'queue', busy(waiting(9)), causes('fireAll'), onTime],
    ['one waits', 'queue', busy(waiting(9)), causes('ignore'), onTime],
    ['a catch-up waits one by one', 'queue', busy(waiting(8, 9, 'fireAll'), waiting(9, 9, 'fireAll')), {}, onTime],
    [
      'one waits',
      'skip',
      busy(waiting(9)),
      {},
      { ledger: ['1 skipped 10:10 overlap'], policy: 'skipToNext', missed: 1 },
    ],
    [
      'one runs, one waits',
      'replace',
      busy(running(8), waiting(9)),
      {},
      {
        fire: ['10:10 for 2 by overlap'],
        ledger: ['1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 2,
        consolidated: ['10:09'],
        replaced: ['10:08', '10:09'],
      },
    ],
    [
      'one waits that stands for three',
      'replace',
      busy(waiting(9, 3)),
      {},
      {
        fire: ['10:10 for 4 by overlap'],
        ledger: ['1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 4,
        consolidated: ['10:09'],
        replaced: ['10:09'],
      },
    ],
  ])('%s, %j', (_name, rule, standing, misfire, expected) => {
    expect(decided(10, standing, rule, misfire)).toEqual({ ...NOTHING, ...expected })
  })
})

describe('10:09 and 10:10 are due together, on time', () => {
  const threshold = { threshold: '5m' } as const
  it.each<[string, OverlapRule, Standing, MisfireOptions, Decided]>([
    ['nothing stands', 'allow', IDLE, {}, { fire: ['10:09', '10:10'] }],
    [
      'nothing stands',
      'queue',
      IDLE,
      {},
      {
        fire: ['10:10 for 2 by overlap'],
        ledger: ['1 consolidated 10:09 overlap', '1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 2,
      },
    ],
    [
      'nothing stands',
      'queue',
      IDLE,
      { causes: { overlap: 'fireNow' } },
      {
        fire: ['10:09 for 2 by overlap'],
        ledger: ['1 consolidated 10:10 overlap', '1 firedLate 10:09 overlap'],
        policy: 'fireNow',
        missed: 2,
      },
    ],
    [
      'nothing stands',
      'queue',
      IDLE,
      { causes: { overlap: 'skipToNext' } },
      { fire: ['10:09'], ledger: ['1 skipped 10:10 overlap'], policy: 'skipToNext', missed: 1 },
    ],
    [
      'nothing stands',
      'skip',
      IDLE,
      {},
      { fire: ['10:09'], ledger: ['1 skipped 10:10 overlap'], policy: 'skipToNext', missed: 1 },
    ],
    [
      'one runs',
      'skip',
      busy(running(8)),
      {},
      { ledger: ['2 skipped 10:09-10:10 overlap'], policy: 'skipToNext', missed: 2 },
    ],
    [
      'one runs',
      'replace',
      busy(running(8)),
      {},
      {
        fire: ['10:10 for 2 by overlap'],
        ledger: ['1 consolidated 10:09 overlap', '1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 2,
        replaced: ['10:08'],
      },
    ],
  ])('%s, %j', (_name, rule, standing, misfire, expected) => {
    expect(decided(9, standing, rule, { ...threshold, ...misfire })).toEqual({ ...NOTHING, ...expected })
  })
})

describe('10:06 to 10:10 were missed in an outage', () => {
  const outage = ['4 consolidated 10:06-10:09 outage', '1 firedLate 10:10 outage']
  it.each<[MisfirePolicy, OverlapRule, Standing, Decided]>([
    ['fireOnce', 'queue', IDLE, { fire: ['10:10 for 5 by outage'], ledger: outage, policy: 'fireOnce' }],
    ['fireOnce', 'queue', busy(running(5)), { fire: ['10:10 for 5 by outage'], ledger: outage, policy: 'fireOnce' }],
    [
      'fireOnce',
      'queue',
      busy(waiting(5)),
      {
        fire: ['10:10 for 6 by overlap'],
        ledger: ['4 consolidated 10:06-10:09 outage', '1 firedLate 10:10 overlap'],
        policy: 'fireOnce',
        missed: 6,
        consolidated: ['10:05'],
      },
    ],
    ['fireOnce', 'skip', IDLE, { fire: ['10:10 for 5 by outage'], ledger: outage, policy: 'fireOnce' }],
    [
      'fireOnce',
      'skip',
      busy(running(5)),
      {
        ledger: ['4 skipped 10:06-10:09 overlap', '1 skipped 10:10 overlap'],
        policy: 'skipToNext',
        missed: 5,
      },
    ],
    [
      'fireOnce',
      'replace',
      busy(running(5)),
      { fire: ['10:10 for 5 by outage'], ledger: outage, policy: 'fireOnce', replaced: ['10:05'] },
    ],
    [
      'fireAll',
      'queue',
      busy(running(5)),
      {
        fire: [6, 7, 8, 9, 10].map((each) => `${clock(minute(each))} for 5 by outage`),
        ledger: ['5 firedLate 10:06-10:10 outage'],
        policy: 'fireAll',
      },
    ],
    [
      'fireAll',
      'skip',
      IDLE,
      {
        fire: [6, 7, 8, 9, 10].map((each) => `${clock(minute(each))} for 5 by outage`),
        ledger: ['5 firedLate 10:06-10:10 outage'],
        policy: 'fireAll',
      },
    ],
    [
      'fireAll',
      'skip',
      busy(running(5)),
      { ledger: ['5 skipped 10:06-10:10 overlap'], policy: 'skipToNext', missed: 5 },
    ],
    [
      'fireAll',
      'replace',
      busy(running(5)),
      {
        fire: ['10:10 for 5 by outage'],
        ledger: ['4 consolidated 10:06-10:09 overlap', '1 firedLate 10:10 outage'],
        policy: 'fireOnce',
        missed: 5,
        replaced: ['10:05'],
      },
    ],
    ['skipToNext', 'replace', busy(running(5)), { ledger: ['5 skipped 10:06-10:10 outage'], policy: 'skipToNext' }],
  ])('%s, %j', (policy, rule, standing, expected) => {
    expect(decided(6, standing, rule, { policy })).toEqual({ ...NOTHING, ...expected })
  })
})

describe('a trigger of every second with two fires left, which are due together with others', () => {
  const startAt = NOW - 9_000
  const trigger = dailyTimeInterval({ every: 1, unit: 'second', startAt, repeatCount: 9 })
  const resolved = (standing: Standing) => {
    const state = { trigger, nextFireAt: startAt, previousFireAt: null, timesTriggered: 8 }
    const resolution = resolveMisfires({ state, rules: misfireRules() }, NOW)
    return resolveOverlap(resolution, standing, 'skip', misfireRules(), NOW)
  }
  const skipped = (from: number, count: number) =>
    [{ from, to: from + (count - 1) * 1_000, count, decision: 'skipped', cause: 'overlap' }] as const

  it.each<[string, Standing, number, Partial<TriggerState>, readonly LedgerEntry[]]>([
    [
      'while one runs, all are skipped, and none counts',
      MANUAL,
      10,
      { timesTriggered: 8, nextFireAt: NOW + 1_000 },
      [...skipped(startAt, 2), ...skipped(startAt + 2_000, 8)],
    ],
    [
      'while none runs, the first runs, and it alone counts',
      IDLE,
      9,
      { timesTriggered: 9, nextFireAt: NOW + 1_000 },
      [...skipped(startAt + 1_000, 1), ...skipped(startAt + 2_000, 8)],
    ],
  ])('%s', (_name, standing, missed, state, ledger) => {
    const overlap = resolved(standing)
    expect(overlap.resolution.state).toMatchObject(state)
    expect(overlap.resolution.ledger).toEqual(ledger)
    expect(overlap.missed).toBe(missed)
  })
})

describe('a one-time trigger', () => {
  it.each<[OverlapRule]>([['queue'], ['skip'], ['replace']])('is never left out by %j', (rule) => {
    const state = { trigger: once(minute(9)), nextFireAt: minute(9), previousFireAt: null, timesTriggered: 0 }
    const rules = misfireRules()
    const resolution = resolveMisfires({ state, rules }, NOW)
    const overlap = resolveOverlap(resolution, MANUAL, rule, rules, NOW)
    expect(overlap.resolution.fire).toEqual([{ scheduledAt: minute(9), runAt: NOW }])
    expect(overlap.missed).toBe(0)
  })
})

describe('the run that stands for others', () => {
  it('says when it was due, how late it is, and why', () => {
    const rules = misfireRules()
    const overlap = resolveOverlap(due(10), busy(waiting(9)), 'queue', rules, NOW)
    expect(overlap.resolution.fire).toEqual([
      {
        scheduledAt: minute(10),
        runAt: NOW,
        misfire: {
          scheduledAt: minute(10),
          detectedAt: NOW,
          delayMs: MINUTE / 2,
          policy: 'fireOnce',
          missedCount: 2,
          cause: 'overlap',
        },
      },
    ])
  })
})

describe('how many may run at once', () => {
  it.each<[OverlapRule, number | null]>([
    ['allow', null],
    ['queue', 1],
    ['skip', 1],
    ['replace', 1],
    [{ atMost: 1 }, 1],
    [{ atMost: 7 }, 7],
  ])('%j: %j', (rule, concurrency) => {
    expect(overlapRule(rule)).toEqual(rule)
    expect(concurrencyOf(rule)).toBe(concurrency)
  })
})

describe('what is no rule', () => {
  it.each<[unknown, string]>([
    ['skp', 'overlap must be one of allow, queue, skip, replace, got "skp". Did you mean "skip"?'],
    [3, 'overlap must be one of allow, queue, skip, replace, or { atMost: n }, got 3.'],
    [null, 'overlap must be one of allow, queue, skip, replace, or { atMost: n }, got null.'],
    [{ atMost: 0 }, 'overlap.atMost must be a whole number of 1-10000, got 0.'],
    [{ atMost: 1.5 }, 'overlap.atMost must be a whole number of 1-10000, got 1.5.'],
    [{}, 'overlap.atMost must be a whole number of 1-10000, got nothing.'],
    [{ most: 3 }, 'overlap has no field "most"; its fields are atMost. Did you mean "atMost"?'],
  ])('%j is refused', (rule, message) => {
    expect(() => overlapRule(rule as OverlapRule)).toThrow(InvalidInputError)
    expect(() => overlapRule(rule as OverlapRule)).toThrow(message)
  })
})
