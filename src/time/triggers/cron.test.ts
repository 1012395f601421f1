import { describe, expect, it } from 'vitest'
import { at, fires, firstFires, medianMs, refusal, wall } from '../../../test/harness/instants.ts'
import { cron } from './cron.ts'

describe('the window of a cron trigger', () => {
  const daily = { startAt: '2026-01-02T09:00:00Z', endAt: '2026-01-04T09:00:00Z' }

  it.each([
    ['both ends are fire times', daily, ['02', '03', '04']],
    ['it starts a second after one', { ...daily, startAt: '2026-01-02T09:00:01Z' }, ['03', '04']],
    ['it starts within the second of one', { ...daily, startAt: '2026-01-02T09:00:00.999Z' }, ['02', '03', '04']],
    ['it ends a millisecond before one', { ...daily, endAt: at('2026-01-04T09:00Z') - 1 }, ['02', '03']],
    ['it has no start', { endAt: daily.endAt }, ['01', '02', '03', '04']],
    ['it has no end', { startAt: daily.startAt }, ['02', '03', '04', '05']],
    ['it is a single instant', { startAt: daily.startAt, endAt: daily.startAt }, ['02']],
    ['it is given as dates', { startAt: new Date(daily.startAt), endAt: new Date(daily.endAt) }, ['02', '03', '04']],
  ])('where %s', (_what, options, days) => {
    const shown = fires(cron('0 9 * * *', options), '2026-01-01', '2026-01-06').slice(0, 4)
    expect(shown.map((time) => time?.slice(8, 10))).toEqual(days)
  })

  it('is closed outside: null before and after it', () => {
    const trigger = cron('0 9 * * *', daily)
    expect(wall(trigger.next(Number.NEGATIVE_INFINITY))).toBe('2026-01-02T09:00Z')
    expect(trigger.next(at(daily.endAt))).toBeNull()
    expect(trigger.previous(at(daily.startAt))).toBeNull()
    expect(wall(trigger.previous(Number.POSITIVE_INFINITY))).toBe('2026-01-04T09:00Z')
    expect(trigger.count(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(3)
  })
})

describe('the answers of a cron trigger', () => {
  it.each([
    ['exactly at a fire time', '2026-01-01T09:00Z', '2025-12-31T09:00Z', '2026-01-02T09:00Z'],
    ['a millisecond before one', '2026-01-01T08:59:59.999Z', '2025-12-31T09:00Z', '2026-01-01T09:00Z'],
    ['a millisecond after one', '2026-01-01T09:00:00.001Z', '2026-01-01T09:00Z', '2026-01-02T09:00Z'],
  ])('leave out the instant asked about: %s', (_what, instant, previous, next) => {
    const trigger = cron('0 9 * * *')
    expect(wall(trigger.previous(at(instant)))).toBe(previous)
    expect(wall(trigger.next(at(instant)))).toBe(next)
  })

  it('take the start of a range and leave out its end', () => {
    const trigger = cron('0 9 * * *')
    expect(fires(trigger, '2026-01-01T09:00', '2026-01-02T09:00')).toEqual(['2026-01-01T09:00Z'])
    expect(fires(trigger, '2026-01-01T09:00', '2026-01-01T09:00')).toEqual([])
    expect(trigger.count(at('2026-01-02'), at('2026-01-01'))).toBe(0)
  })

  it('list lazily', () => {
    const [first, second] = cron('* * * * * *').between(at('2026-01-01'), Number.POSITIVE_INFINITY)
    expect([wall(first ?? null), wall(second ?? null)]).toEqual(['2026-01-01T00:00Z', '2026-01-01T00:00:01Z'])
  })

  it.each([Number.NaN, '2026-01-01', undefined, new Date(0)])('are refused for %s, which is no instant', (instant) => {
    const trigger = cron('0 9 * * *')
    for (const run of [
      () => trigger.next(instant as number),
      () => trigger.previous(instant as number),
      () => trigger.count(instant as number, 0),
    ]) {
      expect(refusal(run).code).toBe('instant.invalid')
    }
  })
})

describe('far away', () => {
  it.each([
    ['29 February after 2097, for 2100 is no leap year', '0 0 29 2 *', '2097-01-01', '2104-02-29T00:00Z'],
    ['29 February on a Sunday after 2097', '0 0 29 2 0', '2097-01-01', '2128-02-29T00:00Z'],
    ['the last second of all', '59 59 23 31 12 *', '9999-12-31', '9999-12-31T23:59:59Z'],
    ['the first day of the last year', '0 0 1 1 *', '9998-06-01', '9999-01-01T00:00Z'],
    ['nothing after the last year', '0 0 1 1 *', '9999-06-01', null],
    ['nothing after the last leap day', '0 0 29 2 *', '9996-03-01', null],
  ])('next finds %s', (_what, expression, from, expected) => {
    expect(wall(cron(expression, { dayRule: 'and' }).next(at(from)))).toBe(expected)
  })

  it.each([
    ['29 February before 2104', '0 0 29 2 *', '2104-02-29', '2096-02-29T00:00Z'],
    ['29 February before 1904', '0 0 29 2 *', '1904-02-29', '1896-02-29T00:00Z'],
    ['29 February on a Monday before 2044', '0 0 29 2 1', '2044-02-29', '2016-02-29T00:00Z'],
    ['the first day of all', '0 0 1 1 *', '0001-06-01', '0001-01-01T00:00Z'],
    ['nothing before the first day', '0 0 1 1 *', '0001-01-01', null],
  ])('previous finds %s', (_what, expression, before, expected) => {
    expect(wall(cron(expression, { dayRule: 'and' }).previous(at(before)))).toBe(expected)
  })

  it('a wall time of year 9999 that lies in year 10000 of UTC does not fire', () => {
    const trigger = cron('0 20 31 12 *', { timeZone: 'America/New_York' })
    expect(wall(trigger.next(at('9998-06-01')))).toBe('9999-01-01T01:00Z')
    expect(trigger.next(at('9999-06-01'))).toBeNull()
  })

  it.each([
    ['28 years hold 7 leap days', '0 0 29 2 *', '1999-01-01', '2027-01-01', 7],
    ['400 years hold 97 leap days', '0 0 29 2 *', '2000-01-01', '2400-01-01', 97],
    ['9999 years hold all days', '0 0 * * *', '0001-01-01', '9999-12-31T23:59', 3_652_059],
    ['400 years hold 688 Fridays the 13th', '0 0 13 * 5', '2000-01-01', '2400-01-01', 688],
  ])('count finds that %s', (_what, expression, from, to, expected) => {
    expect(cron(expression, { dayRule: 'and' }).count(at(from), at(to))).toBe(expected)
  })
})

describe('long ranges are fast', () => {
  const [from, to] = [at('2016-01-01'), at('2026-01-01')]

  it.each([
    ['ten years of every minute are counted', () => cron('* * * * *').count(from, to), 5_260_320],
    [
      'ten years of every minute in New York are counted',
      () => cron('* * * * *', { timeZone: 'America/New_York' }).count(from, to),
      5_260_320,
    ],
    ['ten years of every second are counted', () => cron('* * * * * *').count(from, to), 315_619_200],
    [
      '9999 years of every minute are counted',
      () => cron('* * * * *').count(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      5_258_964_960,
    ],
    [
      '9999 years hold no 30 February',
      () => cron('0 0 30 2 *').count(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      0,
    ],
    [
      'no fifth Friday of February is left before the end',
      () => cron('0 0 29 2 5', { dayRule: 'and' }).next(at('9980-03-01')),
      null,
    ],
    [
      'a thousand fire times are listed',
      () => [...cron('*/5 * * * *', { timeZone: 'America/New_York' }).between(from, from + 300_000_000)].length,
      1_000,
    ],
  ])('%s', (_what, run, expected) => {
    expect(run()).toBe(expected)
    expect(medianMs(run)).toBeLessThan(50)
  })
})

describe('an invalid option of a cron trigger', () => {
  it.each([
    ['timeZone', { timeZone: 'Mars/X' }, 'zone.unknown', 'Time zone'],
    ['timeZone as a number', { timeZone: 3 }, 'zone.unknown', 'Time zone'],
    ['startAt', { startAt: 'tomorrow' }, 'instant.invalid', 'startAt'],
    ['endAt', { endAt: '2026-02-30T00:00:00Z' }, 'instant.invalid', 'endAt'],
    ['an end before the start', { startAt: 1_000, endAt: 999 }, 'trigger.invalid', 'endAt must not be before startAt'],
    ['gap', { gap: 'fill' }, 'option.invalid', 'gap'],
    ['overlap', { overlap: 'twice' }, 'option.invalid', 'overlap'],
    ['dayRule', { dayRule: 'xor' }, 'option.invalid', 'dayRule'],
    ['fields', { fields: 7 }, 'option.invalid', 'fields'],
    ['identity', { identity: 7 }, 'option.invalid', 'identity'],
  ])('is named: %s', (_what, options, code, named) => {
    const error = refusal(() => cron('0 9 * * *', options as object))
    expect(error.code).toBe(code)
    expect(error.message).toContain(named)
  })
})

describe('H in a cron trigger', () => {
  it('fires once an hour, at a minute of the identity', () => {
    const shown = firstFires(cron('H * * * *', { identity: 'closing' }), '2026-01-01', 3)
    const [first] = shown
    const minute = first?.slice(14, 16)
    expect(shown).toEqual(['00', '01', '02'].map((hour) => `2026-01-01T${hour}:${minute}Z`))
  })
})
