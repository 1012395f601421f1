import { describe, expect, it } from 'vitest'
import { instantOf, wallTimeOf } from './wall-time.ts'

describe('what a field for a date and time holds', () => {
  it.each([
    ['2026-03-08T01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T02:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
    ['2018-11-04T00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2026-06-01T12:00', 'Asia/Kathmandu', '2026-06-01T06:15:00.000Z'],
    ['2026-06-01', 'UTC', '2026-06-01T00:00:00.000Z'],
  ])('%s in %s is %s', (wallTime, zone, expected) => {
    expect(instantOf(wallTime, zone)).toBe(expected)
  })

  it.each(['', 'soon'])('%j is no instant', (text) => {
    expect(instantOf(text, 'UTC')).toBeNull()
  })

  it('is what clocks show', () => {
    expect(wallTimeOf(Date.parse('2026-11-16T02:55:41Z'), 'America/Sao_Paulo')).toBe('2026-11-15T23:55')
  })
})
