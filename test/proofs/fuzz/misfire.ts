import fc from 'fast-check'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/duration.ts'
import {
  calendarFrom,
  initialState,
  type MisfireCause,
  type MisfirePolicyName,
  misfireRules,
  type Resolution,
  resolveMisfires,
  type TriggerJson,
  triggerFrom,
} from '../../../src/time.ts'
import { type Chance, chanceOf } from '../../suites/oracle/expressions.ts'
import {
  randomCalendar,
  randomCron,
  randomDaily,
  randomInterval,
  randomPlace,
  randomSimple,
} from '../../suites/oracle/random-json.ts'
import { type Check, check, type OpenedCheck } from './check.ts'
import { requireEqual, requireThat, within } from './expectations.ts'
import { expectedOf, type MisfireScenario, occurrences } from './naive-misfire.ts'

/** Every policy, by every name that it has. */
const POLICIES: readonly MisfirePolicyName[] = [
  'smart',
  'ignore',
  'fireNow',
  'fireOnce',
  'fireAll',
  'skipToNext',
  'rescheduleNowWithExistingCount',
  'rescheduleNowWithRemainingCount',
  'rescheduleNextWithExistingCount',
  'rescheduleNextWithRemainingCount',
  'fireImmediately',
  'fireOnceNow',
  'skipAndScheduleNext',
  'doNothing',
]
const CAUSES: readonly MisfireCause[] = [
  'outage',
  'outage',
  'outage',
  'overload',
  'paused',
  'faulted',
  'flag',
  'edited',
  'overlap',
]
/** So far ahead the oracle looks for what comes next. */
const AHEAD_MS = 3 * DAY_MS

/** A trigger that fires now and then in the days around an odd change of the clock. */
function randomScenario(seed: number): MisfireScenario {
  const chance = chanceOf(seed)
  const place = randomPlace(chance)
  const trigger = randomTrigger(chance, place)
  const calendar = chance(3) === 0 && !('endAt' in trigger) ? randomCalendar(chance, place) : null
  const seenAt = place.at - chance(2 * DAY_MS)
  const away = [chance(5 * 60_000), chance(HOUR_MS), chance(4 * DAY_MS)][chance(3)] ?? 0
  return {
    trigger,
    calendar,
    seenAt,
    now: seenAt + 1 + away,
    cause: CAUSES[chance(CAUSES.length)] ?? 'outage',
    thresholdMs: [0, 60_000, HOUR_MS, 10 * DAY_MS][chance(4)] ?? 0,
    limit: [0, 1, 3, 10, 1_000][chance(5)] ?? 0,
    maxAgeMs: chance(3) === 0 ? chance(2 * DAY_MS) : null,
    order: chance(2) === 0 ? 'oldestFirst' : 'newestFirst',
  }
}

function randomTrigger(chance: Chance, place: ReturnType<typeof randomPlace>): TriggerJson {
  switch (chance(7)) {
    case 0:
      return {
        type: 'cron',
        expression: ['* * * * *', '*/5 * * * *', '*/7 1-4 * * *'][chance(3)] ?? '',
        timeZone: place.zone,
      }
    case 1:
      return randomCron(chance, place)
    case 2:
      return randomSimple(chance, place)
    case 3:
      return randomInterval(chance, place)
    case 4:
      return { ...randomDaily(chance, place), repeatCount: -1 } as TriggerJson
    case 5:
      return { type: 'once', at: new Date(place.at - chance(2 * DAY_MS)).toISOString() }
    default:
      return {
        type: 'jittered',
        trigger: randomCron(chance, place),
        withinMs: 1 + chance(HOUR_MS),
        identity: `job ${chance(99)}`,
      }
  }
}

function resolved(scenario: MisfireScenario, policy: MisfirePolicyName): Resolution {
  const { seenAt, now, cause, thresholdMs, limit, maxAgeMs, order } = scenario
  const calendar = scenario.calendar && calendarFrom(scenario.calendar)
  const rules = misfireRules({
    policy,
    threshold: thresholdMs,
    catchUp: { limit, order, ...(maxAgeMs !== null && { maxAge: maxAgeMs }) },
  })
  return resolveMisfires(
    { state: initialState(triggerFrom(scenario.trigger), seenAt, calendar), rules, calendar },
    now,
    cause,
  )
}

function requireExact(scenario: MisfireScenario, { due, next }: Seen, policy: MisfirePolicyName): void {
  const { fire, ledger, state } = resolved(scenario, policy)
  const expected = expectedOf(scenario, policy, due)
  const counted = { firedLate: 0, consolidated: 0, skipped: 0, dropped: 0 }
  for (const { decision, count } of ledger) counted[decision] += count
  requireEqual(
    fire.map(({ scheduledAt }) => scheduledAt),
    expected.runs,
    `runs under ${policy}`,
  )
  requireEqual(counted, expected.ledger, `the ledger under ${policy}`)
  for (const { misfire, runAt, scheduledAt } of fire) {
    requireThat(runAt >= scenario.now && runAt >= scheduledAt, () => `a run at ${runAt}, before it was missed`)
    if (misfire) requireEqual(misfire.missedCount, due.length, 'how many were missed')
  }
  requireLedger(ledger, due)
  // A simple trigger counts anew from a run now, so that what comes next is another question.
  if (scenario.trigger.type === 'simple') return
  const undecided = ledger.length === 0 ? due[fire.length] : undefined
  const comes = undecided ?? next
  if (comes !== undefined) requireEqual(state.nextFireAt, comes, 'what comes next')
  else requireThat(isFarAhead(state.nextFireAt, scenario), () => `${state.nextFireAt} comes next`)
}

function isFarAhead(nextFireAt: number | null, { now }: MisfireScenario): boolean {
  return nextFireAt === null || nextFireAt >= now + AHEAD_MS
}

/** What the oracle sees of a scenario, whatever the policy. */
interface Seen {
  readonly due: readonly number[]
  /** The first occurrence after now, where it is near. */
  readonly next: number | undefined
}

function seenIn(scenario: MisfireScenario): Seen {
  const { seenAt, now } = scenario
  return { due: occurrences(scenario, seenAt + 1, now + 1), next: occurrences(scenario, now + 1, now + AHEAD_MS)[0] }
}

/** Each row covers as many occurrences as it says, and none is in two of them. */
function requireLedger(ledger: Resolution['ledger'], due: readonly number[]): void {
  const covered = ledger.flatMap(({ from, to, count }) => {
    const inside = due.filter((at) => at >= from && at <= to)
    requireEqual(inside.length, count, `occurrences from ${from} to ${to}`)
    return inside
  })
  requireThat(new Set(covered).size === covered.length, () => 'an occurrence stands in two rows of the ledger')
}

const MILLION = 1_000_000

/** Triggers of which a million or more are missed in two years, or less. */
const DENSE: readonly (readonly [json: TriggerJson, awayMs: number])[] = [
  [{ type: 'cron', expression: '* * * * *', timeZone: 'UTC' }, 731 * DAY_MS],
  [{ type: 'cron', expression: '* * * * *', timeZone: 'America/Sao_Paulo' }, 731 * DAY_MS],
  [{ type: 'cron', expression: '* * * * * *', timeZone: 'Australia/Lord_Howe' }, 731 * DAY_MS],
  [{ type: 'cron', expression: '*/2 0-29 */2 * * 1-5', timeZone: 'Europe/London', dayRule: 'and' }, 731 * DAY_MS],
  [{ type: 'simple', startAt: '2020-01-01T00:00:00.000Z', intervalMs: 1, repeatCount: -1 }, 2 * HOUR_MS],
  [{ type: 'simple', startAt: '2024-01-01T00:00:00.000Z', intervalMs: 7, repeatCount: 90_000_000 }, 30 * DAY_MS],
  [
    {
      type: 'calendarInterval',
      startAt: '2020-01-01T00:00:00.000Z',
      every: 3,
      unit: 'second',
      timeZone: 'Pacific/Apia',
    },
    731 * DAY_MS,
  ],
  [
    {
      type: 'dailyTimeInterval',
      every: 2,
      unit: 'second',
      from: '00:00',
      to: '23:59:59',
      weekdays: [1, 2, 3, 4, 5],
      timeZone: 'America/New_York',
      repeatCount: -1,
    },
    731 * DAY_MS,
  ],
  [
    {
      type: 'jittered',
      trigger: { type: 'cron', expression: '* * * * *', timeZone: 'UTC' },
      withinMs: 50_000,
      identity: 'a',
    },
    731 * DAY_MS,
  ],
]

const CALENDARS = [
  null,
  { type: 'weekly', weekdays: [0, 6] },
  { type: 'holiday', dates: ['2025-12-25', '2026-01-01'] },
  { type: 'daily', from: '22:00', to: '05:59:59.999' },
] as const

function requireQuick(
  [json, awayMs]: (typeof DENSE)[number],
  calendarJson: (typeof CALENDARS)[number],
  policy: MisfirePolicyName,
  seenAt: number,
): number {
  const trigger = triggerFrom(json)
  const calendar = calendarJson && calendarFrom(calendarJson)
  const rules = misfireRules({ policy })
  const state = initialState(trigger, seenAt, calendar)
  const { fire, ledger } = within(SECOND_MS, `${policy} after ${awayMs} ms`, () =>
    resolveMisfires({ state, rules, calendar }, seenAt + awayMs),
  )
  requireThat(fire.length <= 1_000, () => `${fire.length} runs`)
  return ledger.reduce((sum, { count }) => sum + count, 0)
}

/** How many a long outage has missed at most, beside how many were tried. */
function openLongOutages(): OpenedCheck {
  let most = 0
  const property = fc.property(
    fc.constantFrom(...DENSE),
    fc.constantFrom(...CALENDARS),
    fc.constantFrom(...POLICIES),
    fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 0, 1) }),
    (dense, calendar, policy, seenAt) => {
      most = Math.max(most, requireQuick(dense, calendar, policy, seenAt))
    },
  )
  return {
    property,
    figures: () => ({ 'occurrences missed in one of those outages': most }),
  }
}

export const misfireChecks: readonly Check[] = [
  check(
    {
      target: 'misfire',
      name: `each of ${POLICIES.length} policies decides exactly about what was missed`,
      inputs: `outages, each under ${POLICIES.length} policies`,
      share: 2,
      invariants: ['I3'],
      atLeast: 500,
    },
    () =>
      fc.property(fc.nat(), (seed) => {
        const scenario = randomScenario(seed)
        const seen = seenIn(scenario)
        for (const policy of POLICIES) requireExact(scenario, seen, policy)
      }),
  ),
  {
    target: 'misfire',
    name: `more than ${MILLION} missed are decided about within a second`,
    inputs: 'outages after which up to millions were missed',
    invariants: ['I3'],
    open: openLongOutages,
  },
]
