import { describe, expect, it } from 'vitest'
import { refusal } from '../../test/harness/instants.ts'
import { formatTimeOfDay, parseTimeOfDay } from './time-of-day.ts'

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
