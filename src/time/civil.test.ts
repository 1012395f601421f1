import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../duration.ts'
import { dateOf, dayOf, dayOfLocal, daysInMonth, FIRST_DAY, isLeapYear, LAST_DAY, weekdayOf } from './civil.ts'

describe('a day number', () => {
  it.each([
    [1970, 1, 1, 0],
    [1969, 12, 31, -1],
    [2000, 2, 29, 11_016],
    [2026, 3, 8, 20_520],
    [1, 1, 1, -719_162],
    [9999, 12, 31, 2_932_896],
  ])('of %i-%i-%i is %i, and back', (year, month, day, number) => {
    expect(dayOf(year, month, day)).toBe(number)
    expect(dateOf(number)).toEqual({ year, month, day })
  })

  it.each([
    ['month 13 is January of the next year', 13, [2027, 1]],
    ['month 0 is December of the year before', 0, [2025, 12]],
    ['month -11 is January of the year before', -11, [2025, 1]],
    ['month 26 is February in two years', 26, [2028, 2]],
  ] as const)('counts on: %s', (_fact, month, [year, carried]) => {
    expect(dayOf(2026, month, 5)).toBe(dayOf(year, carried, 5))
  })

  it('goes there and back for every day from year 1 to 9999, in the same calendar as Date', () => {
    for (let day = FIRST_DAY; day <= LAST_DAY; day += 97) {
      const { year, month, day: dayOfMonth } = dateOf(day)
      const date = new Date(day * DAY_MS)
      if (
        dayOf(year, month, dayOfMonth) !== day ||
        year !== date.getUTCFullYear() ||
        month !== date.getUTCMonth() + 1 ||
        dayOfMonth !== date.getUTCDate() ||
        weekdayOf(day) !== date.getUTCDay()
      ) {
        expect.fail(`Day ${day} is ${date.toISOString()}, not ${year}-${month}-${dayOfMonth}.`)
      }
    }
  })

  it.each([
    [0, 0],
    [DAY_MS - 1, 0],
    [DAY_MS, 1],
    [-1, -1],
    [-DAY_MS, -1],
  ])('of the local time %i is %i', (local, day) => {
    expect(dayOfLocal(local)).toBe(day)
  })
})

describe('the length of February', () => {
  it.each([
    [1900, 28],
    [2000, 29],
    [2024, 29],
    [2026, 28],
    [2100, 28],
    [2400, 29],
  ])('in %i is %i days', (year, days) => {
    expect(daysInMonth(year, 2)).toBe(days)
    expect(isLeapYear(year)).toBe(days === 29)
  })
})
