import type { CalendarKey, CalendarStore, StoredCalendar } from '../../calendars.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'
import { writeAudit } from '../service/write-audit.ts'

const putCalendars: Statement = {
  name: 'putCalendars',
  text: `
insert into pontual.calendars (tenant, name, definition)
select tenant, name, definition::jsonb
from unnest($1::text[], $2::text[], $3::text[]) as input (tenant, name, definition)
order by tenant collate "C", name collate "C"
on conflict (tenant, name) do update
set definition = excluded.definition`,
}

const findCalendars: Statement = {
  name: 'findCalendars',
  text: `
select tenant, name, definition
from unnest($1::text[], $2::text[]) with ordinality as asked (tenant, name, place)
join pontual.calendars using (tenant, name)
order by place`,
}

const listCalendars: Statement = {
  name: 'listCalendars',
  text: `
select tenant, name, definition
from pontual.calendars
where tenant = $1
order by name`,
}

const removeCalendars: Statement = {
  name: 'removeCalendars',
  text: `
with removed as (
  delete from pontual.calendars
  using unnest($1::text[], $2::text[]) as asked (tenant, name)
  where calendars.tenant = asked.tenant
    and calendars.name = asked.name
  returning calendars.name
)
select count(*) as count
from removed`,
}

export function calendarStore({ driver, testTime }: Parts): CalendarStore {
  return {
    async put(calendars, audit) {
      // Of two with the same name the last one is meant, and one statement cannot write a row twice.
      const last = [...new Map(calendars.map((each) => [keyOf(each), each])).values()]
      const [first] = last
      if (!first) return
      const values = [...keys(last), last.map(({ definition }) => JSON.stringify(definition))]
      if (!audit) {
        await driver.query(putCalendars, values)
        return
      }
      await driver.transaction(async (transaction) => {
        await transaction.query(putCalendars, values)
        await writeAudit(transaction, [{ ...audit, tenant: first.tenant }], testTime())
      })
    },

    find: (asked) => driver.query<StoredCalendar>(findCalendars, keys(distinct(asked))),

    list: (tenant) => driver.query<StoredCalendar>(listCalendars, [tenant]),

    async remove(asked, audit) {
      const [first] = asked
      if (!first) return 0
      return await driver.transaction(async (transaction) => {
        const [row] = await transaction.query<{ count: number }>(removeCalendars, keys(asked))
        const count = row?.count ?? 0
        if (audit && count > 0) await writeAudit(transaction, [{ ...audit, tenant: first.tenant }], testTime())
        return count
      })
    },
  }
}

function keys(calendars: readonly CalendarKey[]): string[][] {
  return [calendars.map(({ tenant }) => tenant), calendars.map(({ name }) => name)]
}

function distinct(calendars: readonly CalendarKey[]): CalendarKey[] {
  return [...new Map(calendars.map((each) => [keyOf(each), each])).values()]
}

function keyOf({ tenant, name }: CalendarKey): string {
  return JSON.stringify([tenant, name])
}
