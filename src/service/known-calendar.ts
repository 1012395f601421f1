import type { Calendar } from '../time/calendars/calendar.ts'
import { calendarFrom } from '../time/calendars/from-json.ts'
import type { Scope } from './scope.ts'

/** A calendar of the tenant by name; null where there is none, or none is named. */
export async function knownCalendar({ store, tenant }: Scope, name: string | null): Promise<Calendar | null> {
  const [stored] = name === null ? [] : await store.calendars.find([{ tenant, name }])
  return stored ? calendarFrom(stored.definition) : null
}
