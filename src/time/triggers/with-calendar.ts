import type { Calendar } from '../calendars/calendar.ts'
import { requireOneOf } from '../require.ts'
import { CalendaredTrigger } from './calendared.ts'
import type { ExcludedRule } from './json.ts'
import { RolledTrigger } from './rolled.ts'
import type { Trigger } from './trigger.ts'

export interface WithCalendarOptions {
  /** For a fire time in excluded time. Default `skip`; the others move it, at the same time of day, to an included day. */
  readonly onExcluded?: ExcludedRule | undefined
}

/** The trigger as it fires under a calendar. */
export function withCalendar(trigger: Trigger, calendar: Calendar, options: WithCalendarOptions = {}): Trigger {
  const rule = requireOneOf(options.onExcluded ?? 'skip', 'onExcluded', ['skip', 'nextDay', 'previousDay'])
  return rule === 'skip' ? new CalendaredTrigger(trigger, calendar) : new RolledTrigger(trigger, calendar, rule)
}
