import { readFields, readType } from '../read-json.ts'
import { type AnnualOptions, annualCalendar } from './annual.ts'
import type { Calendar } from './calendar.ts'
import { cronCalendar } from './cron.ts'
import { type DailyOptions, dailyCalendar } from './daily.ts'
import type { CalendarOptions } from './day-calendar.ts'
import { type HolidayOptions, holidayCalendar } from './holiday.ts'
import type { CalendarJson } from './json.ts'
import { type MonthlyOptions, monthlyCalendar } from './monthly.ts'
import { type WeeklyOptions, weeklyCalendar } from './weekly.ts'

const TYPES: readonly CalendarJson['type'][] = ['holiday', 'annual', 'monthly', 'weekly', 'daily', 'cron']
const SHARED = ['type', 'timeZone', 'base'] as const

/** The calendar of a stored form. Strict: whatever is not known or not valid is refused by name. */
export function calendarFrom(json: unknown, depth = 0): Calendar {
  switch (readType(json, 'Calendar', TYPES, depth)) {
    case 'holiday':
      return holidayCalendar(options<HolidayOptions>(json, 'Holiday calendar', ['dates', 'includes'], depth))
    case 'annual':
      return annualCalendar(options<AnnualOptions>(json, 'Annual calendar', ['days', 'includes'], depth))
    case 'monthly':
      return monthlyCalendar(options<MonthlyOptions>(json, 'Monthly calendar', ['days', 'includes'], depth))
    case 'weekly':
      return weeklyCalendar(options<WeeklyOptions>(json, 'Weekly calendar', ['weekdays', 'includes'], depth))
    case 'daily':
      return dailyCalendar(options<DailyOptions>(json, 'Daily calendar', ['from', 'to', 'invert'], depth))
    case 'cron': {
      const read = options<CalendarOptions & { expression: string }>(json, 'Cron calendar', ['expression'], depth)
      return cronCalendar(read.expression, read)
    }
  }
}

/** The fields of a stored calendar as its options, which check them. */
function options<Options>(json: unknown, thing: string, keys: readonly string[], depth: number): Options {
  const { base, ...fields } = readFields(json, thing, [...SHARED, ...keys])
  return { ...fields, base: base === undefined ? undefined : calendarFrom(base, depth + 1) } as Options
}
