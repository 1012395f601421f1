import { type Calendar, EXCLUDED_RULES, requireCalendar } from '../calendars/calendar.ts'
import type { ExcludedRule } from '../calendars/json.ts'
import { requireOneOf, requireOptions } from '../require.ts'
import { CalendaredTrigger } from './calendared.ts'
import { RolledTrigger } from './rolled.ts'
import { requireTrigger, type Trigger } from './trigger.ts'

/** How a trigger fires under a calendar. */
export interface WithCalendarOptions {
  /** For a fire time in excluded time, in place of what the calendar itself says. */
  readonly onExcluded?: ExcludedRule | undefined
}

/** The trigger as it fires under a calendar. */
export function withCalendar(trigger: Trigger, calendar: Calendar, options: WithCalendarOptions = {}): Trigger {
  requireOptions(options, 'withCalendar', ['onExcluded'])
  requireTrigger(trigger, 'trigger')
  requireCalendar(calendar, 'calendar')
  const rule = options.onExcluded ?? calendar.onExcluded
  requireOneOf(rule, 'onExcluded', EXCLUDED_RULES)
  return rule === 'skip' ? new CalendaredTrigger(trigger, calendar) : new RolledTrigger(trigger, calendar, rule)
}
