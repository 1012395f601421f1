import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../errors.ts'
import { weeklyCalendar } from './calendars/days.ts'
import { dailyCalendar } from './calendars/times-of-day.ts'
import { simulate } from './simulate.ts'
import type { TriggerState } from './trigger-state.ts'
import { cron } from './triggers/cron.ts'
import { dailyTimeInterval } from './triggers/daily-time-interval.ts'
import { simple } from './triggers/simple.ts'

const at = (time: string) => Date.parse(`2026-03-02T${time}Z`)
const outage = { from: at('10:00:30'), to: at('10:10:30') }
const everyMinute = { name: 'every minute', trigger: cron('* * * * *') }

describe('a simulated outage of ten minutes', () => {
  it('tells what each policy would do', () => {
    const policies = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext'] as const
    const [result] = simulate({ jobs: [everyMinute], outage, policies })
    expect(
      result?.policies.map((each) => [each.policy, each.missed, each.firedLate, each.consolidated, each.skipped]),
    ).toEqual([
      ['fireNow', 10, 1, 9, 0],
      ['fireOnce', 10, 1, 9, 0],
      ['fireAll', 10, 10, 0, 0],
      ['skipToNext', 10, 0, 0, 10],
    ])
  })

  it('counts what fires on time before and after it', () => {
    const period = { from: '2026-03-02T10:00:00Z', to: '2026-03-02T10:15:00Z' }
    const [result] = simulate({ jobs: [everyMinute], outage, period })
    expect(result?.policies[0]).toMatchObject({ onTime: { before: 1, after: 4 }, nextFireAt: at('10:11:00') })
  })

  it('is no misfire where it is shorter than the threshold', () => {
    const job = { ...everyMinute, misfire: { threshold: '15m', policy: 'skipToNext' as const } }
    const [result] = simulate({ jobs: [job], outage })
    expect(result?.policies[0]).toMatchObject({ missed: 0, skipped: 0 })
    expect(result?.policies[0]?.fired).toHaveLength(10)
  })

  it('uses each job’s own policy unless told otherwise', () => {
    const jobs = [
      { ...everyMinute, misfire: { policy: 'fireOnce' as const } },
      { ...everyMinute, misfire: { policy: 'skipAndScheduleNext' as const } },
    ]
    expect(simulate({ jobs, outage }).map(({ policies }) => policies.map(({ policy }) => policy))).toEqual([
      ['fireOnce'],
      ['skipToNext'],
    ])
  })

  it('honours calendars and repeats', () => {
    const jobs = [
      { name: 'weekdays', trigger: cron('* * * * *'), calendar: weeklyCalendar({ weekdays: [1] }) },
      { name: 'five times', trigger: simple({ startAt: at('10:00:00'), interval: '1m', repeatCount: 4 }) },
    ]
    const results = simulate({ jobs, outage, policies: ['fireAll'] })
    expect(results.map(({ policies }) => policies[0]?.missed)).toEqual([0, 4])
  })
})

it('no more is on time than a trigger has repeats left', () => {
  const trigger = dailyTimeInterval({ every: 1, unit: 'minute', startAt: at('10:00:00'), repeatCount: 3 })
  const period = { from: at('10:00:00'), to: at('11:00:00') }
  const [result] = simulate({
    jobs: [{ name: 'four times', trigger }],
    outage: { from: at('10:01:30'), to: at('10:01:40') },
    period,
  })
  expect(result?.policies[0]?.onTime).toEqual({ before: 2, after: 2 })
})

it('repeats are counted by fires under a calendar, as the engine does', () => {
  const trigger = dailyTimeInterval({ every: 1, unit: 'hour', startAt: at('00:00:00'), repeatCount: 3 })
  const calendar = dailyCalendar({ from: '00:00', to: '03:59:59.999' })
  const job = { name: 'four times', trigger, calendar }
  const period = { from: at('00:00:00'), to: at('23:00:00') }
  const [result] = simulate({ jobs: [job], outage: { from: at('10:00:00'), to: at('11:30:00') }, period })
  expect(result?.policies[0]).toMatchObject({ onTime: { before: 4, after: 0 }, missed: 0, nextFireAt: null })
})

describe('a stored job that has skipped occurrences without counting them', () => {
  const jobs = (state: TriggerState | undefined) => {
    const trigger = dailyTimeInterval({ every: 1, unit: 'minute', startAt: at('09:50:00'), repeatCount: 19 })
    return [{ name: 'twenty times', trigger, ...(state && { state: { ...state, trigger } }) }]
  }
  const missedOf = (state?: Omit<TriggerState, 'trigger'>) =>
    simulate({ jobs: jobs(state as TriggerState), outage, policies: ['fireAll'] })[0]?.policies[0]?.missed

  it('without its state counts from its start', () => {
    expect(missedOf()).toBe(9)
  })

  it.each<[string, Omit<TriggerState, 'trigger'>, number]>([
    ['before the outage', { nextFireAt: at('09:56:00'), previousFireAt: null, timesTriggered: 1 }, 10],
    ['as the outage begins', { nextFireAt: at('10:01:00'), previousFireAt: null, timesTriggered: 15 }, 5],
    ['after the outage', { nextFireAt: at('10:12:00'), previousFireAt: null, timesTriggered: 18 }, 10],
    ['it is done', { nextFireAt: null, previousFireAt: at('10:03:00'), timesTriggered: 20 }, 3],
    ['it was done before', { nextFireAt: null, previousFireAt: at('09:58:00'), timesTriggered: 20 }, 0],
  ])('with its state counts from there: %s', (_when, state, missed) => {
    expect(missedOf(state)).toBe(missed)
  })
})

it.each([
  [{ jobs: [{ name: 'x', trigger: '* * * * *' }], outage }, 'trigger of x must be a trigger'],
  [{ jobs: [everyMinute] }, 'outage must be an object, got nothing'],
  [{ jobs: [everyMinute], outage, policies: 'fireAll' }, 'policies must be a list'],
  [{ jobs: [{ ...everyMinute, misfires: {} }], outage }, 'Did you mean "misfire"?'],
])('%j is refused', (options, message) => {
  expect(() => simulate(options as never)).toThrow(message)
})

it('an outage that ends before it begins is refused', () => {
  const backwards = { from: outage.to, to: outage.from }
  expect(() => simulate({ jobs: [everyMinute], outage: backwards })).toThrow(InvalidInputError)
  expect(() => simulate({ jobs: [everyMinute], outage: backwards })).toThrow('outage.to must not be before outage.from')
})
