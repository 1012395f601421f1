import { describe, expect, it } from 'vitest'
import { readMoment, readMomentAhead } from './option-values.ts'
import { formatAge, formatTook } from './print/instants.ts'

const NOW = Date.parse('2026-03-09T12:00:00Z')
const read = (text: string, zone = 'UTC') => new Date(readMoment(text, '--since', { now: NOW, zone })).toISOString()

describe('a moment', () => {
  it.each([
    ['2h', 'UTC', '2026-03-09T10:00:00.000Z'],
    ['30 minutes', 'UTC', '2026-03-09T11:30:00.000Z'],
    ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
    // The day on which clocks go forward at midnight begins at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2026-03-01T09:00:00-03:00', 'UTC', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01t09:00:00z', 'UTC', '2026-03-01T09:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(read(text, zone)).toBe(instant)
  })

  it('lies ahead for who looks ahead', () => {
    expect(readMomentAhead('2h', '--at', { now: NOW, zone: 'UTC' })).toBe(NOW + 7_200_000)
  })

  it('is refused where no calendar goes so far', () => {
    const ahead = () => readMomentAhead('280000y', '--at', { now: NOW, zone: 'UTC' })
    expect(ahead).toThrow('--at must be a duration such as 30m, 2h or 7d, a day such as 2026-01-31')
  })

  it.each(['yesterday', '2026-13-01', '2h ago', '', '-2h', '2026-03-01T09:00'])('is refused: %j', (text) => {
    expect(() => read(text)).toThrow('--since must be a duration such as 30m, 2h or 7d, a day such as 2026-01-31')
  })
})

describe('an age', () => {
  it.each([
    [-3 * 60_000, '3 min ago'],
    [-999, 'now'],
    [500, 'now'],
    [-90_000_000, '1 d ago'],
    [3 * 3_600_000, 'in 3 h'],
  ])('of %i ms is %j', (ms, age) => {
    expect(formatAge(NOW + ms, NOW)).toBe(age)
  })

  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [4_230, '4.2 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [192_000, '3 min 12 s'],
    [3_599_600, '1 h 0 min'],
    [7_380_000, '2 h 3 min'],
  ])('something that took %i ms took %j', (ms, took) => {
    expect(formatTook(ms)).toBe(took)
  })
})
