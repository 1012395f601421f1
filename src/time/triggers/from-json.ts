import { calendarFrom } from '../calendars/from-json.ts'
import type { ExcludedRule } from '../calendars/json.ts'
import type { Instant } from '../instant.ts'
import { readType } from '../read-json.ts'
import { requireFields, requireInteger } from '../require.ts'
import {
  CALENDAR_INTERVAL_OPTIONS,
  type CalendarIntervalOptions,
  CalendarIntervalTrigger,
} from './calendar-interval.ts'
import { CRON_OPTIONS, CronTrigger } from './cron.ts'
import {
  DAILY_TIME_INTERVAL_OPTIONS,
  type DailyTimeIntervalOptions,
  DailyTimeIntervalTrigger,
} from './daily-time-interval.ts'
import { JitteredTrigger } from './jittered.ts'
import type { TriggerJson } from './json.ts'
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
export function triggerFrom(json: unknown): Trigger {
  return readTrigger(json, 0)
}

function readTrigger(json: unknown, depth: number): Trigger {
  switch (readType(json, 'Trigger', TYPES, depth)) {
    case 'cron': {
      const { expression, ...options } = read(json, 'Cron trigger', ['expression', ...CRON_OPTIONS])
      return new CronTrigger(expression as string, options)
    }
    case 'simple': {
      const { intervalMs, ...options } = read(json, 'Simple trigger', ['intervalMs', 'startAt', 'repeatCount', 'endAt'])
      return new SimpleTrigger({ ...options, interval: requireInteger(intervalMs, 'intervalMs', 0) } as SimpleOptions)
    }
    case 'calendarInterval': {
      const options = read(json, 'Calendar-interval trigger', CALENDAR_INTERVAL_OPTIONS)
      return new CalendarIntervalTrigger(options as unknown as CalendarIntervalOptions)
    }
    case 'dailyTimeInterval': {
      const options = read(json, 'Daily-time-interval trigger', DAILY_TIME_INTERVAL_OPTIONS)
      return new DailyTimeIntervalTrigger(options as unknown as DailyTimeIntervalOptions)
    }
    case 'once':
      return once(read(json, 'One-time trigger', ['at'])['at'] as Instant)
    case 'jittered': {
      const fields = read(json, 'Jittered trigger', ['trigger', 'withinMs', 'identity'])
      const trigger = readTrigger(fields['trigger'], depth + 1)
      return new JitteredTrigger(trigger, fields['withinMs'] as number, fields['identity'] as string)
    }
    case 'calendared': {
      const fields = read(json, 'Calendared trigger', ['trigger', 'calendar', 'onExcluded'])
      const onExcluded = fields['onExcluded'] as ExcludedRule | undefined
      const calendar = calendarFrom(fields['calendar'])
      return withCalendar(readTrigger(fields['trigger'], depth + 1), calendar, { onExcluded })
    }
  }
}

function read(json: unknown, thing: string, keys: readonly string[]): Record<string, unknown> {
  const { type: _, ...fields } = requireFields(json, thing, ['type', ...keys])
  return fields
}
