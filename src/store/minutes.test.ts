import { describe, expect, it } from 'vitest'
import { type ActivePeriod, inactiveMs } from './minutes.ts'

const period = (from: number, to: number): ActivePeriod => ({ from, to })

describe('the time from 100 to 200 in which no node was active', () => {
  it.each<[string, ActivePeriod[], number]>([
    ['no period', [], 100],
    ['one that covers all of it', [period(0, 300)], 0],
    ['one that ended before', [period(0, 100)], 100],
    ['one that starts after', [period(200, 300)], 100],
    ['one that ends within', [period(0, 130)], 70],
    ['one that starts within', [period(130, 300)], 30],
    ['two with a gap', [period(0, 130), period(160, 300)], 30],
    ['two that overlap', [period(90, 150), period(120, 180)], 20],
    ['a short one within a long one', [period(90, 180), period(110, 120)], 20],
    ['any order', [period(160, 300), period(0, 130)], 30],
  ])('%s', (_what, periods, expected) => {
    expect(inactiveMs(periods, 100, 200)).toBe(expected)
  })
})
