import { describe, expect, it } from 'vitest'
import { at, fires, fireTimes, medianMs, refusal, wall } from '../../../test/harness/instants.ts'
import type { Calendar } from '../calendars/calendar.ts'
import { annualCalendar, holidayCalendar, monthlyCalendar, weeklyCalendar } from '../calendars/days.ts'
import type { ExcludedRule } from '../calendars/json.ts'
import { cronCalendar, dailyCalendar } from '../calendars/times-of-day.ts'
import { calendarInterval } from './calendar-interval.ts'
import { cron } from './cron.ts'
import { dailyTimeInterval } from './daily-time-interval.ts'
import { withJitter } from './jittered.ts'
import { once } from './once.ts'
import { simple } from './simple.ts'
import type { Trigger } from './trigger.ts'
import { withCalendar } from './with-calendar.ts'

const NEW_YORK = 'America/New_York'
const SAO_PAULO = 'America/Sao_Paulo'
const weekend = weeklyCalendar()
const newYear = holidayCalendar({ dates: ['2026-01-01'] })
const daily = cron('0 9 * * *')

describe('a fire time in excluded time', () => {
  // 1 January 2026 is a Thursday.
  it.each<[string, Trigger, Calendar, ExcludedRule | undefined, string, string, string[]]>([
    [
      'is skipped',
      daily,
      weekend,
      undefined,
      '2026-01-02',
      '2026-01-07',
      ['2026-01-02T09:00Z', '2026-01-05T09:00Z', '2026-01-06T09:00Z'],
    ],
    [
      'is skipped, said so',
      cron('0 9 * * 6,1'),
      weekend,
      'skip',
      '2026-01-02',
      '2026-01-14',
      ['2026-01-05T09:00Z', '2026-01-12T09:00Z'],
    ],
    [
      'moves to the next day',
      cron('0 9 * * 0'),
      weekend,
      'nextDay',
      '2026-01-02',
      '2026-01-14',
      ['2026-01-05T09:00Z', '2026-01-12T09:00Z'],
    ],
    [
      'moves to the previous day',
      cron('0 9 * * 0'),
      weekend,
      'previousDay',
      '2026-01-01',
      '2026-01-14',
      ['2026-01-02T09:00Z', '2026-01-09T09:00Z'],
    ],
    [
      'fires once with the one it meets',
      daily,
      weekend,
      'nextDay',
      '2026-01-02',
      '2026-01-07',
      ['2026-01-02T09:00Z', '2026-01-05T09:00Z', '2026-01-06T09:00Z'],
    ],
    [
      'fires once with the one before that it meets',
      daily,
      weekend,
      'previousDay',
      '2026-01-01',
      '2026-01-06',
      ['2026-01-01T09:00Z', '2026-01-02T09:00Z', '2026-01-05T09:00Z'],
    ],
    [
      'fires once with that of the next day',
      cron('0 9 * * 1-5'),
      newYear,
      'nextDay',
      '2026-01-01',
      '2026-01-03',
      ['2026-01-02T09:00Z'],
    ],
    [
      'moves alone, the others stay',
      cron('30 8 1 * *', { dayRule: 'and' }),
      newYear,
      'nextDay',
      '2026-01-01',
      '2026-02-02',
      ['2026-01-02T08:30Z', '2026-02-01T08:30Z'],
    ],
    [
      'moves over several excluded days',
      once('2026-01-03T09:00:00Z'),
      holidayCalendar({ dates: ['2026-01-05', '2026-01-06'], base: weekend }),
      'nextDay',
      '2026-01-01',
      '2026-02-01',
      ['2026-01-07T09:00Z'],
    ],
    [
      'moves back over several excluded days',
      once('2026-01-04T09:00:00Z'),
      holidayCalendar({ dates: ['2026-01-01', '2026-01-02'], base: weekend }),
      'previousDay',
      '2025-12-01',
      '2026-02-01',
      ['2025-12-31T09:00Z'],
    ],
    [
      'moves over the end of the year',
      cron('0 9 31 12 *'),
      annualCalendar({ days: ['12-31', '01-01'] }),
      'nextDay',
      '2025-12-01',
      '2026-02-01',
      ['2026-01-02T09:00Z'],
    ],
    [
      'does not move where its hour is never included',
      once('2026-01-01T03:00:00Z'),
      dailyCalendar({ from: '02:00', to: '04:00', base: newYear }),
      'nextDay',
      '2026-01-01',
      '2026-01-10',
      [],
    ],
    [
      'moves only to where its hour is included',
      once('2026-01-01T03:00:00Z'),
      cronCalendar('* 3 1,2 1 *'),
      'nextDay',
      '2026-01-01',
      '2026-02-01',
      ['2026-01-03T03:00Z'],
    ],
    [
      'of a simple trigger moves',
      simple({ startAt: '2026-01-01T09:00:00Z', interval: '12h', repeatCount: 2 }),
      newYear,
      'nextDay',
      '2026-01-01',
      '2026-01-05',
      ['2026-01-02T09:00Z', '2026-01-02T21:00Z'],
    ],
    [
      'of a calendar interval moves',
      calendarInterval({ startAt: '2026-01-31T09:00:00Z', every: 1, unit: 'month' }),
      weekend,
      'previousDay',
      '2026-01-01',
      '2026-06-05',
      ['2026-01-30T09:00Z', '2026-02-27T09:00Z', '2026-03-31T09:00Z', '2026-04-30T09:00Z', '2026-05-29T09:00Z'],
    ],
    [
      'of a daily interval is skipped',
      dailyTimeInterval({ every: 6, unit: 'hour' }),
      dailyCalendar({ from: '00:00', to: '08:00' }),
      undefined,
      '2026-01-01',
      '2026-01-02',
      ['2026-01-01T12:00Z', '2026-01-01T18:00Z'],
    ],
    [
      'of a jittered trigger is found where it fires',
      withJitter(once('2025-12-31T23:59:59.999Z'), { within: 1, identity: 'a' }),
      newYear,
      undefined,
      '2025-12-01',
      '2026-02-01',
      ['2025-12-31T23:59:59.999Z'],
    ],
    [
      'is read in the zone of the calendar',
      cron('0 22 * * *', { timeZone: SAO_PAULO }),
      holidayCalendar({ dates: ['2026-01-02'], timeZone: 'UTC' }),
      undefined,
      '2025-12-31',
      '2026-01-04',
      ['2025-12-31T22:00-03:00', '2026-01-02T22:00-03:00', '2026-01-03T22:00-03:00'],
    ],
    [
      'moves by days of the trigger’s zone',
      cron('0 22 1 1 *', { timeZone: SAO_PAULO }),
      holidayCalendar({ dates: ['2026-01-01'], timeZone: SAO_PAULO }),
      'nextDay',
      '2025-12-31',
      '2026-01-04',
      ['2026-01-02T22:00-03:00'],
    ],
    [
      'keeps its hour over a clock change',
      cron('0 12 7 3 *', { timeZone: NEW_YORK }),
      weeklyCalendar({ timeZone: NEW_YORK }),
      'nextDay',
      '2026-03-01',
      '2026-03-31',
      ['2026-03-09T12:00-04:00'],
    ],
    [
      'loses nothing of a repeated hour',
      cron('*/30 1 * * *', { timeZone: NEW_YORK }),
      newYear,
      'nextDay',
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:00-04:00', '2026-11-01T01:30-04:00', '2026-11-01T01:00-05:00', '2026-11-01T01:30-05:00'],
    ],
  ])('%s', (_fact, trigger, calendar, onExcluded, from, to, expected) => {
    expect(fires(withCalendar(trigger, calendar, { onExcluded }), from, to)).toEqual(expected)
  })

  it.each(['skip', 'nextDay', 'previousDay'] as const)('agrees over years with the rule %s', (onExcluded) => {
    const calendar = monthlyCalendar({
      days: [1, 13, 31],
      timeZone: NEW_YORK,
      base: weeklyCalendar({ timeZone: SAO_PAULO }),
    })
    const trigger = withCalendar(cron('0 9,18 * * 1,3,6', { timeZone: NEW_YORK }), calendar, { onExcluded })
    expect(fireTimes(trigger, '2024-01-01', '2026-01-01').length).toBeGreaterThan(300)
  })
})

describe('a calendar that excludes everything', () => {
  const calendars: [string, Calendar][] = [
    ['every day of the week', weeklyCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6] })],
    [
      'every day of the month',
      monthlyCalendar({ days: Array.from({ length: 31 }, (_, index) => index + 1), timeZone: NEW_YORK }),
    ],
    ['every time of the day', dailyCalendar({ from: '00:00', to: '23:59:59.999' })],
    ['every minute', cronCalendar('* * * * *')],
    ['workdays over a base of weekends', weeklyCalendar({ weekdays: [1, 2, 3, 4, 5], base: weekend })],
  ]

  it.each(calendars)('leaves nothing, and says so soon: %s', (_what, calendar) => {
    for (const trigger of [cron('*/5 * * * *'), simple({ startAt: '2026-01-01T00:00:00Z', interval: '1m' })]) {
      for (const onExcluded of ['skip', 'nextDay', 'previousDay'] as const) {
        const under = withCalendar(trigger, calendar, { onExcluded })
        expect(under.next(at('2026-01-01'))).toBeNull()
        expect(under.previous(at('2026-01-02'))).toBeNull()
        expect(under.count(at('2026-01-01'), at('2027-01-01'))).toBe(0)
        expect(medianMs(() => under.next(at('2026-01-01')), 3)).toBeLessThan(200)
      }
    }
  })
})

describe('long ranges under a calendar', () => {
  const days = Array.from({ length: 366 }, (_, index) =>
    new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(5, 10),
  )
  const allButLeapDay = annualCalendar({ days: days.filter((day) => day !== '02-29') })
  it.each([
    [
      'ten years of every minute are counted',
      () => withCalendar(cron('* * * * *'), weekend).count(at('2016-01-01'), at('2026-01-01')),
      3_756_960,
    ],
    [
      'the next is found beyond seven excluded years',
      () => wall(withCalendar(daily, allButLeapDay).next(at('2097-01-01'))),
      '2104-02-29T09:00Z',
    ],
    [
      'an occurrence of years ago is found',
      () => wall(withCalendar(cron('0 9 29 2 *'), annualCalendar({ days: ['02-28'] })).previous(at('2103-01-01'))),
      '2096-02-29T09:00Z',
    ],
  ])('are fast: %s', (_what, run, expected) => {
    expect(run()).toBe(expected)
    expect(medianMs(run)).toBeLessThan(100)
  })
})

describe('an invalid rule for excluded times', () => {
  it.each(['move', 'nextday', '', 5])('is named: %j', (onExcluded) => {
    const error = refusal(() => withCalendar(daily, weekend, { onExcluded: onExcluded as ExcludedRule }))
    expect(error.message).toMatch(/^onExcluded must be one of skip, nextDay, previousDay, got /)
  })
})

describe('a search over excluded time', () => {
  it('finds included time behind a few hundred thousand changes of a calendar', () => {
    const trigger = withCalendar(cron('*/2 * * * *'), cronCalendar('*/2 * * 1-11 *'))
    expect(trigger.next(Date.parse('2026-01-01T00:00:00Z'))).toBe(Date.parse('2026-12-01T00:00:00Z'))
  })

  it('remembers what moved more than a year ago', () => {
    const week = cron('0 10 * * *', { startAt: '2026-03-01T00:00:00Z', endAt: '2026-03-08T23:00:00Z' })
    const calendar = weeklyCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6], includes: ['2026-03-09'] })
    const moved = withCalendar(week, calendar, { onExcluded: 'nextDay' })
    const monday = Date.parse('2026-03-09T10:00:00Z')
    expect([moved.next(0), moved.previous(Date.parse('2028-01-01T00:00:00Z'))]).toEqual([monday, monday])
    expect(moved.count(0, Number.POSITIVE_INFINITY)).toBe(1)
  })
})
