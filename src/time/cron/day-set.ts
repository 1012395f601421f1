import { dateOf, dayOf, daysInMonth, FIRST_DAY, isLeapYear, LAST_DAY, LAST_YEAR, weekdayOf } from '../civil.ts'

/** The day-of-month field: a set of days as bits (bit 0 is the 1st), or one of the forms with `L` and `W`. */
export type DayOfMonthField =
  | { readonly kind: 'set'; readonly bits: number }
  | { readonly kind: 'fromEnd'; readonly offset: number; readonly nearestWeekday: boolean }
  | { readonly kind: 'nearestWeekday'; readonly day: number }

/** The day-of-week field: a set of weekdays as bits (bit 0 is Sunday), `5L` or `5#2`. */
export type DayOfWeekField =
  | { readonly kind: 'set'; readonly bits: number }
  | { readonly kind: 'last'; readonly weekday: number }
  | { readonly kind: 'nth'; readonly weekday: number; readonly nth: number }

export interface DayFields {
  readonly dayOfMonth: DayOfMonthField
  readonly dayOfWeek: DayOfWeekField
  /** Bit 0 is January. */
  readonly months: number
  /** Whether one of the two day fields is enough, as POSIX asks where both are restricted. */
  readonly eitherDay: boolean
}

const NO_DAYS = 0
/** A year is one of 14 kinds: leap or not, times the weekday of 1 January. */
const YEAR_KINDS = 14

/** The days on which a cron expression matches, as a bit mask per month, made once for each kind of year. */
export class DaySet {
  readonly #fields: DayFields
  readonly #tables: (Int32Array | undefined)[] = Array.from({ length: YEAR_KINDS })
  #isEmpty: boolean | undefined
  #asked = Number.NaN
  #answer = Number.NaN

  constructor(fields: DayFields) {
    this.#fields = fields
  }

  /** Whether no date of any year matches, as for 30 February. */
  get isEmpty(): boolean {
    this.#isEmpty ??= YEARS_OF_EACH_KIND.every((year) => this.#monthsOf(year).every((bits) => bits === NO_DAYS))
    return this.#isEmpty
  }

  has(epochDay: number): boolean {
    const { year, month, day } = dateOf(epochDay)
    return (this.#bitsOf(year, month) & (1 << (day - 1))) !== 0
  }

  /** The first matching day at or after the given one; +Infinity where none is left in the calendar. */
  atOrAfter(epochDay: number): number {
    // Who walks over fire times asks about the same day again and again.
    if (epochDay >= this.#asked && epochDay <= this.#answer) return this.#answer
    const answer = this.#findAtOrAfter(epochDay)
    this.#asked = epochDay
    this.#answer = answer
    return answer
  }

  #findAtOrAfter(epochDay: number): number {
    if (epochDay < FIRST_DAY) return this.#findAtOrAfter(FIRST_DAY)
    if (epochDay > LAST_DAY) return Number.POSITIVE_INFINITY
    const { year, month, day } = dateOf(epochDay)
    const rest = this.#bitsOf(year, month) >>> (day - 1)
    if (rest !== 0) return epochDay + lowestBit(rest)
    if (this.isEmpty) return Number.POSITIVE_INFINITY
    for (let y = year, m = month + 1; y <= LAST_YEAR; y++, m = 1) {
      const months = this.#monthsOf(y)
      for (; m <= 12; m++) {
        const bits = months[m - 1] as number
        if (bits !== 0) return dayOf(y, m, 1) + lowestBit(bits)
      }
    }
    return Number.POSITIVE_INFINITY
  }

  /** The last matching day at or before the given one; -Infinity where there is none. */
  atOrBefore(epochDay: number): number {
    if (epochDay > LAST_DAY) return this.atOrBefore(LAST_DAY)
    if (epochDay < FIRST_DAY) return Number.NEGATIVE_INFINITY
    const { year, month, day } = dateOf(epochDay)
    const rest = (this.#bitsOf(year, month) << (31 - day)) & 0x7fff_ffff
    if (rest !== 0) return epochDay - Math.clz32(rest) + 1
    if (this.isEmpty) return Number.NEGATIVE_INFINITY
    for (let y = year, m = month - 1; y > 0; y--, m = 12) {
      const months = this.#monthsOf(y)
      for (; m >= 1; m--) {
        const bits = months[m - 1] as number
        if (bits !== 0) return dayOf(y, m, 1) + 31 - Math.clz32(bits)
      }
    }
    return Number.NEGATIVE_INFINITY
  }

  /** How many days match from one day up to, but not including, another. */
  count(from: number, to: number): number {
    const start = Math.max(from, FIRST_DAY)
    const end = Math.min(to, LAST_DAY + 1)
    if (start >= end) return 0
    const first = dateOf(start)
    const last = dateOf(end)
    let count = -bitCount(this.#bitsOf(first.year, first.month) & (2 ** (first.day - 1) - 1))
    for (let y = first.year; y <= last.year && y <= LAST_YEAR; y++) {
      const months = this.#monthsOf(y)
      const untilMonth = y === last.year ? last.month - 1 : 12
      for (let m = y === first.year ? first.month : 1; m <= untilMonth; m++) count += bitCount(months[m - 1] as number)
    }
    if (last.year <= LAST_YEAR) count += bitCount(this.#bitsOf(last.year, last.month) & (2 ** (last.day - 1) - 1))
    return count
  }

  /** For a day that matches: the first after it that does not, or the day a month ahead. */
  runEnd(epochDay: number): number {
    let end = epochDay + 1
    while (end < epochDay + 31 && this.has(end)) end++
    return end
  }

  #bitsOf(year: number, month: number): number {
    return this.#monthsOf(year)[month - 1] as number
  }

  #monthsOf(year: number): Int32Array {
    const kind = kindOf(year)
    let table = this.#tables[kind]
    if (table === undefined) {
      table = Int32Array.from({ length: 12 }, (_, index) => this.#matchMonth(year, index + 1))
      this.#tables[kind] = table
    }
    return table
  }

  #matchMonth(year: number, month: number): number {
    const { dayOfMonth, dayOfWeek, months, eitherDay } = this.#fields
    if ((months & (1 << (month - 1))) === 0) return NO_DAYS
    const length = daysInMonth(year, month)
    const firstWeekday = weekdayOf(dayOf(year, month, 1))
    const byMonth = matchDayOfMonth(dayOfMonth, length, firstWeekday)
    const byWeek = matchDayOfWeek(dayOfWeek, length, firstWeekday)
    return (eitherDay ? byMonth | byWeek : byMonth & byWeek) & (2 ** length - 1)
  }
}

function matchDayOfMonth(field: DayOfMonthField, length: number, firstWeekday: number): number {
  switch (field.kind) {
    case 'set':
      return field.bits
    case 'nearestWeekday':
      return weekdayNearest(field.day, length, firstWeekday)
    case 'fromEnd': {
      const day = length - field.offset
      if (field.nearestWeekday) return weekdayNearest(day, length, firstWeekday)
      return day >= 1 ? 1 << (day - 1) : NO_DAYS
    }
  }
}

/** The weekday nearest to a day, without leaving the month: the day itself, Friday before or Monday after. */
function weekdayNearest(day: number, length: number, firstWeekday: number): number {
  if (day < 1 || day > length) return NO_DAYS
  const weekday = (firstWeekday + day - 1) % 7
  if (weekday === 6) return 1 << ((day === 1 ? 3 : day - 1) - 1)
  if (weekday === 0) return 1 << ((day === length ? day - 2 : day + 1) - 1)
  return 1 << (day - 1)
}

function matchDayOfWeek(field: DayOfWeekField, length: number, firstWeekday: number): number {
  switch (field.kind) {
    case 'set': {
      let bits = NO_DAYS
      for (let day = 1; day <= length; day++) {
        if (field.bits & (1 << ((firstWeekday + day - 1) % 7))) bits |= 1 << (day - 1)
      }
      return bits
    }
    case 'nth': {
      const day = firstDayOn(field.weekday, firstWeekday) + 7 * (field.nth - 1)
      return day <= length ? 1 << (day - 1) : NO_DAYS
    }
    case 'last': {
      const first = firstDayOn(field.weekday, firstWeekday)
      return 1 << (first + 7 * Math.floor((length - first) / 7) - 1)
    }
  }
}

function firstDayOn(weekday: number, firstWeekday: number): number {
  return 1 + ((weekday - firstWeekday + 7) % 7)
}

function kindOf(year: number): number {
  return KINDS[year % CYCLE_YEARS] as number
}

/** The calendar repeats, weekdays included, after so many years. */
const CYCLE_YEARS = 400
const KINDS = Uint8Array.from({ length: CYCLE_YEARS }, (_, index) => {
  const year = 2000 + index
  return weekdayOf(dayOf(year, 1, 1)) + (isLeapYear(year) ? 7 : 0)
})

// Every kind of year occurs within 28 years without a skipped leap day.
const YEARS_OF_EACH_KIND = Array.from({ length: 28 }, (_, index) => 2000 + index)

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
