import { calendarFrom } from '../calendars/from-json.ts'
import type { ExcludedRule } from '../calendars/json.ts'
import type { Instant } from '../instant.ts'
import { readType, requireFields, requireInteger } from '../require.ts'
import { type CalendarIntervalOptions, CalendarIntervalTrigger } from './calendar-interval.ts'
import { CronTrigger } from './cron.ts'
import { type DailyTimeIntervalOptions, DailyTimeIntervalTrigger } from './daily-time-interval.ts'
import { JitteredTrigger } from './jittered.ts'
import type { TriggerJson } from './json.ts'
import { TRIGGER_FIELDS } from './json-fields.ts'
import { once } from './once.ts'
import { type SimpleOptions, SimpleTrigger } from './simple.ts'
import type { Trigger } from './trigger.ts'
import { withCalendar } from './with-calendar.ts'

const TYPES = Object.keys(TRIGGER_FIELDS) as readonly TriggerJson['type'][]

/** The trigger of a stored form. Strict: whatever is not known or not valid is refused by name. */
export function triggerFrom(json: unknown): Trigger {
  return readTrigger(json, 0)
}

function readTrigger(json: unknown, depth: number): Trigger {
  switch (readType(json, 'Trigger', TYPES, depth)) {
    case 'cron': {
      const { expression, ...options } = read(json, 'cron')
      return new CronTrigger(expression as string, options)
    }
    case 'simple': {
      const { intervalMs, ...options } = read(json, 'simple')
      return new SimpleTrigger({ ...options, interval: requireInteger(intervalMs, 'intervalMs', 0) } as SimpleOptions)
    }
    case 'calendarInterval': {
      const options = read(json, 'calendarInterval')
      return new CalendarIntervalTrigger(options as unknown as CalendarIntervalOptions)
    }
    case 'dailyTimeInterval': {
      const options = read(json, 'dailyTimeInterval')
      return new DailyTimeIntervalTrigger(options as unknown as DailyTimeIntervalOptions)
    }
    case 'once':
      return once(read(json, 'once')['at'] as Instant)
    case 'jittered': {
      const fields = read(json, 'jittered')
      const trigger = readTrigger(fields['trigger'], depth + 1)
      return new JitteredTrigger(trigger, fields['withinMs'] as number, fields['identity'] as string)
    }
    case 'calendared': {
      const fields = read(json, 'calendared')
      const onExcluded = fields['onExcluded'] as ExcludedRule | undefined
      const calendar = calendarFrom(fields['calendar'])
      return withCalendar(readTrigger(fields['trigger'], depth + 1), calendar, { onExcluded })
    }
  }
}

function read(json: unknown, type: TriggerJson['type']): Record<string, unknown> {
  const { thing, fields } = TRIGGER_FIELDS[type]
  const { type: _, ...found } = requireFields(json, thing, ['type', ...Object.keys(fields)])
  return found
}
