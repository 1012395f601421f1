import type { ScheduledJob } from '../../store/jobs.ts'
import { calendarFrom } from '../../time/calendars/from-json.ts'
import type { Scope } from '../scope.ts'
import type { NamedCalendar } from './rule.ts'

const PAGE = 500
const MOST_JOBS = 20_000

export interface FiringJobs {
  readonly jobs: readonly ScheduledJob[]
  readonly isAll: boolean
}

/** Jobs that fire by themselves, by name; at most so many. */
export async function firingJobs({ store, tenant }: Scope): Promise<FiringJobs> {
  const jobs: ScheduledJob[] = []
  for (;;) {
    const page = await store.jobs.schedules({ tenant, limit: PAGE, after: jobs.at(-1)?.name })
    jobs.push(...page)
    if (page.length < PAGE) return { jobs, isAll: true }
    if (jobs.length >= MOST_JOBS) return { jobs, isAll: false }
  }
}

/** The calendars of a tenant, by name. */
export async function namedCalendars({ store, tenant }: Scope): Promise<(name: string | null) => NamedCalendar | null> {
  const stored = new Map((await store.calendars.list(tenant)).map(({ name, definition }) => [name, definition]))
  const read = new Map<string, NamedCalendar>()
  return (name) => {
    const definition = name === null ? undefined : stored.get(name)
    if (name === null || definition === undefined) return null
    const known = read.get(name) ?? { name, calendar: calendarFrom(definition) }
    read.set(name, known)
    return known
  }
}
