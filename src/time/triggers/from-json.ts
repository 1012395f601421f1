import { calendarFrom } from '../calendars/from-json.ts'
import type { Instant } from '../instant.ts'
import { readFields, readType } from '../read-json.ts'
import { type CalendarIntervalOptions, CalendarIntervalTrigger } from './calendar-interval.ts'
import { type CronOptions, CronTrigger } from './cron.ts'
import { type DailyTimeIntervalOptions, DailyTimeIntervalTrigger } from './daily-time-interval.ts'
import { JitteredTrigger } from './jittered.ts'
import type { ExcludedRule, TriggerJson } from './json.ts'
import { once } from './once.ts'
import { type SimpleOptions, SimpleTrigger } from './simple.ts'
import type { Trigger } from './trigger.ts'
import { withCalendar } from './with-calendar.ts'

const TYPES: readonly TriggerJson['type'][] = [
  'cron',
  'simple',
  'calendarInterval',
  'dailyTimeInterval',
  'once',
  'jittered',
  'calendared',
]

/** The trigger of a stored form. Strict: whatever is not known or not valid is refused by name. */
export function triggerFrom(json: unknown, depth = 0): Trigger {
  switch (readType(json, 'Trigger', TYPES, depth)) {
    case 'cron': {
      const { expression, ...options } = readFields(json, 'Cron trigger', CRON_FIELDS)
      return new CronTrigger(expression as string, options as CronOptions)
    }
    case 'simple': {
      const { intervalMs, ...options } = readFields(json, 'Simple trigger', SIMPLE_FIELDS)
      return new SimpleTrigger({ ...options, interval: intervalMs } as SimpleOptions)
    }
    case 'calendarInterval':
      return new CalendarIntervalTrigger(
        readFields(json, 'Calendar-interval trigger', CALENDAR_INTERVAL_FIELDS) as unknown as CalendarIntervalOptions,
      )
    case 'dailyTimeInterval':
      return new DailyTimeIntervalTrigger(
        readFields(json, 'Daily-time-interval trigger', DAILY_FIELDS) as unknown as DailyTimeIntervalOptions,
      )
    case 'once':
      return once(readFields(json, 'One-time trigger', ['type', 'at']).at as Instant)
    case 'jittered': {
      const fields = readFields(json, 'Jittered trigger', ['type', 'trigger', 'withinMs', 'identity'])
      return new JitteredTrigger(
        triggerFrom(fields.trigger, depth + 1),
        fields.withinMs as number,
        fields.identity as string,
      )
    }
    case 'calendared': {
      const fields = readFields(json, 'Calendared trigger', ['type', 'trigger', 'calendar', 'onExcluded'])
      const onExcluded = fields.onExcluded as ExcludedRule
      return withCalendar(triggerFrom(fields.trigger, depth + 1), calendarFrom(fields.calendar, depth + 1), {
        onExcluded,
      })
    }
  }
}

const WINDOW_FIELDS = ['startAt', 'endAt'] as const
const CRON_FIELDS = [
  'type',
  'expression',
  'timeZone',
  'fields',
  'dayRule',
  'gap',
  'overlap',
  'identity',
  ...WINDOW_FIELDS,
] as const
const SIMPLE_FIELDS = ['type', 'intervalMs', 'repeatCount', ...WINDOW_FIELDS] as const
const CALENDAR_INTERVAL_FIELDS = ['type', 'every', 'unit', 'timeZone', 'gap', 'overlap', ...WINDOW_FIELDS] as const
const DAILY_FIELDS = [
  'type',
  'every',
  'unit',
  'from',
  'to',
  'weekdays',
  'timeZone',
  'overlap',
  'repeatCount',
  ...WINDOW_FIELDS,
] as const
