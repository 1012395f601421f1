import { readType, requireFields } from '../require.ts'
import { CALENDAR_OPTIONS, type Calendar, type CalendarOptions } from './calendar.ts'
import {
  type AnnualOptions,
  annualCalendar,
  type HolidayOptions,
  holidayCalendar,
  type MonthlyOptions,
  monthlyCalendar,
  type WeeklyOptions,
  weeklyCalendar,
} from './days.ts'
import type { CalendarJson } from './json.ts'
import { cronCalendar, type DailyOptions, dailyCalendar } from './times-of-day.ts'

const TYPES: readonly CalendarJson['type'][] = ['holiday', 'annual', 'monthly', 'weekly', 'daily', 'cron']

/** The calendar of a stored form. Strict: whatever is not known or not valid is refused by name. */
export function calendarFrom(json: unknown): Calendar {
  return readCalendar(json, 0)
}

function readCalendar(json: unknown, depth: number): Calendar {
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
      const { expression, ...rest } = options<CalendarOptions & { expression: string }>(
        json,
        'Cron calendar',
        ['expression'],
        depth,
      )
      return cronCalendar(expression, rest)
    }
  }
}

/** The fields of a stored calendar as its options, which check them. */
function options<Options>(json: unknown, thing: string, keys: readonly string[], depth: number): Options {
  const { type: _, base, ...fields } = requireFields(json, thing, ['type', ...keys, ...CALENDAR_OPTIONS])
  return { ...fields, ...(base !== undefined && { base: readCalendar(base, depth + 1) }) } as Options
}
