import { describe, expect, it } from 'vitest'
import { at, fires, fireTimes, firstFires, medianMs, refusal } from '../../../test/harness/instants.ts'
import { type DailyTimeIntervalOptions, dailyTimeInterval } from './daily-time-interval.ts'

const NEW_YORK = 'America/New_York'

describe('a daily time interval', () => {
  it.each<[string, DailyTimeIntervalOptions, string[]]>([
    [
      'fires between two times of day, both included',
      { every: 4, unit: 'hour', from: '08:00', to: '16:00' },
      ['2026-01-01T08:00Z', '2026-01-01T12:00Z', '2026-01-01T16:00Z', '2026-01-02T08:00Z'],
    ],
    [
      'ends before a step that would pass the end',
      { every: 5, unit: 'hour', from: '08:00', to: '16:00' },
      ['2026-01-01T08:00Z', '2026-01-01T13:00Z', '2026-01-02T08:00Z'],
    ],
    [
      'begins anew each day',
      { every: 7, unit: 'hour' },
      ['2026-01-01T00:00Z', '2026-01-01T07:00Z', '2026-01-01T14:00Z', '2026-01-01T21:00Z', '2026-01-02T00:00Z'],
    ],
    [
      'fires on chosen days of the week',
      { every: 12, unit: 'hour', weekdays: [1, 5] },
      ['2026-01-02T00:00Z', '2026-01-02T12:00Z', '2026-01-05T00:00Z', '2026-01-05T12:00Z', '2026-01-09T00:00Z'],
    ],
    [
      'takes days in any order and twice',
      { every: 24, unit: 'hour', weekdays: [5, 1, 5] },
      ['2026-01-02T00:00Z', '2026-01-05T00:00Z', '2026-01-09T00:00Z'],
    ],
    [
      'fires in seconds',
      { every: 20, unit: 'second', from: '09:00', to: '09:00:50' },
      ['2026-01-01T09:00Z', '2026-01-01T09:00:20Z', '2026-01-01T09:00:40Z', '2026-01-02T09:00Z'],
    ],
    [
      'fires once a day where both times are one',
      { every: 1, unit: 'minute', from: '09:00', to: '09:00' },
      ['2026-01-01T09:00Z', '2026-01-02T09:00Z'],
    ],
    [
      'keeps its steps where it starts within a day',
      { every: 4, unit: 'hour', from: '08:00', to: '16:00', startAt: '2026-01-01T09:00:00Z' },
      ['2026-01-01T12:00Z', '2026-01-01T16:00Z', '2026-01-02T08:00Z'],
    ],
    [
      'fires at its start',
      { every: 4, unit: 'hour', from: '08:00', startAt: '2026-01-01T12:00:00Z' },
      ['2026-01-01T12:00Z', '2026-01-01T16:00Z'],
    ],
    [
      'fires at its end',
      { every: 4, unit: 'hour', from: '08:00', endAt: '2026-01-01T12:00:00Z', startAt: '2026-01-01T00:00:00Z' },
      ['2026-01-01T08:00Z', '2026-01-01T12:00Z'],
    ],
    [
      'repeats so often',
      { every: 4, unit: 'hour', from: '08:00', to: '16:00', repeatCount: 3, startAt: '2026-01-01T00:00:00Z' },
      ['2026-01-01T08:00Z', '2026-01-01T12:00Z', '2026-01-01T16:00Z', '2026-01-02T08:00Z'],
    ],
    [
      'without repeats fires once',
      { every: 4, unit: 'hour', from: '08:00', repeatCount: 0, startAt: '2026-01-01T09:00:00Z' },
      ['2026-01-01T12:00Z'],
    ],
    [
      'ends by its end before its repeats',
      {
        every: 4,
        unit: 'hour',
        from: '08:00',
        repeatCount: 9,
        startAt: '2026-01-01T00:00:00Z',
        endAt: '2026-01-01T12:00:00Z',
      },
      ['2026-01-01T08:00Z', '2026-01-01T12:00Z'],
    ],
  ])('%s', (_fact, options, expected) => {
    const isLimited = options.repeatCount !== undefined || options.endAt !== undefined
    const trigger = dailyTimeInterval(options)
    expect(firstFires(trigger, '2026-01-01', expected.length + (isLimited ? 5 : 0))).toEqual(expected)
    if (isLimited) expect(trigger.count(at('2026-01-01'), at('2027-01-01'))).toBe(expected.length)
  })

  it.each<[string, DailyTimeIntervalOptions, string, string, string[]]>([
    [
      'the gap shortens the day',
      { every: 1, unit: 'hour', from: '01:00', to: '04:00', timeZone: NEW_YORK },
      '2026-03-08',
      '2026-03-09',
      ['2026-03-08T01:00-05:00', '2026-03-08T03:00-04:00', '2026-03-08T04:00-04:00'],
    ],
    [
      'the repeated hour lengthens the day',
      { every: 1, unit: 'hour', from: '00:00', to: '02:00', timeZone: NEW_YORK },
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T00:00-04:00', '2026-11-01T01:00-04:00', '2026-11-01T01:00-05:00', '2026-11-01T02:00-05:00'],
    ],
    [
      'a beginning in the gap is as much later',
      { every: 1, unit: 'hour', from: '02:30', to: '05:00', timeZone: NEW_YORK },
      '2026-03-07',
      '2026-03-10',
      [
        '2026-03-07T02:30-05:00',
        '2026-03-07T03:30-05:00',
        '2026-03-07T04:30-05:00',
        '2026-03-08T03:30-04:00',
        '2026-03-08T04:30-04:00',
        '2026-03-09T02:30-04:00',
        '2026-03-09T03:30-04:00',
        '2026-03-09T04:30-04:00',
      ],
    ],
    [
      'a beginning that comes twice counts first',
      { every: 1, unit: 'hour', from: '01:30', to: '03:00', timeZone: NEW_YORK },
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:30-04:00', '2026-11-01T01:30-05:00', '2026-11-01T02:30-05:00'],
    ],
    [
      'a beginning that comes twice counts last on request',
      { every: 1, unit: 'hour', from: '01:30', to: '03:00', timeZone: NEW_YORK, overlap: 'last' },
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:30-05:00', '2026-11-01T02:30-05:00'],
    ],
    [
      'midnight that never was',
      { every: 12, unit: 'hour', timeZone: 'America/Sao_Paulo' },
      '2018-11-03T12:00',
      '2018-11-05T12:00',
      ['2018-11-03T12:00-03:00', '2018-11-04T01:00-02:00', '2018-11-04T13:00-02:00', '2018-11-05T00:00-02:00'],
    ],
    [
      'a weekday that never was',
      { every: 12, unit: 'hour', from: '06:00', weekdays: [5], timeZone: 'Pacific/Apia' },
      '2011-12-23',
      '2012-01-07',
      ['2011-12-23T06:00-10:00', '2011-12-23T18:00-10:00', '2012-01-06T06:00+14:00', '2012-01-06T18:00+14:00'],
    ],
    [
      'a day that never was',
      { every: 12, unit: 'hour', from: '06:00', timeZone: 'Pacific/Apia' },
      '2011-12-29',
      '2012-01-01',
      ['2011-12-29T06:00-10:00', '2011-12-29T18:00-10:00', '2011-12-31T06:00+14:00', '2011-12-31T18:00+14:00'],
    ],
  ])('in a zone: %s', (_fact, options, from, to, expected) => {
    expect(fires(dailyTimeInterval(options), from, to)).toEqual(expected)
  })

  it.each([NEW_YORK, 'America/St_Johns', 'Pacific/Apia', 'Africa/Cairo', 'America/Sao_Paulo'])(
    'agrees forwards, backwards and counted over a year of changes in %s',
    (timeZone) => {
      for (const overlap of ['first', 'last'] as const) {
        const options = { every: 100, unit: 'minute', from: '00:10', to: '23:50', timeZone, overlap } as const
        for (const weekdays of [undefined, [0, 4, 5, 6]]) {
          expect(
            fireTimes(dailyTimeInterval({ ...options, weekdays }), '2010-06-01T12:00', '2012-01-15T12:00').length,
          ).toBeGreaterThan(4_000)
        }
      }
    },
  )

  it('counts ten years of every second at once', () => {
    const trigger = dailyTimeInterval({ every: 1, unit: 'second', timeZone: NEW_YORK })
    const run = () => trigger.count(at('2016-01-01'), at('2026-01-01'))
    expect(run()).toBe(315_619_200)
    expect(medianMs(run)).toBeLessThan(50)
  })
})

describe('an invalid option of a daily time interval is named', () => {
  it.each([
    ['every', { every: 0 }],
    ['every', { every: 25 }],
    ['every', { every: '1' }],
    ['unit', { unit: 'day' }],
    ['from', { from: '24:00' }],
    ['from', { from: 8 }],
    ['to', { to: '8' }],
    ['to must not be before from, got 08:00 before 09:00', { from: '09:00', to: '08:00' }],
    ['to must not be before from, got 23:59:59 before 23:59:59.500', { from: '23:59:59.500' }],
    ['weekdays', { weekdays: [] }],
    ['weekdays', { weekdays: [7] }],
    ['weekdays', { weekdays: ['MON'] }],
    ['weekdays', { weekdays: 'MON' }],
    ['repeatCount', { repeatCount: -2 }],
    ['Time zone', { timeZone: 'Mars/X' }],
    ['overlap', { overlap: 'both' }],
    ['startAt', { startAt: 'now' }],
    ['endAt', { endAt: 'now' }],
  ])('%s: %j', (name, options) => {
    const valid = { every: 1, unit: 'hour' }
    expect(refusal(() => dailyTimeInterval({ ...valid, ...options } as DailyTimeIntervalOptions)).message).toContain(
      name,
    )
  })
})
