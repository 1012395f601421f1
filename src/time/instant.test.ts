import { describe, expect, it } from 'vitest'
import { refusal } from '../../test/harness/instants.ts'
import { formatInstant, formatTimeOfDay, instantOf, parseTimeOfDay } from './instant.ts'

const NOON = Date.UTC(2026, 2, 8, 12)

describe('an instant', () => {
  it.each([
    ['milliseconds', NOON, NOON],
    ['milliseconds before 1970', -1, -1],
    ['a Date', new Date(NOON), NOON],
    ['RFC 3339 in UTC', '2026-03-08T12:00:00Z', NOON],
    ['RFC 3339 with an offset', '2026-03-08T09:00:00-03:00', NOON],
    ['an offset of three quarters of an hour', '2026-03-08T17:45:00+05:45', NOON],
    ['milliseconds in text', '2026-03-08T12:00:00.250Z', NOON + 250],
    ['29 February of a leap year', '2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['the first of all', '0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['the last of all', '9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('is %s', (_what, received, milliseconds) => {
    expect(instantOf(received, 'startAt')).toBe(milliseconds)
  })

  it.each([
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of another year', '2026-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['24:00', '2026-01-01T24:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['text without an offset', '2026-01-01T00:00:00'],
    ['a date alone', '2026-01-01'],
    ['an offset of 25 hours', '2026-01-01T00:00:00+25:00'],
    ['an offset without a colon', '2026-01-01T00:00:00+0300'],
    ['year 0', '0000-01-01T00:00:00Z'],
    ['year 0 by its offset', '0001-01-01T00:00:00+00:01'],
    ['year 10000 by its offset', '9999-12-31T23:59:59-00:01'],
    ['year 275761', '+275761-01-01T00:00:00Z'],
    ['year 294277', '294277-01-01T00:00:00Z'],
    ['infinity as text', 'infinity'],
    ['milliseconds as text', '1772971200000'],
    ['something around it', ' 2026-01-01T00:00:00Z\n'],
    ['words', 'tomorrow'],
    ['empty text', ''],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a fraction of a millisecond', 0.5],
    ['milliseconds of year 10000', 253_402_300_800_000],
    ['an invalid Date', new Date(Number.NaN)],
    ['null', null],
    ['undefined', undefined],
    ['an object', {}],
  ])('is not %s', (_what, received) => {
    const error = refusal(() => instantOf(received as string, 'startAt'))
    expect(error.code).toBe('instant.invalid')
    expect(error.message).toMatch(/^startAt must be .*RFC 3339 text with an offset.*years 1 to 9999, got .*\.$/)
    expect(error.details).toMatchObject({ name: 'startAt' })
  })

  it('is stored as RFC 3339 in UTC', () => {
    expect(formatInstant(NOON + 250)).toBe('2026-03-08T12:00:00.250Z')
  })
})

describe('a time of day', () => {
  it.each([
    ['00:00', 0, '00:00'],
    ['8:05', 29_100_000, '08:05'],
    ['08:05', 29_100_000, '08:05'],
    ['08:05:00', 29_100_000, '08:05'],
    ['08:05:30', 29_130_000, '08:05:30'],
    ['08:05:30.250', 29_130_250, '08:05:30.250'],
    ['08:05:00.001', 29_100_001, '08:05:00.001'],
    ['08:05:30:250', 29_130_250, '08:05:30.250'],
    ['23:59:59.999', 86_399_999, '23:59:59.999'],
  ])('%s is %i ms after midnight and is written %s', (text, milliseconds, written) => {
    expect(parseTimeOfDay(text, 'from')).toBe(milliseconds)
    expect(formatTimeOfDay(milliseconds)).toBe(written)
  })

  it.each([
    '24:00',
    '08:60',
    '08:00:60',
    '8',
    '8:5',
    '-1:00',
    '08:00:00.5',
    '08:00Z',
    '08:00 ',
    '08:00\n',
    '8am',
    '',
    '０８:00',
    480,
    null,
    undefined,
  ])('%j is refused', (received) => {
    const error = refusal(() => parseTimeOfDay(received as string, 'from'))
    expect(error.code).toBe('time_of_day.invalid')
    expect(error.message).toMatch(/^from must be "HH:MM".* to 23:59:59\.999, got .*\.$/)
  })
})
