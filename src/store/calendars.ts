import type { AuditDraft } from '../access/audit.ts'
import type { CalendarJson } from '../time/calendars/json.ts'

export interface CalendarStore {
  /** Creates or replaces by name. The entry is of the tenant of the first one. */
  put(calendars: readonly StoredCalendar[], audit?: AuditDraft): Promise<void>
  /** Calendars of a tenant by name; unknown names are left out. */
  find(keys: readonly CalendarKey[]): Promise<StoredCalendar[]>
  /** All of a tenant, by name. */
  list(tenant: string): Promise<StoredCalendar[]>
  /** Returns how many there were. The entry, of the tenant of the first one, is written where there was any. */
  remove(keys: readonly CalendarKey[], audit?: AuditDraft): Promise<number>
}

export interface CalendarKey {
  readonly tenant: string
  readonly name: string
}

export interface StoredCalendar extends CalendarKey {
  readonly definition: CalendarJson
}
