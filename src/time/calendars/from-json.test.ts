import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import type { Calendar } from './calendar.ts'
import { annualCalendar, holidayCalendar, monthlyCalendar, weeklyCalendar } from './days.ts'
import { calendarFrom } from './from-json.ts'
import type { CalendarJson } from './json.ts'
import { cronCalendar, dailyCalendar } from './times-of-day.ts'

const SAO_PAULO = 'America/Sao_Paulo'

describe('the stored form of a calendar', () => {
  it.each<[string, Calendar, CalendarJson]>([
    [
      'holiday, in order and once each',
      holidayCalendar({ dates: ['2027-01-01', '2026-12-25', '2026-12-25'] }),
      { type: 'holiday', dates: ['2026-12-25', '2027-01-01'] },
    ],
    ['annual', annualCalendar({ days: ['12-25', '02-29'] }), { type: 'annual', days: ['02-29', '12-25'] }],
    ['monthly', monthlyCalendar({ days: [31, 1] }), { type: 'monthly', days: [1, 31] }],
    ['weekly', weeklyCalendar(), { type: 'weekly', weekdays: [0, 6] }],
    [
      'weekly with dates that are included',
      weeklyCalendar({ includes: ['2026-02-07', '2026-01-10'] }),
      { type: 'weekly', weekdays: [0, 6], includes: ['2026-01-10', '2026-02-07'] },
    ],
    [
      'daily',
      dailyCalendar({ from: '8:00', to: '17:00:00.500' }),
      { type: 'daily', from: '08:00', to: '17:00:00.500' },
    ],
    [
      'daily inverted',
      dailyCalendar({ from: '08:00', to: '17:00', invert: true }),
      { type: 'daily', from: '08:00', to: '17:00', invert: true },
    ],
    [
      'cron',
      cronCalendar('* 0-7 * * *', { timeZone: 'america/sao_paulo' }),
      { type: 'cron', expression: '* 0-7 * * *', timeZone: SAO_PAULO },
    ],
    [
      'a chain of bases',
      cronCalendar('* 0-7 * * *', {
        base: dailyCalendar({ from: '08:00', to: '09:00', base: weeklyCalendar({ timeZone: SAO_PAULO }) }),
      }),
      {
        type: 'cron',
        expression: '* 0-7 * * *',
        base: {
          type: 'daily',
          from: '08:00',
          to: '09:00',
          base: { type: 'weekly', weekdays: [0, 6], timeZone: SAO_PAULO },
        },
      },
    ],
  ])('%s is written and read back as the same', (_what, calendar, json) => {
    expect(calendar.toJSON()).toEqual(json)
    const read = calendarFrom(JSON.parse(JSON.stringify(calendar)))
    expect(read.toJSON()).toEqual(json)
    for (let hour = 0; hour < 24 * 14; hour++) {
      const instant = Date.UTC(2026, 11, 20, hour, 30)
      expect(read.stretchAt(instant)).toEqual(calendar.stretchAt(instant))
    }
  })

  it('has no need of what has a default', () => {
    expect(calendarFrom({ type: 'weekly' }).toJSON()).toEqual({ type: 'weekly', weekdays: [0, 6] })
  })
})

describe('a stored calendar with an unknown field is refused with the nearest one', () => {
  it.each([
    ['Holiday calendar', { type: 'holiday', date: ['2026-12-25'] }, 'date', 'dates'],
    ['Annual calendar', { type: 'annual', day: ['12-25'] }, 'day', 'days'],
    ['Monthly calendar', { type: 'monthly', days: [1], include: [] }, 'include', 'includes'],
    ['Weekly calendar', { type: 'weekly', weekDays: [1] }, 'weekDays', 'weekdays'],
    ['Daily calendar', { type: 'daily', from: '08:00', to: '09:00', inverted: true }, 'inverted', 'invert'],
    ['Daily calendar', { type: 'daily', from: '08:00', to: '09:00', includes: [] }, 'includes', undefined],
    ['Cron calendar', { type: 'cron', expression: '* * * * *', timezone: 'UTC' }, 'timezone', 'timeZone'],
    ['Weekly calendar', { type: 'weekly', base: { type: 'weekly', bas: {} } }, 'bas', 'base'],
  ])('%s: %j', (thing, json, field, suggestion) => {
    const error = refusal(() => calendarFrom(json))
    expect(error.code).toBe('fields.invalid')
    expect(error.message).toContain(`${thing} has no field "${field}"; its fields are type, `)
    if (suggestion !== undefined) expect(error.message).toContain(`Did you mean "${suggestion}"?`)
  })
})

describe('a stored calendar that is not valid is refused by name', () => {
  it.each([
    ['null', null, 'Calendar must have a type'],
    ['text', 'weekly', 'Calendar must be an object, got text: parse it first'],
    ['no type', {}, 'one of holiday, annual, monthly, weekly, daily, cron, got nothing'],
    ['an unknown type', { type: 'lunar' }, 'got "lunar"'],
    ['a holiday calendar without dates', { type: 'holiday' }, 'dates'],
    ['one date that is no list', { type: 'holiday', dates: '2026-12-25' }, 'dates'],
    [
      '30 February',
      { type: 'holiday', dates: ['2026-02-30'] },
      'dates must be dates such as "2026-12-25", got "2026-02-30"',
    ],
    ['29 February of another year', { type: 'holiday', dates: ['2026-02-29'] }, 'dates'],
    ['year 0', { type: 'holiday', dates: ['0000-01-01'] }, 'dates'],
    ['a date with a time', { type: 'holiday', dates: ['2026-12-25T00:00:00Z'] }, 'dates'],
    ['a date that is a number', { type: 'holiday', dates: [20261225] }, 'dates'],
    ['an annual calendar without days', { type: 'annual' }, 'days'],
    [
      '30 February of every year',
      { type: 'annual', days: ['02-30'] },
      'days must be days of the year such as "12-25", got "02-30"',
    ],
    ['a day of the year with one digit', { type: 'annual', days: ['1-1'] }, 'days'],
    ['a monthly calendar without days', { type: 'monthly' }, 'days must be a list of whole numbers of 1-31'],
    ['day 0', { type: 'monthly', days: [0] }, 'days'],
    ['day 32', { type: 'monthly', days: [32] }, 'got 32'],
    ['a day that is null', { type: 'monthly', days: [null] }, 'days'],
    ['a day that is undefined', { type: 'monthly', days: [undefined] }, 'days'],
    ['a hole in the days of the year', { type: 'annual', days: ['12-25'].concat(new Array<string>(1)) }, 'got nothing'],
    ['a hole in the days', { type: 'monthly', days: [1].concat(new Array<number>(1)) }, 'got nothing'],
    ['a hole in the dates', { type: 'holiday', dates: new Array(1) }, 'got nothing'],
    ['weekday 7', { type: 'weekly', weekdays: [7] }, 'weekdays must be a list of whole numbers of 0-6, got 7'],
    ['weekdays by name', { type: 'weekly', weekdays: ['SUN'] }, 'weekdays'],
    ['weekdays that are no list', { type: 'weekly', weekdays: 5 }, 'weekdays'],
    ['an included date that is none', { type: 'weekly', includes: ['2026-13-01'] }, 'includes'],
    ['included dates that are no list', { type: 'weekly', includes: '2026-01-10' }, 'includes'],
    ['a daily calendar without a beginning', { type: 'daily', to: '09:00' }, 'from'],
    ['a daily calendar without an end', { type: 'daily', from: '09:00' }, 'to'],
    ['24:00', { type: 'daily', from: '09:00', to: '24:00' }, 'to must be'],
    ['inverted by a text', { type: 'daily', from: '08:00', to: '09:00', invert: 'no' }, 'invert'],
    ['a cron calendar without an expression', { type: 'cron' }, 'Cron expression must be text'],
    ['a cron calendar with an invalid field', { type: 'cron', expression: '* 24 * * *' }, 'Cron hour must be 0-23'],
    ['a cron calendar with H', { type: 'cron', expression: 'H * * * *' }, 'H needs the identity'],
    ['an unknown zone', { type: 'weekly', timeZone: 'Mars/X' }, 'Time zone'],
    ['a base that is none', { type: 'weekly', base: 'holidays' }, 'Calendar must be an object'],
    ['a base that is not valid', { type: 'weekly', base: { type: 'monthly', days: [32] } }, 'days'],
  ])('%s', (_what, json, named) => {
    expect(refusal(() => calendarFrom(json)).message).toContain(named)
  })

  it.each([
    ['16 levels are read', 16, true],
    ['17 levels are not', 17, false],
    ['nor are ten thousand', 10_000, false],
  ])('%s', (_fact, levels, isRead) => {
    let json: object = { type: 'weekly' }
    for (let level = 0; level < levels; level++) json = { type: 'weekly', base: json }
    if (isRead) expect(calendarFrom(json).type).toBe('weekly')
    else expect(refusal(() => calendarFrom(json)).message).toBe('Calendar must not nest deeper than 16 levels.')
  })
})
