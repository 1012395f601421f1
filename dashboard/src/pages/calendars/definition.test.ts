import { describe, expect, it } from 'vitest'
import { begunAs, KINDS, listOf, numbersOf, summaryOf, withField } from './definition.ts'

const weekday = (day: number) => 'SMTWTFS'[day] ?? '?'

describe('the definition of a calendar', () => {
  it.each(KINDS)('of the kind %s begins as one, and keeps what is common to all', (kind) => {
    const base = { type: 'weekly', weekdays: [0] } as const
    const before = { type: 'holiday', dates: ['2026-01-01'], timeZone: 'UTC', onExcluded: 'nextDay', base } as const
    expect(begunAs(kind, before)).toMatchObject({ type: kind, timeZone: 'UTC', onExcluded: 'nextDay', base })
    expect(begunAs(kind, null)).not.toHaveProperty('timeZone')
  })

  it('has a field or not', () => {
    const daily = { type: 'daily', from: '01:00', to: '02:00' } as const
    expect(withField(daily, 'timeZone', 'UTC')).toEqual({ ...daily, timeZone: 'UTC' })
    expect(withField({ ...daily, timeZone: 'UTC' }, 'timeZone', '')).toEqual(daily)
  })

  it('is told in a few words', () => {
    const days = Array.from({ length: 9 }, (_, at) => at + 1)
    expect(summaryOf({ type: 'monthly', days }, weekday)).toBe('1, 2, 3, 4, 5, 6 … (9)')
    expect(summaryOf({ type: 'weekly', weekdays: [0, 6] }, weekday)).toBe('S, S')
    expect(summaryOf({ type: 'daily', from: '08:00', to: '18:00', invert: true }, weekday)).toBe('≠ 08:00 – 18:00')
    const base = { type: 'weekly', weekdays: [0] } as const
    expect(summaryOf({ type: 'holiday', dates: ['2026-12-25'], base }, weekday)).toBe('2026-12-25 + S')
    expect(summaryOf({ type: 'cron', expression: '* 0-6 * * *' }, weekday)).toBe('* 0-6 * * *')
  })
})

it('what is typed is taken apart', () => {
  expect(listOf(' 2026-01-01\n2026-12-25, 2027-01-01; ')).toEqual(['2026-01-01', '2026-12-25', '2027-01-01'])
  expect(numbersOf('1, 15 x')).toEqual([1, 15, 'x'])
})
