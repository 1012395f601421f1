import type { AuditDraft, AuditOperation, AuditValues } from '../../access/audit.ts'
import { requirePermission, requireWholeProfile } from '../../access/principal.ts'
import { setCalendar } from '../../engine/lifecycle/change-calendar.ts'
import type { Job } from '../../job/job.ts'
import { requireName } from '../../job/name.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { calendarFrom } from '../../time/calendars/from-json.ts'
import type { CalendarJson } from '../../time/calendars/json.ts'
import type { CalendarView } from '../answers.ts'
import { ConflictError, nothingNamed, QuotaError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { requireShortRule, searched } from '../search-limits.ts'
import { readField } from '../sent-values.ts'

const PAGE = 500
const MAX_CALENDARS = 1_000
const MAX_NAMED = 10

export async function listCalendars(scope: Scope): Promise<CalendarView[]> {
  requirePermission(scope.principal, 'jobs:read')
  const calendars = await scope.store.calendars.list(scope.tenant)
  return calendars.map(({ name, definition }) => ({ name, definition }))
}

/** Creates or replaces a calendar; jobs that name it are due when it says so from now on, and sensitive ones need a new approval. */
export async function putCalendar(scope: Scope, name: string, definition: unknown): Promise<CalendarView> {
  requireWholeProfile(scope.principal, 'Admin')
  const { tenant, store } = scope
  const calendarName = readField('name', () => requireName(name, 'name'))
  const calendar = readCalendar(scope, definition)
  const known = await store.calendars.list(tenant)
  const before = known.find((each) => each.name === calendarName)?.definition ?? null
  if (before === null && known.length >= MAX_CALENDARS) {
    throw new QuotaError('quota_exceeded', `There may be ${MAX_CALENDARS} calendars; remove one first.`, {
      kind: 'calendar',
      count: known.length,
      maximum: MAX_CALENDARS,
    })
  }
  const json = calendar.toJSON()
  const audit = draft(scope, 'JOBS_CALENDAR_UPDATE', told(calendarName, before), {
    name: calendarName,
    definition: json,
  })
  await setCalendar(scope.around, tenant, calendarName, calendar, scope.by, audit)
  scope.opened.changed()
  return { name: calendarName, definition: json }
}

/** A calendar as it was sent. */
export function readCalendar(scope: Scope, definition: unknown): Calendar {
  return readField('definition', () => {
    requireShortRule(definition, 'definition')
    const read = calendarFrom(definition)
    // Whether it ever includes anything has to be seen soon, by whoever fires under it too.
    searched(() => read.nextIncluded(scope.now()))
    return read
  })
}

/** Removes a calendar that no job names. */
export async function removeCalendar(scope: Scope, name: string): Promise<void> {
  requireWholeProfile(scope.principal, 'Admin')
  const { tenant, store } = scope
  readField('name', () => requireName(name, 'name'))
  const [stored] = await store.calendars.find([{ tenant, name }])
  if (!stored) throw nothingNamed('calendar', name)
  const users = await jobsWith(scope, name)
  if (users.length > 0) {
    const message = `Calendar "${name}" is named by jobs: ${users.join(', ')}. Give them another one first.`
    throw new ConflictError('calendar.in_use', message, { calendar: name, jobs: users })
  }
  const audit = draft(scope, 'JOBS_CALENDAR_DELETE', told(name, stored.definition), null)
  await store.calendars.remove([{ tenant, name }], audit)
}

async function jobsWith({ store, tenant }: Scope, calendar: string): Promise<string[]> {
  const names: string[] = []
  let after: Pick<Job, 'tenant' | 'name'> | undefined
  for (;;) {
    const page = await store.jobs.list({ tenant, limit: PAGE, after })
    names.push(...page.filter(({ definition }) => definition.calendar === calendar).map((job) => job.name))
    after = page.at(-1)
    if (names.length >= MAX_NAMED || page.length < PAGE || after === undefined) return names.slice(0, MAX_NAMED)
  }
}

function told(name: string, definition: CalendarJson | null): AuditValues | null {
  return definition === null ? null : { name, definition }
}

function draft(
  { by }: Scope,
  operation: AuditOperation,
  oldValues: AuditValues | null,
  newValues: AuditValues | null,
): AuditDraft {
  return { operation, userId: by.userId, jobId: null, executionId: null, oldValues, newValues }
}
