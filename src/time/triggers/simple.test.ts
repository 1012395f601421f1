import { describe, expect, it } from 'vitest'
import { at, fires, medianMs, refusal, wall } from '../../../test/harness/instants.ts'
import { FOREVER, type SimpleOptions, simple } from './simple.ts'

const startAt = '2026-01-01T10:00:00Z'

describe('a simple trigger', () => {
  it('leaves out the instant asked about', () => {
    const trigger = simple({ startAt, interval: '10m' })
    expect(wall(trigger.next(at(startAt)))).toBe('2026-01-01T10:10Z')
    expect(trigger.previous(at(startAt))).toBeNull()
  })

  it.each<[string, Omit<SimpleOptions, 'startAt'>, string[]]>([
    ['without an interval fires once', {}, ['10:00']],
    ['with an interval and no repeats fires once', { interval: '10m', repeatCount: 0 }, ['10:00']],
    ['with two repeats fires three times', { interval: '10m', repeatCount: 2 }, ['10:00', '10:10', '10:20']],
    ['with an interval goes on', { interval: '20m' }, ['10:00', '10:20', '10:40']],
    ['that goes on is told so', { interval: '20m', repeatCount: FOREVER }, ['10:00', '10:20', '10:40']],
    ['takes milliseconds', { interval: 1_800_000 }, ['10:00', '10:30']],
    ['does not fire at its end', { interval: '10m', endAt: '2026-01-01T10:20:00Z' }, ['10:00', '10:10']],
    [
      'fires a millisecond before its end',
      { interval: '10m', endAt: '2026-01-01T10:20:00.001Z' },
      ['10:00', '10:10', '10:20'],
    ],
    [
      'ends with what comes first: repeats',
      { interval: '10m', repeatCount: 1, endAt: '2026-01-01T10:40:00Z' },
      ['10:00', '10:10'],
    ],
    [
      'ends with what comes first: the end',
      { interval: '10m', repeatCount: 9, endAt: '2026-01-01T10:15:00Z' },
      ['10:00', '10:10'],
    ],
    ['whose end is its start never fires', { interval: '10m', endAt: startAt }, []],
  ])('%s', (_fact, options, times) => {
    const trigger = simple({ startAt, ...options })
    expect(fires(trigger, '2026-01-01', '2026-01-01T11:00').map((time) => time?.slice(11, 16))).toEqual(times)
  })

  it('keeps to elapsed time to the millisecond', () => {
    const trigger = simple({ startAt: at(startAt) + 7, interval: 333 })
    expect([...trigger.between(at(startAt), at(startAt) + 1_100)].map((time) => time - at(startAt))).toEqual([
      7, 340, 673, 1006,
    ])
  })

  it('does not know daylight saving time', () => {
    const trigger = simple({ startAt: '2026-03-07T12:00:00-05:00', interval: '1d' })
    expect(fires(trigger, '2026-03-07', '2026-03-10', 'America/New_York')).toEqual([
      '2026-03-07T12:00-05:00',
      '2026-03-08T13:00-04:00',
      '2026-03-09T13:00-04:00',
    ])
  })

  it('has nothing before its start and nothing after its last repeat', () => {
    const trigger = simple({ startAt, interval: '10m', repeatCount: 2 })
    expect(wall(trigger.next(Number.NEGATIVE_INFINITY))).toBe('2026-01-01T10:00Z')
    expect(trigger.previous(at(startAt))).toBeNull()
    expect(trigger.next(at('2026-01-01T10:20'))).toBeNull()
    expect(wall(trigger.previous(Number.POSITIVE_INFINITY))).toBe('2026-01-01T10:20Z')
    expect(trigger.count(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(3)
  })

  it('stops at the end of year 9999, however many repeats are left', () => {
    const trigger = simple({ startAt, interval: '1w', repeatCount: Number.MAX_SAFE_INTEGER })
    expect(trigger.next(at('9999-12-31T23:59'))).toBeNull()
    expect(trigger.previous(Number.POSITIVE_INFINITY)).toBeGreaterThan(at('9999-12-24'))
  })

  it('counts a billion fire times at once', () => {
    const trigger = simple({ startAt, interval: '1s' })
    const run = () => trigger.count(at(startAt), at(startAt) + 1e12)
    expect(run()).toBe(1e9)
    expect(medianMs(run)).toBeLessThan(5)
  })
})

describe('an invalid option of a simple trigger is named', () => {
  it.each([
    ['startAt', { startAt: undefined }, 'instant.invalid'],
    ['startAt', { startAt: '2026-01-01' }, 'instant.invalid'],
    ['endAt', { endAt: 'never' }, 'instant.invalid'],
    ['endAt', { endAt: '2025-12-31T00:00:00Z' }, 'trigger.invalid'],
    ['interval', { interval: 'often' }, 'duration.invalid'],
    ['interval', { interval: -1 }, 'duration.invalid'],
    ['interval', { interval: 0, repeatCount: 3 }, 'option.invalid'],
    ['interval', { repeatCount: FOREVER }, 'option.invalid'],
    ['repeatCount', { interval: '1m', repeatCount: -2 }, 'option.invalid'],
    ['repeatCount', { interval: '1m', repeatCount: 1.5 }, 'option.invalid'],
    ['repeatCount', { interval: '1m', repeatCount: '3' }, 'option.invalid'],
  ])('%s: %j', (name, options, code) => {
    const error = refusal(() => simple({ startAt, ...options } as SimpleOptions))
    expect(error.code).toBe(code)
    expect(error.message).toContain(name)
  })
})
