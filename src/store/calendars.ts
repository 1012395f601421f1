import type { CalendarJson } from '../time/calendars/json.ts'

export interface CalendarStore {
  /** Creates or replaces by name. */
  put(calendars: readonly StoredCalendar[]): Promise<void>
  /** Calendars of a tenant by name; unknown names are left out. */
  find(keys: readonly CalendarKey[]): Promise<StoredCalendar[]>
  /** All of a tenant, by name. */
  list(tenant: string): Promise<StoredCalendar[]>
  /** Returns how many there were. */
  remove(keys: readonly CalendarKey[]): Promise<number>
}

export interface CalendarKey {
  readonly tenant: string
  readonly name: string
}

export interface StoredCalendar extends CalendarKey {
  readonly definition: CalendarJson
}
