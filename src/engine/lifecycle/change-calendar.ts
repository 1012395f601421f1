import type { AuditDraft } from '../../access/audit.ts'
import { isSamePayload } from '../../job/execution/payload.ts'
import type { Job } from '../../job/job.ts'
import { everyJob } from '../../store/jobs.ts'
import type { TenantStore } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import type { CalendarJson } from '../../time/calendars/json.ts'
import { nextFireTime } from '../../time/trigger-state.ts'
import { stateOf } from '../firing/fire-job.ts'
import type { Author } from './audit.ts'
import { audited } from './audit.ts'
import type { ChangeDeps } from './change-job.ts'
import { changeJob, changeOf, type JobDecision } from './change-job.ts'
import { decidedBy, standing } from './status-fields.ts'

/**
 * Creates or replaces a calendar; the jobs that name it are due when it says so from now on. Sensitive ones wait for an approval before the calendar changes, so
 * that none of them fires by an unapproved calendar; those that were approved during the change wait afterwards.
 */
export async function setCalendar(
  deps: ChangeDeps,
  tenant: string,
  name: string,
  calendar: Calendar,
  by: Author,
  audit?: AuditDraft,
): Promise<void> {
  const { store } = deps
  const [known] = await store.calendars.find([{ tenant, name }])
  const content = { before: known?.definition ?? null, after: calendar.toJSON() }
  if (known && isSameCalendar(content)) return
  for await (const job of jobsWith(store, tenant, name)) await withdrawApproval(deps, job, { name, content, by })
  await store.calendars.put([{ tenant, name, definition: content.after }], audit)
  for await (const job of jobsWith(store, tenant, name)) {
    if (!knowsAuthor(job, by)) await withdrawApproval(deps, job, { name, content, by })
    await moveNextFire(deps, job, calendar)
  }
}

export function isSameCalendar({ before, after }: CalendarContent): boolean {
  return before !== null && isSamePayload(JSON.stringify(before), JSON.stringify(after))
}

/** The jobs that name a calendar. */
export async function* jobsWith(
  store: Pick<TenantStore, 'jobs'>,
  tenant: string,
  calendar: string,
): AsyncGenerator<Job> {
  for await (const job of everyJob(store.jobs, { tenant })) if (job.definition.calendar === calendar) yield job
}

interface CalendarChange {
  readonly name: string
  readonly content: CalendarContent
  readonly by: Author
}

async function withdrawApproval(deps: ChangeDeps, found: Job, change: CalendarChange): Promise<void> {
  if (!needsApprovalOfCalendar(found, change.name)) return
  const read = async () => (await deps.store.jobs.find([found.id]))[0] ?? found
  await changeJob(deps, found.name, read, (job) =>
    needsApprovalOfCalendar(job, change.name) ? changedCalendarJob(job, change.content, change.by) : null,
  )
}

async function moveNextFire(deps: ChangeDeps, { id }: Job, calendar: Calendar): Promise<void> {
  const { store, time } = deps
  const read = async () => (await store.jobs.find([id]))[0] ?? null
  if (!(await read())) return
  await changeJob(deps, id, read, (job) => {
    if (!job) return null
    const { nextFireAt } = job.schedule
    const now = time.now()
    // What is due already is the scheduler's business.
    if (nextFireAt !== null && nextFireAt <= now) return null
    const moved = nextFireTime(stateOf(job.schedule), now, calendar)
    if (moved === nextFireAt) return null
    const change = changeOf(job, { schedule: { ...job.schedule, nextFireAt: moved } })
    return { change: { ...change, expectedNextFireAt: nextFireAt } }
  })
}

/** The content of a calendar, its bases included, before and after a change. */
interface CalendarContent {
  readonly before: CalendarJson | null
  readonly after: CalendarJson
}

/** Whether a change of its calendar voids the approval of a job, or has to reach whoever is about to approve it. */
export function needsApprovalOfCalendar(job: Job, calendar: string): boolean {
  return job.definition.calendar === calendar && job.details.isSensitive && job.status !== 'DELETED'
}

/**
 * Decides what a change of its calendar does to a sensitive job: the calendar decides when the job runs, so the approval is void, and the author of the change
 * cannot approve it. A disabled job stays disabled and needs the approval once it is enabled.
 */
function changedCalendarJob(job: Job, { before, after }: CalendarContent, by: Author): JobDecision {
  const status = job.status === 'DISABLED' ? {} : standing('PENDING_APPROVAL')
  const change = audited(
    changeOf(job, { ...status, details: decidedBy(job.details, by) }),
    job,
    'JOBS_JOB_UPDATE',
    by,
    { calendarDefinition: after },
  )
  const { audit } = change
  if (!audit) return { change }
  return { change: { ...change, audit: { ...audit, oldValues: { ...audit.oldValues, calendarDefinition: before } } } }
}

/** Whether a change of the calendar by this author is part of what the job is approved for from now on. */
function knowsAuthor({ details }: Job, by: Author): boolean {
  return details.approval === null && by.persons.every((person) => details.authors.includes(person))
}
