import type { CalendarStore } from '../calendars.ts'
import { compareText } from './compare.ts'
import { frozenCopy } from './frozen.ts'
import type { Session } from './session.ts'
import { keyOf } from './table.ts'

export function calendarStore(session: Session): CalendarStore {
  return {
    put: (calendars) =>
      session.statement((tables) => {
        for (const { tenant, name, definition } of calendars) {
          tables.calendars.put(frozenCopy({ tenant, name, definition }))
        }
      }),

    find: (keys) =>
      session.statement((tables) => {
        const wanted = new Set(keys.map(({ tenant, name }) => keyOf(tenant, name)))
        return [...wanted].flatMap((key) => tables.calendars.get(key) ?? [])
      }),

    list: (tenant) =>
      session.statement((tables) =>
        [...tables.calendars.rows()]
          .filter((calendar) => calendar.tenant === tenant)
          .toSorted((a, b) => compareText(a.name, b.name)),
      ),

    remove: (keys) =>
      session.statement(
        (tables) => keys.filter(({ tenant, name }) => tables.calendars.take(keyOf(tenant, name)) !== undefined).length,
      ),
  }
}
