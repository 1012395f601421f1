import type { DayOfMonthField, DayOfWeekField } from './day-set.ts'
import { DAY_OF_MONTH, DAY_OF_WEEK } from './field.ts'
import { type FieldSource, invalidField, parseValue, parseValues } from './parse-field.ts'

const FROM_END = /^L(?:-(\d{1,2}))?(W)?$/i
const NEAREST_WEEKDAY = /^(\d{1,2})W$/i
const LAST_WEEKDAY = /^(\d{1,2}|[A-Z]{3})L$/i
const NTH_WEEKDAY = /^(\d{1,2}|[A-Z]{3})#(\d{1,2})$/i

export function parseDayOfMonth(text: string, source: FieldSource): DayOfMonthField {
  const fromEnd = FROM_END.exec(text)
  if (fromEnd) {
    const offset = Number(fromEnd[1] ?? 0)
    if (offset > 30) throw invalidField(DAY_OF_MONTH, text, source, { case: 'fromEnd', text: 'L-n takes 0-30' })
    return { kind: 'fromEnd', offset, nearestWeekday: fromEnd[2] !== undefined }
  }
  const nearest = NEAREST_WEEKDAY.exec(text)
  if (nearest) {
    return { kind: 'nearestWeekday', day: parseValue(DAY_OF_MONTH, nearest[1] ?? '', text, source) }
  }
  let bits = 0
  for (const day of parseValues(DAY_OF_MONTH, text, source).values) bits |= 1 << (day - 1)
  return { kind: 'set', bits }
}

export function parseDayOfWeek(text: string, source: FieldSource): DayOfWeekField {
  const last = LAST_WEEKDAY.exec(text)
  if (last) return { kind: 'last', weekday: parseWeekday(last[1] ?? '', text, source) }
  const nth = NTH_WEEKDAY.exec(text)
  if (nth) {
    const number = Number(nth[2])
    if (number < 1 || number > 5) {
      throw invalidField(DAY_OF_WEEK, text, source, { case: 'nth', text: 'day#n takes an n of 1-5' })
    }
    return { kind: 'nth', weekday: parseWeekday(nth[1] ?? '', text, source), nth: number }
  }
  let bits = 0
  for (const day of weekdaysOf(text, source)) bits |= 1 << day
  return { kind: 'set', bits }
}

/** The days of the week that a field without `L` and `#` lists, 0 for Sunday. */
export function weekdaysOf(text: string, source: FieldSource = { expression: text }): Set<number> {
  return new Set([...parseValues(DAY_OF_WEEK, text, source).values].map((day) => day % 7))
}

function parseWeekday(value: string, text: string, source: FieldSource): number {
  return parseValue(DAY_OF_WEEK, value, text, source) % 7
}
