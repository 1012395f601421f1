import { describe, expect, it } from 'vitest'
import { at, fires, refusal } from '../../../test/harness/instants.ts'
import { once } from './once.ts'

describe('a one-time trigger', () => {
  it.each([
    ['text', '2026-01-01T10:00:00.500Z'],
    ['text with an offset', '2026-01-01T07:00:00.500-03:00'],
    ['milliseconds', at('2026-01-01T10:00:00.500Z')],
    ['a Date', new Date('2026-01-01T10:00:00.500Z')],
  ])('fires once, at the millisecond, given as %s', (_what, instant) => {
    const trigger = once(instant)
    expect(fires(trigger, '2020-01-01', '2030-01-01')).toEqual(['2026-01-01T10:00:00.500Z'])
    expect(trigger.next(trigger.at)).toBeNull()
    expect(trigger.previous(trigger.at)).toBeNull()
    expect(trigger.next(trigger.at - 1)).toBe(trigger.at)
    expect(trigger.previous(trigger.at + 1)).toBe(trigger.at)
  })

  it.each(['2026-02-30T00:00:00Z', '2026-01-01T10:00:00', 'now', Number.NaN, undefined, null])(
    'refuses %j by its name',
    (instant) => {
      expect(refusal(() => once(instant as string)).message).toMatch(/^at must be /)
    },
  )
})
