import { describe, expect, it } from 'vitest'
import { at, fires, fireTimes, wall } from '../../../test/harness/instants.ts'
import { cron } from '../triggers/cron.ts'
import type { GapRule, OverlapRule } from './zoned-times.ts'

const NEW_YORK = 'America/New_York'
const SAO_PAULO = 'America/Sao_Paulo'
const LORD_HOWE = 'Australia/Lord_Howe'
const APIA = 'Pacific/Apia'
const CASABLANCA = 'Africa/Casablanca'
const CAIRO = 'Africa/Cairo'
const KATHMANDU = 'Asia/Kathmandu'
const ST_JOHNS = 'America/St_Johns'

describe('a match that the clock goes forward over', () => {
  it.each<[string, string, string, GapRule | undefined, string, string, string[]]>([
    [
      'fires at the first instant after the gap',
      NEW_YORK,
      '30 2 * * *',
      undefined,
      '2026-03-07',
      '2026-03-10',
      ['2026-03-07T02:30-05:00', '2026-03-08T03:00-04:00', '2026-03-09T02:30-04:00'],
    ],
    [
      'is skipped on request',
      NEW_YORK,
      '30 2 * * *',
      'skip',
      '2026-03-07',
      '2026-03-10',
      ['2026-03-07T02:30-05:00', '2026-03-09T02:30-04:00'],
    ],
    [
      'at the very start of the gap',
      NEW_YORK,
      '0 2 * * *',
      undefined,
      '2026-03-08',
      '2026-03-09',
      ['2026-03-08T03:00-04:00'],
    ],
    [
      'at the last second of the gap',
      NEW_YORK,
      '59 59 2 * * *',
      undefined,
      '2026-03-08',
      '2026-03-09',
      ['2026-03-08T03:00-04:00'],
    ],
    [
      'at the end of the gap is no match in it',
      NEW_YORK,
      '0 3 * * *',
      'skip',
      '2026-03-08',
      '2026-03-09',
      ['2026-03-08T03:00-04:00'],
    ],
    [
      'fires once with one that is due at the end',
      NEW_YORK,
      '0,30 2,3 * * *',
      undefined,
      '2026-03-08',
      '2026-03-09',
      ['2026-03-08T03:00-04:00', '2026-03-08T03:30-04:00'],
    ],
    [
      'fires once for many in the gap',
      NEW_YORK,
      '15-45 2 * * *',
      undefined,
      '2026-03-08',
      '2026-03-09',
      ['2026-03-08T03:00-04:00'],
    ],
    [
      'of an interval fires too',
      NEW_YORK,
      '30 * * * *',
      undefined,
      '2026-03-08T01:00',
      '2026-03-08T04:00',
      ['2026-03-08T01:30-05:00', '2026-03-08T03:00-04:00', '2026-03-08T03:30-04:00'],
    ],
    [
      'of an interval is skipped on request',
      NEW_YORK,
      '30 * * * *',
      'skip',
      '2026-03-08T01:00',
      '2026-03-08T04:00',
      ['2026-03-08T01:30-05:00', '2026-03-08T03:30-04:00'],
    ],
    [
      'of an interval meets the next',
      NEW_YORK,
      '*/30 * * * *',
      undefined,
      '2026-03-08T01:00',
      '2026-03-08T04:00',
      ['2026-03-08T01:00-05:00', '2026-03-08T01:30-05:00', '2026-03-08T03:00-04:00', '2026-03-08T03:30-04:00'],
    ],
    [
      'at midnight',
      SAO_PAULO,
      '0 0 * * *',
      undefined,
      '2018-11-03',
      '2018-11-06',
      ['2018-11-03T00:00-03:00', '2018-11-04T01:00-02:00', '2018-11-05T00:00-02:00'],
    ],
    [
      'at midnight, skipped',
      SAO_PAULO,
      '0 0 * * *',
      'skip',
      '2018-11-03',
      '2018-11-06',
      ['2018-11-03T00:00-03:00', '2018-11-05T00:00-02:00'],
    ],
    [
      'at midnight of a chosen date',
      SAO_PAULO,
      '0 0 4 11 *',
      undefined,
      '2018-11-03',
      '2018-11-06',
      ['2018-11-04T01:00-02:00'],
    ],
    [
      'by half an hour',
      LORD_HOWE,
      '15 2 * * *',
      undefined,
      '2026-10-03',
      '2026-10-06',
      ['2026-10-03T02:15+10:30', '2026-10-04T02:30+11:00', '2026-10-05T02:15+11:00'],
    ],
    [
      'by half an hour, skipped',
      LORD_HOWE,
      '15 2 * * *',
      'skip',
      '2026-10-03',
      '2026-10-06',
      ['2026-10-03T02:15+10:30', '2026-10-05T02:15+11:00'],
    ],
    [
      'by half an hour is not all of the hour',
      LORD_HOWE,
      '45 2 * * *',
      undefined,
      '2026-10-04',
      '2026-10-05',
      ['2026-10-04T02:45+11:00'],
    ],
    [
      'by a whole day',
      APIA,
      '0 12 * * *',
      undefined,
      '2011-12-29',
      '2012-01-01',
      ['2011-12-29T12:00-10:00', '2011-12-31T00:00+14:00', '2011-12-31T12:00+14:00'],
    ],
    [
      'by a whole day, skipped',
      APIA,
      '0 12 * * *',
      'skip',
      '2011-12-29',
      '2012-01-01',
      ['2011-12-29T12:00-10:00', '2011-12-31T12:00+14:00'],
    ],
    [
      'by a whole day, on the date that never was',
      APIA,
      '0 12 30 12 *',
      undefined,
      '2011-12-01',
      '2012-12-31',
      ['2011-12-31T00:00+14:00', '2012-12-30T12:00+14:00'],
    ],
    [
      'by a whole day, on the weekday that never was',
      APIA,
      '0 12 * * FRI',
      'skip',
      '2011-12-23',
      '2012-01-07',
      ['2011-12-23T12:00-10:00', '2012-01-06T12:00+14:00'],
    ],
    [
      'after Ramadan',
      CASABLANCA,
      '30 2 * * *',
      undefined,
      '2024-04-13',
      '2024-04-16',
      ['2024-04-13T02:30Z', '2024-04-14T03:00+01:00', '2024-04-15T02:30+01:00'],
    ],
    [
      'on a Friday at midnight',
      CAIRO,
      '0 0 * * *',
      undefined,
      '2024-04-25',
      '2024-04-28',
      ['2024-04-25T00:00+02:00', '2024-04-26T01:00+03:00', '2024-04-27T00:00+03:00'],
    ],
    [
      'by a quarter of an hour',
      KATHMANDU,
      '0 0 * * *',
      undefined,
      '1985-12-31',
      '1986-01-03',
      ['1985-12-31T00:00+05:30', '1986-01-01T00:15+05:45', '1986-01-02T00:00+05:45'],
    ],
    [
      'a minute after midnight',
      ST_JOHNS,
      '30 0 * * *',
      undefined,
      '2010-03-13',
      '2010-03-16',
      ['2010-03-13T00:30-03:30', '2010-03-14T01:01-02:30', '2010-03-15T00:30-02:30'],
    ],
  ])('%s (%s, %s)', (_fact, timeZone, expression, gap, from, to, expected) => {
    expect(fires(cron(expression, { timeZone, gap }), from, to)).toEqual(expected)
  })

  it('is not reported again at the instant to which it was shifted', () => {
    const trigger = cron('30 2 * * *', { timeZone: NEW_YORK })
    const shifted = at('2026-03-08T03:00', NEW_YORK)
    expect(trigger.next(shifted - 1)).toBe(shifted)
    expect(wall(trigger.next(shifted), NEW_YORK)).toBe('2026-03-09T02:30-04:00')
    expect(wall(trigger.previous(shifted), NEW_YORK)).toBe('2026-03-07T02:30-05:00')
    expect(trigger.previous(shifted + 1)).toBe(shifted)
  })
})

describe('a match that the wall shows twice', () => {
  it.each<[string, string, string, OverlapRule | undefined, string, string, string[]]>([
    [
      'fires in the first pass',
      NEW_YORK,
      '30 1 * * *',
      undefined,
      '2026-10-31',
      '2026-11-03',
      ['2026-10-31T01:30-04:00', '2026-11-01T01:30-04:00', '2026-11-02T01:30-05:00'],
    ],
    [
      'fires in the first pass, said so',
      NEW_YORK,
      '30 1 * * *',
      'first',
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:30-04:00'],
    ],
    [
      'fires in the last pass on request',
      NEW_YORK,
      '30 1 * * *',
      'last',
      '2026-10-31',
      '2026-11-03',
      ['2026-10-31T01:30-04:00', '2026-11-01T01:30-05:00', '2026-11-02T01:30-05:00'],
    ],
    [
      'fires in both on request',
      NEW_YORK,
      '30 1 * * *',
      'both',
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:30-04:00', '2026-11-01T01:30-05:00'],
    ],
    [
      'of an interval fires in both',
      NEW_YORK,
      '*/30 1 * * *',
      undefined,
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:00-04:00', '2026-11-01T01:30-04:00', '2026-11-01T01:00-05:00', '2026-11-01T01:30-05:00'],
    ],
    [
      'of an interval, first',
      NEW_YORK,
      '*/30 1 * * *',
      'first',
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:00-04:00', '2026-11-01T01:30-04:00'],
    ],
    [
      'of an interval, last',
      NEW_YORK,
      '*/30 1 * * *',
      'last',
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:00-05:00', '2026-11-01T01:30-05:00'],
    ],
    [
      'of an interval over it all',
      NEW_YORK,
      '0 * * * *',
      undefined,
      '2026-11-01',
      '2026-11-01T04:00',
      [
        '2026-11-01T00:00-04:00',
        '2026-11-01T01:00-04:00',
        '2026-11-01T01:00-05:00',
        '2026-11-01T02:00-05:00',
        '2026-11-01T03:00-05:00',
      ],
    ],
    [
      'of an interval over it all, first',
      NEW_YORK,
      '0 * * * *',
      'first',
      '2026-11-01',
      '2026-11-01T04:00',
      ['2026-11-01T00:00-04:00', '2026-11-01T01:00-04:00', '2026-11-01T02:00-05:00', '2026-11-01T03:00-05:00'],
    ],
    [
      'of an interval over it all, last',
      NEW_YORK,
      '0 * * * *',
      'last',
      '2026-11-01',
      '2026-11-01T04:00',
      ['2026-11-01T00:00-04:00', '2026-11-01T01:00-05:00', '2026-11-01T02:00-05:00', '2026-11-01T03:00-05:00'],
    ],
    [
      'of an interval of seconds',
      NEW_YORK,
      '*/30 59 1 * * *',
      undefined,
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:59-04:00', '2026-11-01T01:59:30-04:00', '2026-11-01T01:59-05:00', '2026-11-01T01:59:30-05:00'],
    ],
    [
      'of a range of hours is an interval',
      NEW_YORK,
      '30 1-2 * * *',
      undefined,
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:30-04:00', '2026-11-01T01:30-05:00', '2026-11-01T02:30-05:00'],
    ],
    [
      'of a list of hours is fixed',
      NEW_YORK,
      '30 1,2 * * *',
      undefined,
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T01:30-04:00', '2026-11-01T02:30-05:00'],
    ],
    [
      'does not reach to the end of the hour',
      NEW_YORK,
      '0 2 * * *',
      'both',
      '2026-11-01',
      '2026-11-02',
      ['2026-11-01T02:00-05:00'],
    ],
    [
      'before midnight',
      SAO_PAULO,
      '30 23 * * *',
      undefined,
      '2018-02-16',
      '2018-02-19',
      ['2018-02-16T23:30-02:00', '2018-02-17T23:30-02:00', '2018-02-18T23:30-03:00'],
    ],
    [
      'before midnight, both',
      SAO_PAULO,
      '30 23 17 2 *',
      'both',
      '2018-02-16',
      '2018-02-19',
      ['2018-02-17T23:30-02:00', '2018-02-17T23:30-03:00'],
    ],
    [
      'before midnight, and midnight comes once',
      SAO_PAULO,
      '0 0 * * *',
      'both',
      '2018-02-17',
      '2018-02-19',
      ['2018-02-17T00:00-02:00', '2018-02-18T00:00-03:00'],
    ],
    [
      'around midnight',
      ST_JOHNS,
      '0 0 * * *',
      undefined,
      '2010-11-06',
      '2010-11-09',
      ['2010-11-06T00:00-02:30', '2010-11-07T00:00-02:30', '2010-11-08T00:00-03:30'],
    ],
    [
      'around midnight, both',
      ST_JOHNS,
      '0 0 7 11 *',
      'both',
      '2010-11-06',
      '2010-11-09',
      ['2010-11-07T00:00-02:30', '2010-11-07T00:00-03:30'],
    ],
    [
      'around midnight, last',
      ST_JOHNS,
      '30 23 * * *',
      'last',
      '2010-11-06',
      '2010-11-08',
      ['2010-11-06T23:30-03:30', '2010-11-07T23:30-03:30'],
    ],
    ['by half an hour', LORD_HOWE, '45 1 * * *', undefined, '2026-04-05', '2026-04-06', ['2026-04-05T01:45+11:00']],
    [
      'by half an hour, an interval',
      LORD_HOWE,
      '*/15 1 * * *',
      undefined,
      '2026-04-05',
      '2026-04-06',
      [
        '2026-04-05T01:00+11:00',
        '2026-04-05T01:15+11:00',
        '2026-04-05T01:30+11:00',
        '2026-04-05T01:45+11:00',
        '2026-04-05T01:30+10:30',
        '2026-04-05T01:45+10:30',
      ],
    ],
    [
      'for Ramadan',
      CASABLANCA,
      '30 2 * * *',
      undefined,
      '2024-03-09',
      '2024-03-12',
      ['2024-03-09T02:30+01:00', '2024-03-10T02:30+01:00', '2024-03-11T02:30Z'],
    ],
    [
      'for Ramadan, an interval',
      CASABLANCA,
      '*/30 2 * * *',
      undefined,
      '2024-03-10',
      '2024-03-11',
      ['2024-03-10T02:00+01:00', '2024-03-10T02:30+01:00', '2024-03-10T02:00Z', '2024-03-10T02:30Z'],
    ],
    [
      'on a Thursday, last',
      CAIRO,
      '30 23 * * THU',
      'last',
      '2024-10-24',
      '2024-11-08',
      ['2024-10-24T23:30+03:00', '2024-10-31T23:30+02:00', '2024-11-07T23:30+02:00'],
    ],
  ])('%s (%s, %s)', (_fact, timeZone, expression, overlap, from, to, expected) => {
    expect(fires(cron(expression, { timeZone, overlap }), from, to)).toEqual(expected)
  })
})

describe('a zone without changes', () => {
  it.each([
    [KATHMANDU, '0 9 * * *', '2026-01-01T09:00+05:45'],
    ['Etc/GMT+12', '0 9 * * *', '2026-01-01T09:00-12:00'],
    ['Pacific/Kiritimati', '0 9 * * *', '2026-01-01T09:00+14:00'],
    ['UTC', '0 9 * * *', '2026-01-01T09:00Z'],
  ])('%s keeps its own hours', (timeZone, expression, expected) => {
    expect(fires(cron(expression, { timeZone }), '2026-01-01', '2026-01-02')).toEqual([expected])
  })
})

describe('a year of changes', () => {
  it.each([NEW_YORK, SAO_PAULO, LORD_HOWE, APIA, CASABLANCA, CAIRO, ST_JOHNS, 'Europe/Dublin', 'Antarctica/Troll'])(
    'is the same forwards, backwards and counted in %s',
    (timeZone) => {
      for (const [from, to] of [
        ['2011-06-01T12:00', '2012-06-01T12:00'],
        ['2024-01-01T12:00', '2025-01-01T12:00'],
      ] as const) {
        for (const gap of ['shift', 'skip'] as const) {
          for (const overlap of ['first', 'last', 'both'] as const) {
            const trigger = cron('37 0-2,23 * * *', { timeZone, gap, overlap })
            expect(fireTimes(trigger, from, to).length).toBeGreaterThan(1_450)
          }
        }
      }
    },
  )

  it('fires every elapsed minute of the year, however the clock is set', () => {
    for (const timeZone of [NEW_YORK, LORD_HOWE, APIA]) {
      const trigger = cron('* * * * *', { timeZone })
      expect(trigger.count(at('2011-01-01'), at('2012-01-01'))).toBe(365 * 24 * 60)
    }
  })
})
