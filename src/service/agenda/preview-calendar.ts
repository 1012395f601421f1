import { requirePermission } from '../../access/principal.ts'
import { DAY_MS } from '../../duration.ts'
import { isSameCalendar, jobsWith, needsApprovalOfCalendar } from '../../engine/lifecycle/change-calendar.ts'
import { requireName } from '../../job/name.ts'
import type { CalendarJson } from '../../time/calendars/json.ts'
import { readCalendar } from '../administration/calendars.ts'
import type { CalendarPreviewRequest } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { readField, readInteger } from '../sent-values.ts'
import { wireInstant } from '../wire-value.ts'
import type { CalendarPreviewView } from './agenda-view.ts'
import { type Fires, FireTimes } from './fire-times.ts'
import { firingJobs, namedCalendars, Turns } from './rules.ts'

const USUAL_DAYS = 30
const MOST_DAYS = 366
const MAX_SHOWN = 100

/** Which fires of the jobs that name a calendar would change if it were another. */
export async function previewCalendar(
  scope: Scope,
  name: string,
  { definition, days: asked = USUAL_DAYS }: CalendarPreviewRequest,
): Promise<CalendarPreviewView> {
  requirePermission(scope.principal, 'jobs:read')
  const calendarName = readField('name', () => requireName(name, 'name'))
  const calendar = readCalendar(scope, definition)
  const days = readField('days', () => readInteger(asked, 'days', 1, MOST_DAYS))
  const [{ jobs, isAll }, calendarNamed] = await Promise.all([firingJobs(scope), namedCalendars(scope)])
  const [before, after] = [calendarNamed(calendarName), { name: calendarName, calendar }]
  // What is due already fires whatever the calendar says from now on.
  const from = scope.now() + 1
  const stretch = { from, to: from + days * DAY_MS }
  const turns = new Turns(scope.around.env)
  const [old, fresh] = [new FireTimes(stretch, turns), new FireTimes(stretch, turns)]
  const views: CalendarPreviewView['jobs'][number][] = []
  for (const job of jobs.filter((each) => each.calendar === calendarName)) {
    const [was, willBe] = [await old.ofJob(job.schedule, before), await fresh.ofRule(job.schedule, after)]
    const [removed, added] = [missingFrom(willBe, was), missingFrom(was, willBe)]
    await turns.worked(was.count + willBe.count)
    if (removed.length + added.length === 0) continue
    views.push({
      jobId: job.id,
      name: job.name,
      removed: firstOf(removed),
      added: firstOf(added),
      removedCount: removed.length,
      addedCount: added.length,
    })
  }
  const approvals = await neededApprovals(scope, calendarName, calendar.toJSON())
  return { jobs: views, approvals, isPartial: old.isPartial || fresh.isPartial || !isAll }
}

/** The sensitive jobs that need a new approval if the calendar is changed like this. */
async function neededApprovals(
  { store, tenant }: Scope,
  name: string,
  after: CalendarJson,
): Promise<CalendarPreviewView['approvals']> {
  const [known] = await store.calendars.find([{ tenant, name }])
  if (isSameCalendar({ before: known?.definition ?? null, after })) return []
  const jobs: { readonly jobId: string; readonly name: string }[] = []
  for await (const job of jobsWith(store, tenant, name)) {
    if (needsApprovalOfCalendar(job, name)) jobs.push({ jobId: job.id, name: job.name })
  }
  return jobs
}

/** The instants that one has and the other has not. */
function missingFrom(other: Fires, one: Fires): number[] {
  const missing: number[] = []
  let place = 0
  for (let index = 0; index < one.count; index += 1) {
    const at = one.at(index)
    while (place < other.count && other.at(place) < at) place += 1
    if (place >= other.count || other.at(place) !== at) missing.push(at)
  }
  return missing
}

function firstOf(instants: readonly number[]): string[] {
  return instants.slice(0, MAX_SHOWN).map((at) => wireInstant(at))
}
