import { describe, expect, it } from 'vitest'
import { at, fires, fireTimes, firstFires, medianMs, refusal } from '../../../test/harness/instants.ts'
import { type CalendarIntervalOptions, calendarInterval } from './calendar-interval.ts'

const NEW_YORK = 'America/New_York'

describe('a calendar interval', () => {
  it.each<[string, CalendarIntervalOptions, string[]]>([
    [
      'of seconds',
      { startAt: '2026-01-01T10:00:00Z', every: 90, unit: 'second' },
      ['2026-01-01T10:00Z', '2026-01-01T10:01:30Z', '2026-01-01T10:03Z'],
    ],
    [
      'of minutes',
      { startAt: '2026-01-01T10:00:00Z', every: 45, unit: 'minute' },
      ['2026-01-01T10:00Z', '2026-01-01T10:45Z', '2026-01-01T11:30Z'],
    ],
    [
      'of hours',
      { startAt: '2026-01-01T10:00:00Z', every: 20, unit: 'hour' },
      ['2026-01-01T10:00Z', '2026-01-02T06:00Z', '2026-01-03T02:00Z'],
    ],
    [
      'of days',
      { startAt: '2026-02-27T10:00:00Z', every: 2, unit: 'day' },
      ['2026-02-27T10:00Z', '2026-03-01T10:00Z', '2026-03-03T10:00Z'],
    ],
    [
      'of weeks',
      { startAt: '2026-02-20T10:00:00Z', every: 2, unit: 'week' },
      ['2026-02-20T10:00Z', '2026-03-06T10:00Z', '2026-03-20T10:00Z'],
    ],
    [
      'of months from the 31st keeps the anchor',
      { startAt: '2026-01-31T10:00:00Z', every: 1, unit: 'month' },
      ['2026-01-31T10:00Z', '2026-02-28T10:00Z', '2026-03-31T10:00Z', '2026-04-30T10:00Z', '2026-05-31T10:00Z'],
    ],
    [
      'of months from the 31st in a leap year',
      { startAt: '2024-01-31T10:00:00Z', every: 1, unit: 'month' },
      ['2024-01-31T10:00Z', '2024-02-29T10:00Z', '2024-03-31T10:00Z'],
    ],
    [
      'of months from the 30th',
      { startAt: '2026-12-30T10:00:00Z', every: 1, unit: 'month' },
      ['2026-12-30T10:00Z', '2027-01-30T10:00Z', '2027-02-28T10:00Z', '2027-03-30T10:00Z'],
    ],
    [
      'of three months',
      { startAt: '2026-08-31T10:00:00Z', every: 3, unit: 'month' },
      ['2026-08-31T10:00Z', '2026-11-30T10:00Z', '2027-02-28T10:00Z', '2027-05-31T10:00Z'],
    ],
    [
      'of years from 29 February',
      { startAt: '2024-02-29T10:00:00Z', every: 1, unit: 'year' },
      ['2024-02-29T10:00Z', '2025-02-28T10:00Z', '2026-02-28T10:00Z', '2027-02-28T10:00Z', '2028-02-29T10:00Z'],
    ],
    [
      'of four years over one that is no leap year',
      { startAt: '2096-02-29T10:00:00Z', every: 4, unit: 'year' },
      ['2096-02-29T10:00Z', '2100-02-28T10:00Z', '2104-02-29T10:00Z'],
    ],
    [
      'keeps its milliseconds',
      { startAt: '2026-01-31T10:00:00.250Z', every: 1, unit: 'month' },
      ['2026-01-31T10:00:00.250Z', '2026-02-28T10:00:00.250Z'],
    ],
  ])('%s', (_what, options, expected) => {
    expect(firstFires(calendarInterval(options), '2020-01-01', expected.length)).toEqual(expected)
  })

  it.each<[string, CalendarIntervalOptions, string, string, string[]]>([
    [
      'days keep the hour in spring',
      { startAt: '2026-03-07T12:00:00-05:00', every: 1, unit: 'day', timeZone: NEW_YORK },
      '2026-03-07',
      '2026-03-10',
      ['2026-03-07T12:00-05:00', '2026-03-08T12:00-04:00', '2026-03-09T12:00-04:00'],
    ],
    [
      'days keep the hour in autumn',
      { startAt: '2026-10-31T12:00:00-04:00', every: 1, unit: 'day', timeZone: NEW_YORK },
      '2026-10-31',
      '2026-11-03',
      ['2026-10-31T12:00-04:00', '2026-11-01T12:00-05:00', '2026-11-02T12:00-05:00'],
    ],
    [
      'months keep the hour',
      { startAt: '2026-01-15T12:00:00-05:00', every: 6, unit: 'month', timeZone: NEW_YORK },
      '2026-01-01',
      '2027-06-01',
      ['2026-01-15T12:00-05:00', '2026-07-15T12:00-04:00', '2027-01-15T12:00-05:00'],
    ],
    [
      'hours are elapsed time in spring',
      { startAt: '2026-03-08T00:00:00-05:00', every: 2, unit: 'hour', timeZone: NEW_YORK },
      '2026-03-08',
      '2026-03-08T08:00',
      ['2026-03-08T00:00-05:00', '2026-03-08T03:00-04:00', '2026-03-08T05:00-04:00', '2026-03-08T07:00-04:00'],
    ],
    [
      'hours are elapsed time in autumn',
      { startAt: '2026-11-01T00:00:00-04:00', every: 1, unit: 'hour', timeZone: NEW_YORK },
      '2026-11-01',
      '2026-11-01T03:00',
      ['2026-11-01T00:00-04:00', '2026-11-01T01:00-04:00', '2026-11-01T01:00-05:00', '2026-11-01T02:00-05:00'],
    ],
    [
      'a time in the gap fires as much later',
      { startAt: '2026-03-07T02:30:00-05:00', every: 1, unit: 'day', timeZone: NEW_YORK },
      '2026-03-07',
      '2026-03-10',
      ['2026-03-07T02:30-05:00', '2026-03-08T03:30-04:00', '2026-03-09T02:30-04:00'],
    ],
    [
      'a time in the gap is skipped on request',
      { startAt: '2026-03-07T02:30:00-05:00', every: 1, unit: 'day', timeZone: NEW_YORK, gap: 'skip' },
      '2026-03-07',
      '2026-03-10',
      ['2026-03-07T02:30-05:00', '2026-03-09T02:30-04:00'],
    ],
    [
      'a week is skipped on request',
      { startAt: '2026-03-01T02:30:00-05:00', every: 1, unit: 'week', timeZone: NEW_YORK, gap: 'skip' },
      '2026-03-01',
      '2026-03-20',
      ['2026-03-01T02:30-05:00', '2026-03-15T02:30-04:00'],
    ],
    [
      'a month is skipped on request',
      { startAt: '2026-02-08T02:30:00-05:00', every: 1, unit: 'month', timeZone: NEW_YORK, gap: 'skip' },
      '2026-02-01',
      '2026-05-01',
      ['2026-02-08T02:30-05:00', '2026-04-08T02:30-04:00'],
    ],
    [
      'midnight in the gap',
      { startAt: '2018-11-03T00:00:00-03:00', every: 1, unit: 'day', timeZone: 'America/Sao_Paulo' },
      '2018-11-03',
      '2018-11-06',
      ['2018-11-03T00:00-03:00', '2018-11-04T01:00-02:00', '2018-11-05T00:00-02:00'],
    ],
    [
      'half an hour of gap',
      { startAt: '2026-10-03T02:15:00+10:30', every: 1, unit: 'day', timeZone: 'Australia/Lord_Howe' },
      '2026-10-03',
      '2026-10-06',
      ['2026-10-03T02:15+10:30', '2026-10-04T02:45+11:00', '2026-10-05T02:15+11:00'],
    ],
    [
      'a day that never was does not fire',
      { startAt: '2011-12-28T10:00:00-10:00', every: 1, unit: 'day', timeZone: 'Pacific/Apia' },
      '2011-12-28',
      '2012-01-02',
      ['2011-12-28T10:00-10:00', '2011-12-29T10:00-10:00', '2011-12-31T10:00+14:00', '2012-01-01T10:00+14:00'],
    ],
    [
      'a repeated time fires in the first pass',
      { startAt: '2026-10-31T01:30:00-04:00', every: 1, unit: 'day', timeZone: NEW_YORK },
      '2026-10-31',
      '2026-11-03',
      ['2026-10-31T01:30-04:00', '2026-11-01T01:30-04:00', '2026-11-02T01:30-05:00'],
    ],
    [
      'a repeated time fires in the last on request',
      { startAt: '2026-10-31T01:30:00-04:00', every: 1, unit: 'day', timeZone: NEW_YORK, overlap: 'last' },
      '2026-10-31',
      '2026-11-03',
      ['2026-10-31T01:30-04:00', '2026-11-01T01:30-05:00', '2026-11-02T01:30-05:00'],
    ],
    [
      'a start in the second pass is kept',
      { startAt: '2026-11-01T01:30:00-05:00', every: 1, unit: 'day', timeZone: NEW_YORK },
      '2026-11-01',
      '2026-11-03',
      ['2026-11-01T01:30-05:00', '2026-11-02T01:30-05:00'],
    ],
    [
      'nothing fires at its end',
      {
        startAt: '2026-03-07T12:00:00-05:00',
        every: 1,
        unit: 'day',
        timeZone: NEW_YORK,
        endAt: '2026-03-09T12:00:00-04:00',
      },
      '2026-03-07',
      '2026-03-12',
      ['2026-03-07T12:00-05:00', '2026-03-08T12:00-04:00'],
    ],
  ])('in a zone: %s', (_fact, options, from, to, expected) => {
    expect(fires(calendarInterval(options), from, to)).toEqual(expected)
  })

  it.each([
    ['day', 366],
    ['week', 53],
    ['month', 12],
    ['year', 1],
  ] as const)('of one %s agrees forwards, backwards and counted over years of changes', (unit, perYear) => {
    for (const timeZone of [NEW_YORK, 'Pacific/Apia', 'Australia/Lord_Howe']) {
      for (const gap of ['shift', 'skip'] as const) {
        const trigger = calendarInterval({ startAt: at('2007-12-30T07:30Z'), every: 1, unit, timeZone, gap })
        const found = fireTimes(trigger, '2008-01-01T12:00', '2014-01-01T12:00')
        expect(found.length).toBeLessThanOrEqual(6 * perYear)
        expect(found.length).toBeGreaterThanOrEqual(5 * perYear)
      }
    }
  })

  it.each([
    [
      'a yearly time in the gap of year 10000',
      { startAt: '2024-03-12T02:30:00-04:00', every: 1, unit: 'year', gap: 'skip' },
      '9999-06-01',
    ],
    [
      'steps of eight thousand years',
      { startAt: '2024-03-12T02:30:00-04:00', every: 8_000, unit: 'year', gap: 'skip' },
      '2024-06-01',
    ],
    [
      'steps of more days than there are',
      { startAt: '2024-03-12T02:30:00-04:00', every: 1e14, unit: 'day' },
      '2024-06-01',
    ],
    [
      'steps of more weeks than there are',
      { startAt: '2024-03-12T02:30:00-04:00', every: 1e14, unit: 'week' },
      '2024-06-01',
    ],
    [
      'steps of more months than there are',
      { startAt: '2024-03-12T02:30:00-04:00', every: 1e14, unit: 'month' },
      '2024-06-01',
    ],
    [
      'steps of the most seconds there are',
      { startAt: '2024-03-12T02:30:00-04:00', every: Number.MAX_SAFE_INTEGER, unit: 'second' },
      '2024-06-01',
    ],
  ] as const)('ends with year 9999: %s', (_what, options, from) => {
    expect(calendarInterval({ ...options, timeZone: NEW_YORK }).next(at(from))).toBeNull()
  })

  it('counts a thousand years of days at once', () => {
    const trigger = calendarInterval({ startAt: '2000-01-01T10:00:00Z', every: 1, unit: 'day' })
    const run = () => trigger.count(at('2000-01-01'), at('3000-01-01'))
    expect(run()).toBe(365_243)
    expect(medianMs(run)).toBeLessThan(50)
  })
})

describe('not copied from Quartz', () => {
  it('month ends do not drift', () => {
    const trigger = calendarInterval({ startAt: '2026-01-31T10:00:00Z', every: 1, unit: 'month' })
    expect(firstFires(trigger, '2026-02-01', 3)).toEqual([
      '2026-02-28T10:00Z',
      '2026-03-31T10:00Z',
      '2026-04-30T10:00Z',
    ])
    expect(firstFires(trigger, '2030-12-01', 3)).toEqual([
      '2030-12-31T10:00Z',
      '2031-01-31T10:00Z',
      '2031-02-28T10:00Z',
    ])
  })

  it('an interval of days does not keep the shifted hour after a gap', () => {
    const trigger = calendarInterval({
      startAt: '2026-03-07T02:30:00-05:00',
      every: 1,
      unit: 'day',
      timeZone: NEW_YORK,
    })
    expect(firstFires(trigger, '2026-03-08', 3)).toEqual([
      '2026-03-08T03:30-04:00',
      '2026-03-09T02:30-04:00',
      '2026-03-10T02:30-04:00',
    ])
  })
})

describe('an invalid option of a calendar interval is named', () => {
  const valid = { startAt: '2026-01-01T10:00:00Z', every: 1, unit: 'day' }

  it.each([
    ['startAt', { startAt: undefined }],
    ['startAt', { startAt: '2026-02-30T00:00:00Z' }],
    ['endAt', { endAt: '2025-01-01T00:00:00Z' }],
    ['every', { every: undefined }],
    ['every', { every: 0 }],
    ['every', { every: -1 }],
    ['every', { every: 1.5 }],
    ['every', { every: '1' }],
    ['unit', { unit: undefined }],
    ['unit', { unit: 'days' }],
    ['unit', { unit: 'constructor' }],
    ['Time zone', { timeZone: '+03:00' }],
    ['gap', { gap: 'fill' }],
    ['overlap', { overlap: 'both' }],
  ])('%s: %j', (name, options) => {
    expect(refusal(() => calendarInterval({ ...valid, ...options } as CalendarIntervalOptions)).message).toContain(name)
  })

  it('lists the units', () => {
    expect(
      refusal(() => calendarInterval({ ...valid, unit: 'days' } as unknown as CalendarIntervalOptions)).message,
    ).toBe('unit must be one of second, minute, hour, day, week, month, year, got "days". Did you mean "day"?')
  })
})
