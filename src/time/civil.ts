import { DAY_MS } from '../duration.ts'

/**
 * The proleptic Gregorian calendar in whole numbers: days since 1970-01-01 to year, month and day, and back.
 * Nothing here knows of time zones.
 */

/** Years outside of 1 to 9999 have no RFC 3339 form, so no occurrence lies there. */
const FIRST_YEAR = 1
export const LAST_YEAR = 9999

export interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

/** Days from 1970-01-01 to the given date; negative before it. The month may lie outside of 1 to 12 and then counts on. */
export function dayOf(year: number, month: number, day: number): number {
  const monthIndex = month - 1
  const carriedYear = year + Math.floor(monthIndex / 12)
  const carriedMonth = monthIndex - Math.floor(monthIndex / 12) * 12 + 1
  // Years begin in March, so that the leap day is the last of its year.
  const shiftedYear = carriedMonth <= 2 ? carriedYear - 1 : carriedYear
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const shiftedMonth = carriedMonth > 2 ? carriedMonth - 3 : carriedMonth + 9
  const dayOfYear = Math.floor((153 * shiftedMonth + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The date of a day number, the inverse of {@link dayOf}. */
export function dateOf(epochDay: number): CivilDate {
  const shifted = epochDay + 719_468
  const era = Math.floor(shifted / 146_097)
  // Within an era all numbers are small and not negative, so that `| 0` divides them without a call.
  const dayOfEra = (shifted - era * 146_097) | 0
  const leapDays = ((dayOfEra / 1_460) | 0) - ((dayOfEra / 36_524) | 0) + ((dayOfEra / 146_096) | 0)
  const yearOfEra = ((dayOfEra - leapDays) / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0))
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1,
  }
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(epochDay: number): number {
  return (((epochDay + 4) % 7) + 7) % 7
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0)
}

/** The day number a point of the local time line falls on. */
export function dayOfLocal(local: number): number {
  return Math.floor(local / DAY_MS)
}

export const FIRST_DAY = dayOf(FIRST_YEAR, 1, 1)
export const LAST_DAY = dayOf(LAST_YEAR, 12, 31)
