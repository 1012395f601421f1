import { describe, expect, it } from 'vitest'
import { at, medianMs, wall } from '../../../test/harness/instants.ts'
import { cron } from '../triggers/cron.ts'
import { withCalendar } from '../triggers/with-calendar.ts'
import type { Calendar } from './calendar.ts'
import { annualCalendar, holidayCalendar, monthlyCalendar, weeklyCalendar } from './days.ts'
import { cronCalendar, dailyCalendar } from './times-of-day.ts'

const NEW_YORK = 'America/New_York'
const SAO_PAULO = 'America/Sao_Paulo'
const ALL_DAYS_OF_MONTH = Array.from({ length: 31 }, (_, index) => index + 1)
const ALL_DAYS_OF_YEAR = Array.from({ length: 366 }, (_, index) =>
  new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(5, 10),
)

// Included or not, and then the first included instant from there on, in the zone of the row.
type Row = [fact: string, calendar: Calendar, instant: string, next: string, zone?: string]

function expectRow([, calendar, instant, next, zone = 'UTC']: Row): void {
  const asked = at(instant, zone)
  expect(wall(calendar.nextIncluded(asked), zone)).toBe(next)
  expect(calendar.isIncluded(asked)).toBe(wall(asked, zone) === next)
}

describe('a holiday calendar', () => {
  const calendar = holidayCalendar({ dates: ['2026-12-25', '2026-12-26', '2027-01-01'] })
  it.each<Row>([
    ['includes the day before to the millisecond', calendar, '2026-12-24T23:59:59.999', '2026-12-24T23:59:59.999Z'],
    ['excludes the first instant', calendar, '2026-12-25', '2026-12-27T00:00Z'],
    ['excludes the last instant', calendar, '2026-12-26T23:59:59.999', '2026-12-27T00:00Z'],
    ['includes the day after', calendar, '2026-12-27', '2026-12-27T00:00Z'],
    ['excludes that year only', calendar, '2027-12-25', '2027-12-25T00:00Z'],
    ['excludes nothing without dates', holidayCalendar({ dates: [] }), '2026-12-25', '2026-12-25T00:00Z'],
    [
      'has the days of its zone',
      holidayCalendar({ dates: ['2026-12-25'], timeZone: SAO_PAULO }),
      '2026-12-25T02:59:59.999Z',
      '2026-12-25T02:59:59.999Z',
    ],
    [
      'ends with the day of its zone',
      holidayCalendar({ dates: ['2026-12-25'], timeZone: SAO_PAULO }),
      '2026-12-25T03:00Z',
      '2026-12-26T03:00Z',
    ],
    [
      'has a day of 23 hours',
      holidayCalendar({ dates: ['2026-03-08'], timeZone: NEW_YORK }),
      '2026-03-08',
      '2026-03-09T00:00-04:00',
      NEW_YORK,
    ],
    [
      'has a day of 25 hours',
      holidayCalendar({ dates: ['2026-11-01'], timeZone: NEW_YORK }),
      '2026-11-01T01:30-05:00',
      '2026-11-02T00:00-05:00',
      NEW_YORK,
    ],
    [
      'has a day without midnight',
      holidayCalendar({ dates: ['2018-11-04'], timeZone: SAO_PAULO }),
      '2018-11-04T01:00',
      '2018-11-05T00:00-02:00',
      SAO_PAULO,
    ],
    [
      'knows no day that never was',
      holidayCalendar({ dates: ['2011-12-30'], timeZone: 'Pacific/Apia' }),
      '2011-12-31',
      '2011-12-31T00:00+14:00',
      'Pacific/Apia',
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('an annual calendar', () => {
  const leapDay = annualCalendar({ days: ['02-29'] })
  it.each<Row>([
    ['excludes its days every year', annualCalendar({ days: ['12-25'] }), '2031-12-25T12:00', '2031-12-26T00:00Z'],
    ['excludes 29 February in leap years', leapDay, '2028-02-29T12:00', '2028-03-01T00:00Z'],
    ['does not exclude 28 February for it', leapDay, '2027-02-28T12:00', '2027-02-28T12:00Z'],
    ['does not exclude 1 March for it', leapDay, '2027-03-01T12:00', '2027-03-01T12:00Z'],
    [
      'goes over the end of the year',
      annualCalendar({ days: ['12-31', '01-01'] }),
      '2026-12-31T12:00',
      '2027-01-02T00:00Z',
    ],
    [
      'finds the one day it includes',
      annualCalendar({ days: ALL_DAYS_OF_YEAR.filter((day) => day !== '02-29') }),
      '2097-01-01',
      '2104-02-29T00:00Z',
    ],
    [
      'has the days of its zone',
      annualCalendar({ days: ['12-25'], timeZone: SAO_PAULO }),
      '2026-12-25T02:00Z',
      '2026-12-25T02:00Z',
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('a monthly calendar', () => {
  it.each<Row>([
    ['excludes its days every month', monthlyCalendar({ days: [1] }), '2026-02-01T12:00', '2026-02-02T00:00Z'],
    ['includes all others', monthlyCalendar({ days: [1] }), '2026-02-02', '2026-02-02T00:00Z'],
    ['excludes the 31st where there is one', monthlyCalendar({ days: [31] }), '2026-03-31', '2026-04-01T00:00Z'],
    [
      'excludes nothing of February for the 31st',
      monthlyCalendar({ days: [29, 30, 31] }),
      '2026-02-28T12:00',
      '2026-02-28T12:00Z',
    ],
    ['goes over the end of the month', monthlyCalendar({ days: [1, 2, 30, 31] }), '2026-01-30', '2026-02-03T00:00Z'],
    [
      'finds the one day it includes',
      monthlyCalendar({ days: ALL_DAYS_OF_MONTH.filter((day) => day !== 31) }),
      '2026-04-01',
      '2026-05-31T00:00Z',
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('a weekly calendar', () => {
  it.each<Row>([
    ['excludes the weekend by default', weeklyCalendar(), '2026-01-03', '2026-01-05T00:00Z'],
    ['excludes Sunday to its end', weeklyCalendar(), '2026-01-04T23:59:59.999', '2026-01-05T00:00Z'],
    ['includes Friday to its end', weeklyCalendar(), '2026-01-02T23:59:59.999', '2026-01-02T23:59:59.999Z'],
    ['excludes chosen days', weeklyCalendar({ weekdays: [3] }), '2026-01-07T12:00', '2026-01-08T00:00Z'],
    ['excludes nothing on request', weeklyCalendar({ weekdays: [] }), '2026-01-03', '2026-01-03T00:00Z'],
    [
      'has the days of its zone',
      weeklyCalendar({ timeZone: 'Pacific/Kiritimati' }),
      '2026-01-02T10:00Z',
      '2026-01-04T10:00Z',
    ],
    [
      'skips a Friday that never was',
      weeklyCalendar({ weekdays: [4, 5], timeZone: 'Pacific/Apia' }),
      '2011-12-29T12:00',
      '2011-12-31T00:00+14:00',
      'Pacific/Apia',
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('a daily calendar', () => {
  const night = dailyCalendar({ from: '22:00', to: '06:00' })
  const lunch = dailyCalendar({ from: '12:00', to: '13:00' })
  const office = dailyCalendar({ from: '08:00', to: '17:59:59.999', invert: true })
  it.each<Row>([
    ['includes the millisecond before the range', lunch, '2026-01-01T11:59:59.999', '2026-01-01T11:59:59.999Z'],
    ['excludes its beginning', lunch, '2026-01-01T12:00', '2026-01-01T13:00:00.001Z'],
    ['excludes its end', lunch, '2026-01-01T13:00', '2026-01-01T13:00:00.001Z'],
    ['includes the millisecond after it', lunch, '2026-01-01T13:00:00.001', '2026-01-01T13:00:00.001Z'],
    [
      'may be a single millisecond',
      dailyCalendar({ from: '12:00', to: '12:00' }),
      '2026-01-01T12:00',
      '2026-01-01T12:00:00.001Z',
    ],
    [
      'may have milliseconds',
      dailyCalendar({ from: '12:00:00.250', to: '12:00:00.500' }),
      '2026-01-01T12:00:00.250',
      '2026-01-01T12:00:00.501Z',
    ],
    ['goes over midnight', night, '2026-01-01T22:00', '2026-01-02T06:00:00.001Z'],
    ['goes over midnight, at midnight', night, '2026-01-02', '2026-01-02T06:00:00.001Z'],
    ['goes over midnight, to its end', night, '2026-01-02T06:00', '2026-01-02T06:00:00.001Z'],
    ['goes over midnight, before it', night, '2026-01-01T21:59:59.999', '2026-01-01T21:59:59.999Z'],
    [
      'up to midnight excludes it to the millisecond',
      dailyCalendar({ from: '22:00', to: '00:00' }),
      '2026-01-01T22:00',
      '2026-01-02T00:00:00.001Z',
    ],
    ['inverted includes only the range', office, '2026-01-01T07:59:59.999', '2026-01-01T08:00Z'],
    ['inverted includes its beginning', office, '2026-01-01T08:00', '2026-01-01T08:00Z'],
    ['inverted includes its end', office, '2026-01-01T17:59:59.999', '2026-01-01T17:59:59.999Z'],
    ['inverted excludes what follows', office, '2026-01-01T18:00', '2026-01-02T08:00Z'],
    [
      'inverted goes over midnight',
      dailyCalendar({ from: '22:00', to: '06:00', invert: true }),
      '2026-01-01T12:00',
      '2026-01-01T22:00Z',
    ],
    [
      'of the whole day inverted includes all',
      dailyCalendar({ from: '00:00', to: '23:59:59.999', invert: true }),
      '2026-01-01',
      '2026-01-01T00:00Z',
    ],
    [
      'reads the wall of its zone',
      dailyCalendar({ from: '12:00', to: '13:00', timeZone: SAO_PAULO }),
      '2026-01-01T15:00Z',
      '2026-01-01T16:00:00.001Z',
    ],
    [
      'ends with the gap',
      dailyCalendar({ from: '01:00', to: '02:30', timeZone: NEW_YORK }),
      '2026-03-08T01:00',
      '2026-03-08T03:00-04:00',
      NEW_YORK,
    ],
    [
      'excludes nothing where all of it lies in the gap',
      dailyCalendar({ from: '02:10', to: '02:50', timeZone: NEW_YORK }),
      '2026-03-08T03:00',
      '2026-03-08T03:00-04:00',
      NEW_YORK,
    ],
    [
      'excludes both passes of a repeated hour',
      dailyCalendar({ from: '01:00', to: '01:30', timeZone: NEW_YORK }),
      '2026-11-01T01:15-05:00',
      '2026-11-01T01:30:00.001-05:00',
      NEW_YORK,
    ],
    [
      'includes what lies between both passes',
      dailyCalendar({ from: '01:00', to: '01:30', timeZone: NEW_YORK }),
      '2026-11-01T01:45-04:00',
      '2026-11-01T01:45-04:00',
      NEW_YORK,
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('a cron calendar', () => {
  it.each<Row>([
    [
      'of five fields excludes whole minutes',
      cronCalendar('30 9 * * *'),
      '2026-01-01T09:30:59.999',
      '2026-01-01T09:31Z',
    ],
    [
      'of five fields includes the minute before',
      cronCalendar('30 9 * * *'),
      '2026-01-01T09:29:59.999',
      '2026-01-01T09:29:59.999Z',
    ],
    ['of five fields excludes hours', cronCalendar('* 0-7,18-23 * * ?'), '2026-01-01T18:00', '2026-01-02T08:00Z'],
    [
      'of six fields excludes seconds',
      cronCalendar('30 30 9 * * *'),
      '2026-01-01T09:30:30.999',
      '2026-01-01T09:30:31Z',
    ],
    [
      'of six fields includes the other seconds',
      cronCalendar('30 30 9 * * *'),
      '2026-01-01T09:30:29',
      '2026-01-01T09:30:29Z',
    ],
    ['takes a macro', cronCalendar('@daily'), '2026-01-01', '2026-01-01T00:01Z'],
    ['excludes days', cronCalendar('* * * * SAT,SUN'), '2026-01-03', '2026-01-05T00:00Z'],
    ['takes either day where both are given', cronCalendar('* * 1 * THU'), '2026-02-01T12:00', '2026-02-02T00:00Z'],
    ['excludes nothing where it never matches', cronCalendar('* * 30 2 *'), '2026-03-01', '2026-03-01T00:00Z'],
    [
      'reads the wall of its zone',
      cronCalendar('* 12 * * *', { timeZone: SAO_PAULO }),
      '2026-01-01T15:30Z',
      '2026-01-01T16:00Z',
    ],
    [
      'excludes nothing for a match in a gap',
      cronCalendar('* 2 * * *', { timeZone: NEW_YORK }),
      '2026-03-08T03:00',
      '2026-03-08T03:00-04:00',
      NEW_YORK,
    ],
    [
      'excludes both passes of a repeated hour',
      cronCalendar('* 1 * * *', { timeZone: NEW_YORK }),
      '2026-11-01T01:30-04:00',
      '2026-11-01T02:00-05:00',
      NEW_YORK,
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('a base calendar', () => {
  const christmas = holidayCalendar({ dates: ['2026-12-25'], base: weeklyCalendar() })
  it.each<Row>([
    ['excludes what it excludes alone', christmas, '2026-12-19', '2026-12-21T00:00Z'],
    ['and its calendar exclude in one go', christmas, '2026-12-25', '2026-12-28T00:00Z'],
    ['leaves what both include', christmas, '2026-12-24', '2026-12-24T00:00Z'],
    [
      'may have a base',
      dailyCalendar({ from: '00:00', to: '08:59:59.999', base: christmas }),
      '2026-12-25',
      '2026-12-28T09:00Z',
    ],
    [
      'may be of another zone',
      holidayCalendar({ dates: ['2026-01-01'], base: holidayCalendar({ dates: ['2026-01-01'], timeZone: SAO_PAULO }) }),
      '2026-01-01',
      '2026-01-02T03:00Z',
    ],
    [
      'is not overruled by what the calendar includes',
      holidayCalendar({ dates: [], includes: ['2026-01-03'], base: weeklyCalendar() }),
      '2026-01-03',
      '2026-01-05T00:00Z',
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('a date that is included whatever the rule', () => {
  it.each<Row>([
    ['is a Saturday worked in', weeklyCalendar({ includes: ['2026-01-10'] }), '2026-01-10T12:00', '2026-01-10T12:00Z'],
    [
      'leaves other Saturdays alone',
      weeklyCalendar({ includes: ['2026-01-10'] }),
      '2026-01-17T12:00',
      '2026-01-19T00:00Z',
    ],
    ['ends with its day', weeklyCalendar({ includes: ['2026-01-10'] }), '2026-01-11', '2026-01-12T00:00Z'],
    [
      'is found among excluded ones',
      monthlyCalendar({ days: ALL_DAYS_OF_MONTH, includes: ['2027-06-15'] }),
      '2026-01-01',
      '2027-06-15T00:00Z',
    ],
    [
      'is a holiday taken back',
      annualCalendar({ days: ['12-25'], includes: ['2026-12-25'] }),
      '2026-12-25',
      '2026-12-25T00:00Z',
    ],
    [
      'stands in holidays too',
      holidayCalendar({ dates: ['2026-12-25'], includes: ['2026-12-25'] }),
      '2026-12-25',
      '2026-12-25T00:00Z',
    ],
    [
      'is a day of the zone',
      weeklyCalendar({ includes: ['2026-01-10'], timeZone: SAO_PAULO }),
      '2026-01-10',
      '2026-01-10T00:00-03:00',
      SAO_PAULO,
    ],
  ])('%s', (...row) => expectRow(row))
})

describe('a calendar that excludes everything has no next included time, and says so soon', () => {
  it.each<[string, Calendar]>([
    ['weekly', weeklyCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6] })],
    ['weekly in a zone', weeklyCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6], timeZone: NEW_YORK })],
    ['weekly with a date of the past', weeklyCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6], includes: ['2025-01-01'] })],
    ['monthly', monthlyCalendar({ days: ALL_DAYS_OF_MONTH })],
    ['annual', annualCalendar({ days: ALL_DAYS_OF_YEAR })],
    ['daily', dailyCalendar({ from: '00:00', to: '23:59:59.999' })],
    ['daily over midnight', dailyCalendar({ from: '12:00', to: '11:59:59.999' })],
    ['cron of five fields', cronCalendar('* * * * *')],
    ['cron of six fields', cronCalendar('* * * * * *')],
    ['workdays and weekends', weeklyCalendar({ weekdays: [1, 2, 3, 4, 5], base: weeklyCalendar() })],
    [
      'mornings and afternoons',
      dailyCalendar({ from: '00:00', to: '12:00', base: dailyCalendar({ from: '12:00', to: '23:59:59.999' }) }),
    ],
    ['even and odd seconds', cronCalendar('*/2 * * * * *', { base: cronCalendar('1-59/2 * * * * *') })],
    [
      'a chain of three',
      weeklyCalendar({ weekdays: [1, 2, 3], base: weeklyCalendar({ weekdays: [4, 5], base: weeklyCalendar() }) }),
    ],
  ])('%s', (_what, calendar) => {
    expect(calendar.isIncluded(at('2026-01-01'))).toBe(false)
    expect(calendar.nextIncluded(at('2026-01-01'))).toBeNull()
    const trigger = withCalendar(cron('* * * * * *'), calendar)
    expect(trigger.next(at('2026-01-01'))).toBeNull()
    expect(medianMs(() => calendar.nextIncluded(at('2026-01-01')), 3)).toBeLessThan(1_000)
  })
})

describe('not copied from Quartz', () => {
  it('a daily calendar does not exclude exact midnight', () => {
    const calendar = dailyCalendar({ from: '08:00', to: '17:00' })
    expect(calendar.isIncluded(at('2026-01-01'))).toBe(true)
    expect(calendar.isIncluded(at('2026-01-01') - 1)).toBe(true)
    expect(wall(withCalendar(cron('0 0 * * *'), calendar).next(at('2026-01-01')))).toBe('2026-01-02T00:00Z')
  })

  it('an annual calendar keeps dates its base also excludes', () => {
    const base = holidayCalendar({ dates: ['2026-12-25'] })
    const calendar = annualCalendar({ days: ['12-25'], base })
    expect(calendar.isIncluded(at('2026-12-25T12:00'))).toBe(false)
    expect(calendar.isIncluded(at('2027-12-25T12:00'))).toBe(false)
    expect(calendar.toJSON().days).toEqual(['12-25'])
  })

  it('a calendar that excludes everything ends the search instead of spinning', () => {
    const calendar = weeklyCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6] })
    expect(calendar.nextIncluded(at('2026-01-01'))).toBeNull()
    expect(withCalendar(cron('* * * * *'), calendar).next(at('2026-01-01'))).toBeNull()
    expect(withCalendar(cron('* * * * *'), calendar).previous(at('2026-01-01'))).toBeNull()
  })
})

describe('a calendar without a zone', () => {
  const christmas = holidayCalendar({ dates: ['2026-12-25'] })
  const evening = (timeZone: string) => cron('0 22 * * *', { timeZone })
  const days = (timeZone: string, calendar: Calendar) =>
    withCalendar(evening(timeZone), calendar)
      .upcoming(Date.parse('2026-12-24T12:00:00Z'), 2)
      .map((at) => new Date(at).toLocaleDateString('en-CA', { timeZone }))

  it.each(['America/Sao_Paulo', 'Asia/Tokyo', 'UTC'])('takes that of a trigger in %s', (timeZone) => {
    expect(days(timeZone, christmas)).toEqual(['2026-12-24', '2026-12-26'])
  })

  it('keeps its own where it has one', () => {
    expect(days('America/Sao_Paulo', holidayCalendar({ dates: ['2026-12-25'], timeZone: 'UTC' }))).toEqual([
      '2026-12-25',
      '2026-12-26',
    ])
  })

  it('may be the base of one that has one, for triggers of several zones in turn', () => {
    const nights = dailyCalendar({ from: '02:00', to: '03:00', timeZone: 'Asia/Tokyo', base: christmas })
    for (const timeZone of ['Asia/Tokyo', 'America/Sao_Paulo', 'Asia/Tokyo', 'UTC']) {
      expect(days(timeZone, nights)).toEqual(['2026-12-24', '2026-12-26'])
    }
  })
})

describe('a calendar that moves what it excludes', () => {
  const calendar = weeklyCalendar({ onExcluded: 'previousDay' })

  it('does so without being told again', () => {
    const saturdays = withCalendar(cron('0 9 * * 6'), calendar)
    expect(new Date(saturdays.next(Date.parse('2026-03-02T00:00:00Z')) ?? 0).toISOString()).toBe(
      '2026-03-06T09:00:00.000Z',
    )
  })

  it('skips where withCalendar says so', () => {
    expect(withCalendar(cron('0 9 * * 6'), calendar, { onExcluded: 'skip' }).next(0)).toBeNull()
  })

  it('says so in its stored form', () => {
    expect(calendar.toJSON()).toEqual({ type: 'weekly', weekdays: [0, 6], onExcluded: 'previousDay' })
  })
})
