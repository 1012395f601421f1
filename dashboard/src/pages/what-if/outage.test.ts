import { describe, expect, it } from 'vitest'
import { type Handle, moved, shareOf } from './outage.ts'

const at = (time: string) => Date.parse(`2026-03-02T${time}:00Z`)
const window = { from: at('00:00'), to: at('23:55') }
const outage = { from: at('10:00'), to: at('11:00') }
const shown = (instant: number) => new Date(instant).toISOString().slice(11, 16)

describe('an outage', () => {
  const rows: [Handle, number, string, string][] = [
    ['both', 30, '10:30', '11:30'],
    ['both', 2, '10:00', '11:00'],
    ['both', -900, '00:00', '01:00'],
    ['both', 1_440, '22:55', '23:55'],
    ['from', -60, '09:00', '11:00'],
    ['from', 600, '10:55', '11:00'],
    ['from', -2_000, '00:00', '11:00'],
    ['to', 15, '10:00', '11:15'],
    ['to', -600, '10:00', '10:05'],
    ['to', 2_000, '10:00', '23:55'],
  ]
  it.each(rows)('whose %s is moved by %d minutes is from %s to %s', (handle, minutes, from, to) => {
    const after = moved(outage, handle, minutes * 60_000, window)
    expect([shown(after.from), shown(after.to)]).toEqual([from, to])
  })

  it.each([
    ['00:00', 0],
    ['23:55', 1],
  ])('at %s stands at %d', (time, share) => {
    expect(shareOf(at(time), window)).toBe(share)
  })
})
