import type { CalendarStore } from '../../calendars.ts'
import { compareText } from '../schema/compare.ts'
import { frozenCopy } from '../schema/frozen.ts'
import { keyOf } from '../schema/table.ts'
import type { Session } from '../session.ts'

export function calendarStore(session: Session): CalendarStore {
  return {
    put: (calendars, audit) =>
      session.statement((tables, now) => {
        for (const { tenant, name, definition } of calendars) {
          tables.calendars.put(frozenCopy({ tenant, name, definition }))
        }
        const [first] = calendars
        if (audit && first) tables.audit.write({ ...audit, tenant: first.tenant }, now)
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

    remove: (keys, audit) =>
      session.statement((tables, now) => {
        const removed = keys.filter(({ tenant, name }) => tables.calendars.take(keyOf(tenant, name)) !== undefined)
        const [first] = keys
        if (audit && first && removed.length > 0) tables.audit.write({ ...audit, tenant: first.tenant }, now)
        return removed.length
      }),
  }
}
