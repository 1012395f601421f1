import { describe, expect, it } from 'vitest'
import { cron } from '../../../../src/time/triggers/cron.ts'
import { EVERY_MINUTES, expressionOf, RHYTHMS, type Rhythm, rhythmAs, rhythmOf } from './rhythm.ts'

describe('a rhythm and its expression', () => {
  it.each<[Rhythm, string]>([
    [{ kind: 'minutes', every: 1 }, '* * * * *'],
    [{ kind: 'minutes', every: 15 }, '*/15 * * * *'],
    [{ kind: 'hourly', minute: 5 }, '5 * * * *'],
    [{ kind: 'daily', time: '02:00' }, '0 2 * * *'],
    [{ kind: 'daily', time: '23:59' }, '59 23 * * *'],
    [{ kind: 'weekly', days: [1, 2, 3, 4, 5], time: '09:30' }, '30 9 * * 1-5'],
    [{ kind: 'weekly', days: [0, 6], time: '09:30' }, '30 9 * * 0,6'],
    [{ kind: 'weekly', days: [3], time: '00:00' }, '0 0 * * 3'],
    [{ kind: 'monthly', day: 31, time: '08:15' }, '15 8 31 * *'],
    [{ kind: 'monthly', day: 'last', time: '08:15' }, '15 8 L * *'],
  ])('%o is %s', (rhythm, expression) => {
    expect(expressionOf(rhythm)).toBe(expression)
    expect(rhythmOf(expression)).toEqual(rhythm)
    expect(cron(expression).describe('en')).not.toBe('')
  })
})

describe('an expression is read', () => {
  it('with Sunday as 7', () => {
    expect(rhythmOf('0 9 * * 5-7')).toEqual({ kind: 'weekly', days: [0, 5, 6], time: '09:00' })
  })

  it('with space around it', () => {
    expect(rhythmOf(' 0  2 * * * ')).toEqual({ kind: 'daily', time: '02:00' })
  })

  it.each([
    '',
    '@daily',
    '0 2',
    '0 2 * 1 *',
    '0 2 1 * 1',
    '*/7 * * * *',
    '*/15 9 * * *',
    '0 9-17 * * *',
    '0 25 * * *',
    '60 2 * * *',
    '0 2 32 * *',
    '0 2 * * MON',
    '0 2 * * 5-1',
    '0 2 * * 1-3-5',
    '0 0 2 * * *',
  ])('%j as one that only cron has words for', (expression) => expect(rhythmOf(expression)).toBeNull())
})

it.each(RHYTHMS)('a change to %s makes an expression that is read as it', (kind) => {
  const rhythm = rhythmAs(kind, { kind: 'daily', time: '05:45' })
  expect(rhythmOf(expressionOf(rhythm))).toEqual(rhythm)
  if ('time' in rhythm) expect(rhythm.time).toBe('05:45')
})

it('every distance divides the hour', () => {
  for (const every of EVERY_MINUTES) expect(60 % every).toBe(0)
})
