/**
 * Cron as its rules are written, slow and obvious, to compare the real thing with: walks over every minute of the wall time, asks each
 * field whether it matches, and settles gaps and overlaps one fire time at a time. Shares no code with `src`.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/duration.ts'
import { type Stretch, shows } from './wall-clock.ts'

export interface CronRules {
  readonly dayRule?: 'or' | 'and' | undefined
  readonly gap?: 'shift' | 'skip' | undefined
  readonly overlap?: 'first' | 'last' | 'both' | undefined
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const WEEKDAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ')

const DAYS_BEFORE_1970 = 3_653
const [UNKNOWN, MATCH, NO_MATCH] = [0, 1, 2]
const tables = new Map<string, Uint8Array>()

/** What was found out about days from 1960 to 2050, kept for all expressions with the same day fields. */
function daysOf(key: string): Uint8Array {
  const known = tables.get(key) ?? new Uint8Array(90 * 366)
  tables.set(key, known)
  return known
}

export class CronOracle {
  readonly #seconds: boolean[]
  readonly #minutes: boolean[]
  readonly #hours: boolean[]
  readonly #fields: readonly string[]
  readonly #rules: CronRules
  readonly #isInterval: boolean
  readonly #days: Uint8Array

  constructor(expression: string, rules: CronRules = {}) {
    const written = expression.trim().toUpperCase().split(/\s+/)
    this.#fields = written.length === 5 ? ['0', ...written] : written
    this.#rules = rules
    this.#days = daysOf(`${this.#fields.slice(3).join(' ')} ${rules.dayRule}`)
    const [second = '', minute = '', hour = ''] = this.#fields
    this.#isInterval = [second, minute, hour].some((field) => /[*?/-]/.test(field))
    this.#seconds = numbersTo(59).map((value) => fieldHas(second, value, 0, 59))
    this.#minutes = numbersTo(59).map((value) => fieldHas(minute, value, 0, 59))
    this.#hours = numbersTo(23).map((value) => fieldHas(hour, value, 0, 23))
  }

  /** Whether a wall time matches, given as if it were UTC. */
  matches(wall: number): boolean {
    return this.#seconds[Math.floor(modulo(wall, MINUTE_MS) / SECOND_MS)] === true && this.#matchesMinute(wall)
  }

  /** All fire times from one instant up to another, given the stretches of the zone around them. */
  fires(stretches: readonly Stretch[], from: number, to: number): number[] {
    const found: number[] = []
    for (const [index, stretch] of stretches.entries()) {
      if (stretch.end <= from || stretch.start >= to) continue
      const before = stretches[index - 1]
      const inGap = before !== undefined && this.#firesAfterGap(before, stretch)
      if (inGap && stretch.start >= from) found.push(stretch.start)
      const beside = stretches.slice(Math.max(0, index - 2), index + 3)
      const wallEnd = Math.min(stretch.end, to) + stretch.offset
      for (const wall of this.#matchesBetween(Math.max(stretch.start, from) + stretch.offset, wallEnd)) {
        const at = wall - stretch.offset
        if (this.#firesInPass(wall, stretch, beside) && !(inGap && at === stretch.start)) found.push(at)
      }
    }
    return found
  }

  /** A match that the clock goes forward over fires once, when it has gone forward. */
  #firesAfterGap(before: Stretch, after: Stretch): boolean {
    if (this.#rules.gap === 'skip') return false
    for (const _ of this.#matchesBetween(after.start + before.offset, after.start + after.offset)) return true
    return false
  }

  /** A match that the wall shows twice fires as the rule says; without one, an interval both times, a fixed time the first. */
  #firesInPass(wall: number, stretch: Stretch, beside: readonly Stretch[]): boolean {
    const passes = beside.filter((each) => shows(each, wall))
    const overlap = this.#rules.overlap ?? (this.#isInterval ? 'both' : 'first')
    if (overlap === 'both') return true
    return stretch === passes.at(overlap === 'first' ? 0 : -1)
  }

  /** Walks over all minutes of a range of wall time, without days and hours that do not match, and the seconds of those that do. */
  *#matchesBetween(from: number, to: number): Generator<number> {
    for (let minute = from - modulo(from, MINUTE_MS); minute < to; minute += MINUTE_MS) {
      if (!this.#matchesDay(Math.floor(minute / DAY_MS))) {
        minute += DAY_MS - modulo(minute, DAY_MS) - MINUTE_MS
        continue
      }
      if (!this.#hours[Math.floor(modulo(minute, DAY_MS) / HOUR_MS)]) {
        minute += HOUR_MS - modulo(minute, HOUR_MS) - MINUTE_MS
        continue
      }
      if (!this.#matchesMinute(minute)) continue
      for (const [second, isMatch] of this.#seconds.entries()) {
        const wall = minute + second * SECOND_MS
        if (isMatch && wall >= from && wall < to) yield wall
      }
    }
  }

  #matchesMinute(wall: number): boolean {
    const minuteOfDay = Math.floor(modulo(wall, DAY_MS) / MINUTE_MS)
    return (
      this.#minutes[minuteOfDay % 60] === true &&
      this.#hours[Math.floor(minuteOfDay / 60)] === true &&
      this.#matchesDay(Math.floor(wall / DAY_MS))
    )
  }

  #matchesDay(epochDay: number): boolean {
    const known = this.#days[epochDay + DAYS_BEFORE_1970] ?? UNKNOWN
    if (known !== UNKNOWN) return known === MATCH
    const isMatch = this.#matchesDate(new Date(epochDay * DAY_MS))
    this.#days[epochDay + DAYS_BEFORE_1970] = isMatch ? MATCH : NO_MATCH
    return isMatch
  }

  #matchesDate(date: Date): boolean {
    const [, , , dayOfMonth = '', month = '', dayOfWeek = ''] = this.#fields
    if (!fieldHas(month, date.getUTCMonth() + 1, 1, 12, MONTHS)) return false
    const byMonth = dayOfMonthHas(dayOfMonth, date)
    const byWeek = dayOfWeekHas(dayOfWeek, date)
    const isFree = /^[*?]/.test(dayOfMonth) || /^[*?]/.test(dayOfWeek)
    return this.#rules.dayRule !== 'and' && !isFree ? byMonth || byWeek : byMonth && byWeek
  }
}

/** Whether a field with numbers, names, lists, ranges and steps takes a value. */
function fieldHas(text: string, value: number, min: number, max: number, names: string[] = []): boolean {
  return text.split(',').some((element) => {
    const [range = '', step] = element.split('/')
    const numberOf = (word: string) => (names.includes(word) ? names.indexOf(word) + min : Number(word))
    const [low = '', high] = range.split('-')
    const isStar = low === '*' || low === '?'
    const from = isStar ? min : numberOf(low)
    const single = step === undefined ? from : max
    const to = isStar ? max : high === undefined ? single : numberOf(high)
    const size = max - min + 1
    const [distance, length] = [modulo(value - from, size), modulo(to - from, size)]
    return distance <= length && distance % Number(step ?? 1) === 0
  })
}

function dayOfMonthHas(text: string, date: Date): boolean {
  const [day, length] = [date.getUTCDate(), daysInMonthOf(date)]
  if (text.endsWith('W')) {
    const wanted = text.startsWith('L') ? length - Number(text.slice(2, -1) || 0) : Number(text.slice(0, -1))
    return day === nearestWeekday(date, wanted)
  }
  if (text.startsWith('L')) return day === length - Number(text.slice(2) || 0)
  return fieldHas(text, day, 1, 31)
}

/** The day from Monday to Friday that is nearest to a day of the date's month, in that month. */
function nearestWeekday(date: Date, wanted: number): number | undefined {
  const length = daysInMonthOf(date)
  if (wanted < 1 || wanted > length) return undefined
  const isWeekday = (day: number) => ![0, 6].includes(weekdayIn(date, day))
  const distance = (day: number) => Math.abs(day - wanted)
  const days = numbersTo(length).slice(1).filter(isWeekday)
  return days.sort((a, b) => distance(a) - distance(b))[0]
}

function dayOfWeekHas(text: string, date: Date): boolean {
  const [day, weekday] = [date.getUTCDate(), date.getUTCDay()]
  const numberOf = (word: string) => (WEEKDAYS.includes(word) ? WEEKDAYS.indexOf(word) : Number(word) % 7)
  if (text.endsWith('L')) return weekday === numberOf(text.slice(0, -1)) && day + 7 > daysInMonthOf(date)
  if (text.includes('#')) {
    const [word = '', nth] = text.split('#')
    return weekday === numberOf(word) && Math.ceil(day / 7) === Number(nth)
  }
  return fieldHas(text.replace(/\b0-7\b/g, '*'), weekday, 0, 6, WEEKDAYS)
}

function weekdayIn(date: Date, day: number): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay()
}

function daysInMonthOf(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

function numbersTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, value) => value)
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size
}
