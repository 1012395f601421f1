import { PontualError } from '../../errors.ts'
import type { Job } from '../../job/job.ts'
import type { Store } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { calendarFrom } from '../../time/calendars/from-json.ts'

/** The calendar of a job, or null where it has none; throws where it names one that does not exist. */
export type CalendarOf = (job: Pick<Job, 'tenant' | 'name'>, calendar: string | null) => Calendar | null

/** Reads the calendars that jobs name, each once. */
export async function loadCalendars(
  store: Store,
  wanted: readonly { readonly tenant: string; readonly calendar: string | null }[],
): Promise<CalendarOf> {
  const keys = new Map<string, { tenant: string; name: string }>()
  for (const { tenant, calendar } of wanted) {
    if (calendar !== null) keys.set(keyOf(tenant, calendar), { tenant, name: calendar })
  }
  const found = keys.size === 0 ? [] : await store.calendars.find([...keys.values()])
  const definitions = new Map(found.map(({ tenant, name, definition }) => [keyOf(tenant, name), definition]))
  return (job, calendar) => {
    if (calendar === null) return null
    const definition = definitions.get(keyOf(job.tenant, calendar))
    // Read here, so that one that cannot be read is the trouble of its own jobs only.
    if (definition) return calendarFrom(definition)
    throw new PontualError(
      'calendar.unknown',
      `Job "${job.name}" names calendar "${calendar}", which does not exist.`,
      {
        job: job.name,
        calendar,
      },
    )
  }
}

function keyOf(tenant: string, name: string): string {
  return JSON.stringify([tenant, name])
}
