import { describe, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import { DAY_MS } from '../../duration.ts'
import type { JobSchedule } from '../../job/job.ts'
import { weeklyCalendar } from '../../time/calendars/days.ts'
import { cronCalendar } from '../../time/calendars/times-of-day.ts'
import { stepsTaken } from '../../time/search.ts'
import { initialState, stateAfterFire } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import type { TriggerJson } from '../../time/triggers/json.ts'
import { type Fires, FireTimes } from './fire-times.ts'
import { type NamedCalendar, Turns } from './rules.ts'

const NOW = Date.UTC(2026, 9, 20, 10, 30)
const STRETCH = { from: NOW, to: NOW + 10 * DAY_MS }
const WEEKDAYS: NamedCalendar = {
  name: 'weekdays',
  calendar: weeklyCalendar({ weekdays: [0, 6], timeZone: 'America/New_York' }),
}

const instants = (fires: Fires) => Array.from({ length: fires.count }, (_, index) => fires.at(index))
const timesIn = (stretch = STRETCH) => new FireTimes(stretch, new Turns(systemEnv))

/** A job that waits for its first fire after an instant, under a calendar. */
function scheduled(trigger: TriggerJson, calendar: NamedCalendar | null, after = NOW, fired = 0): JobSchedule {
  let state = initialState(triggerFrom(trigger), after, calendar?.calendar ?? null)
  for (let n = 0; n < fired; n += 1) state = stateAfterFire(state, calendar?.calendar ?? null)
  return { ...state, currentTrigger: state.trigger.toJSON() }
}

/** As the engine would fire it, one by one. */
function firedIn(schedule: JobSchedule, calendar: NamedCalendar | null, { from, to } = STRETCH): number[] {
  const found: number[] = []
  let state = { ...schedule, trigger: triggerFrom(schedule.currentTrigger) }
  while (state.nextFireAt !== null && state.nextFireAt < to) {
    if (state.nextFireAt >= from) found.push(state.nextFireAt)
    state = { ...state, ...stateAfterFire(state, calendar?.calendar ?? null) }
  }
  return found
}

const TRIGGERS: readonly [string, TriggerJson][] = [
  ['every hour', { type: 'cron', expression: '0 * * * *', timeZone: 'UTC' }],
  ['every night in a zone whose clocks change', { type: 'cron', expression: '30 1 * * *', timeZone: 'Europe/Berlin' }],
  ['with an H', { type: 'cron', expression: 'H H * * *', timeZone: 'UTC', identity: 'a' }],
  ['until an end', { type: 'cron', expression: '0 * * * *', timeZone: 'UTC', endAt: '2026-10-21T00:00:00.000Z' }],
  ['once', { type: 'once', at: '2026-10-25T00:00:00.000Z' }],
  ['once, and that is past', { type: 'once', at: '2026-10-01T00:00:00.000Z' }],
  ['so many times', { type: 'simple', startAt: '2026-10-20T00:00:00.000Z', intervalMs: 7_200_000, repeatCount: 9 }],
  [
    'every month',
    {
      type: 'calendarInterval',
      startAt: '2026-01-25T08:00:00.000Z',
      every: 1,
      unit: 'month',
      timeZone: 'America/Sao_Paulo',
    },
  ],
  [
    'several times a day, so often',
    {
      type: 'dailyTimeInterval',
      startAt: '2026-10-19T00:00:00.000Z',
      every: 90,
      unit: 'minute',
      from: '08:00:00',
      to: '18:00:00',
      weekdays: [1, 2, 3, 4, 5],
      timeZone: 'America/New_York',
      repeatCount: 20,
    },
  ],
  [
    'later than others',
    {
      type: 'jittered',
      trigger: { type: 'cron', expression: '0 */6 * * *', timeZone: 'UTC' },
      withinMs: 20_000_000,
      identity: 'x',
    },
  ],
]

describe('the fires of a job', () => {
  describe.each(TRIGGERS)('that fires %s', (_what, trigger) => {
    it.each<[string, NamedCalendar | null]>([
      ['without a calendar', null],
      ['under one', WEEKDAYS],
    ])('are those that the engine fires, %s', async (_which, calendar) => {
      for (const [after, fired] of [
        [NOW, 0],
        [NOW - 3 * DAY_MS, 0],
        [NOW - 3 * DAY_MS, 2],
      ] as const) {
        const schedule = scheduled(trigger, calendar, after, fired)
        const times = timesIn()
        expect(instants(await times.ofJob(schedule, calendar))).toEqual(firedIn(schedule, calendar))
        expect(times.isPartial).toBe(false)
      }
    })
  })

  it('begin with the stored one, though its rule has another', async () => {
    const schedule = {
      ...scheduled({ type: 'cron', expression: '0 0 * * *', timeZone: 'UTC' }, null),
      nextFireAt: NOW + 5,
    }
    const [first, second] = instants(await timesIn().ofJob(schedule, null))
    expect([first, second]).toEqual([NOW + 5, Date.UTC(2026, 9, 21)])
  })

  it('are found once for jobs with the same rule, and shared by those that fire together', async () => {
    const times = timesIn()
    const cron = (identity: string, expression = '0 * * * *'): JobSchedule =>
      scheduled({ type: 'cron', expression, timeZone: 'UTC', identity }, null)
    expect(await times.ofJob(cron('a'), null)).toBe(await times.ofJob(cron('b'), null))
    expect(await times.ofJob(cron('a'), null)).not.toBe(await times.ofJob(cron('a'), WEEKDAYS))
    expect(await times.ofJob(cron('a', 'H * * * *'), null)).not.toBe(await times.ofJob(cron('b', 'H * * * *'), null))
  })

  it('are told of as far as they are found, where there are too many', async () => {
    const times = timesIn({ from: NOW, to: NOW + 45 * DAY_MS })
    const every = scheduled({ type: 'cron', expression: '* * * * * *', timeZone: 'UTC', fields: 6 }, null)
    expect((await times.ofJob(every, null)).count).toBeGreaterThan(99_990)
    expect(times.isPartial).toBe(true)
    const daily = scheduled({ type: 'cron', expression: '0 0 * * *', timeZone: 'UTC' }, null)
    expect((await times.ofJob(daily, null)).count).toBe(45)
  })

  it('cost little more where too much was asked for already, and those of a rare job are all told', async () => {
    const times = timesIn({ from: NOW, to: NOW + 45 * DAY_MS })
    const before = stepsTaken()
    for (let ms = 0; ms < 100; ms += 1) {
      const startAt = new Date(NOW + ms).toISOString()
      await times.ofJob(scheduled({ type: 'simple', startAt, intervalMs: 60_000, repeatCount: -1 }, null), null)
    }
    expect(times.isPartial).toBe(true)
    expect(stepsTaken() - before).toBeLessThan(1_100_000)
    const daily = scheduled({ type: 'cron', expression: '0 0 * * *', timeZone: 'UTC' }, WEEKDAYS)
    expect((await times.ofJob(daily, WEEKDAYS)).count).toBe(33)
  })

  it.each<[string, TriggerJson, NamedCalendar | null]>([
    [
      'under a calendar',
      { type: 'simple', startAt: '2026-10-20T00:00:01.000Z', intervalMs: 60_000, repeatCount: 1e9 },
      { name: 'odd', calendar: cronCalendar('*/2 * * * * *', { timeZone: 'UTC' }) },
    ],
    [
      'on many days',
      {
        type: 'dailyTimeInterval',
        startAt: '2026-10-20T00:00:00.000Z',
        every: 1,
        unit: 'minute',
        from: '08:00:00',
        to: '18:00:00',
        weekdays: [1],
        timeZone: 'America/New_York',
        repeatCount: 1e12,
      },
      null,
    ],
  ])('of a job that fires too often before, %s, are not looked for without end', async (_what, trigger, calendar) => {
    const from = Date.UTC(9_000, 0)
    const times = timesIn({ from, to: from + DAY_MS })
    const before = stepsTaken()
    expect((await times.ofJob(scheduled(trigger, calendar), calendar)).count).toBe(0)
    expect(times.isPartial).toBe(true)
    expect(stepsTaken() - before).toBeLessThan(2_000_000)
  })
})
