import { describe, expect, it } from 'vitest'
import { addDays, addMonths, dayOf, hourOf, isDay, monthOf, startOfDay, weekOf } from './days.ts'

describe('the days of a calendar', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-15', -1, '2026-02-15'],
    ['2026-12-31', 1, '2027-01-31'],
  ])('%s and %d months is %s', (day, months, expected) => {
    expect(addMonths(day, months)).toBe(expected)
  })

  it('go on over the end of a month', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  })

  it('stand in weeks from a Sunday on', () => {
    expect(weekOf('2026-11-16')).toEqual([15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}`))
    expect(monthOf('2026-02-10').flat()).toHaveLength(28)
    expect(monthOf('2026-08-10').flat()).toHaveLength(42)
  })

  it.each([
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z'],
    ['2026-06-01', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z'],
    // Clocks went forward at midnight, so that the day began at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s begins at %s', (day, zone, expected) => {
    expect(startOfDay(day, zone)).toBe(expected)
  })

  it('an instant is on the day that clocks show', () => {
    const instant = Date.parse('2026-03-01T02:30:00Z')
    expect([dayOf(instant, 'UTC'), hourOf(instant, 'UTC')]).toEqual(['2026-03-01', 2])
    expect([dayOf(instant, 'America/Sao_Paulo'), hourOf(instant, 'America/Sao_Paulo')]).toEqual(['2026-02-28', 23])
  })

  it.each([
    ['2026-02-30', true],
    ['2026-13-01', false],
    ['today', false],
    [null, false],
  ])('%j is a day: %s', (text, expected) => {
    expect(isDay(text)).toBe(expected)
  })
})
