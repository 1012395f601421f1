import { describe, expect, it } from 'vitest'
import { instantOfWall, type Span, spanOf, wallsOf, withRange, withSpan } from './range.ts'

const ZONE = 'America/Sao_Paulo'

describe('how far back a search goes', () => {
  it.each<[string, Span]>([
    ['', 'all'],
    ['status:failed closing', 'all'],
    ['after:1d', '1d'],
    ['AFTER:7D status:failed', '7d'],
    ['after:2d', 'own'],
    ['after:1d before:1h', 'own'],
    ['before:1d', 'own'],
    ['"after:1d"', 'all'],
  ])('%j is %s', (query, expected) => {
    expect(spanOf(query)).toBe(expected)
  })

  it('is changed without touching the rest', () => {
    expect(withSpan('status:failed after:2d "a b" before:1h', '1h')).toBe('status:failed "a b" after:1h')
    expect(withSpan('closing after:2d', 'all')).toBe('closing')
  })

  it('is from one time on the wall to another', () => {
    const query = withRange('closing after:1d', '2026-03-02T09:30', '2026-03-02T12:00', ZONE)
    expect(query).toBe('closing after:2026-03-02T12:30:00Z before:2026-03-02T15:00:00Z')
    expect(wallsOf(query, ZONE)).toEqual(['2026-03-02T09:30', '2026-03-02T12:00'])
    expect(withRange(query, '', '', ZONE)).toBe('closing')
    expect(wallsOf('after:2d', ZONE)).toEqual(['', ''])
  })
})

describe('when a clock shows a time', () => {
  it.each([
    ['in winter', '2026-01-15T12:00', 'Europe/Berlin', '2026-01-15T11:00:00.000Z'],
    ['in summer', '2026-07-15T12:00', 'Europe/Berlin', '2026-07-15T10:00:00.000Z'],
    ['that is left out when clocks go forwards', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['that occurs twice when clocks go back', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['in UTC', '2026-03-02T09:30', 'UTC', '2026-03-02T09:30:00.000Z'],
  ])('%s', (_name, wall, zone, expected) => {
    expect(new Date(instantOfWall(wall, zone) ?? 0).toISOString()).toBe(expected)
  })

  it('never, where nothing is given', () => {
    expect([instantOfWall('', ZONE), instantOfWall('soon', ZONE)]).toEqual([null, null])
  })
})
