import type { AuditDraft } from '../../access/audit.ts'
import { isSamePayload } from '../../job/execution/payload.ts'
import type { Job } from '../../job/job.ts'
import type { Store } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { nextFireTime } from '../../time/trigger-state.ts'
import { stateOf } from '../firing/fire-job.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import type { Author } from '../lifecycle/author.ts'
import { changeJob, changeOf } from '../lifecycle/change-job.ts'
import {
  type CalendarContent,
  changedCalendarJob,
  knowsAuthor,
  needsApprovalOfCalendar,
} from '../lifecycle/changed-calendar-job.ts'

const PAGE = 500

/**
 * Creates or replaces a calendar; the jobs that name it are due when it says so from now on. Sensitive ones wait for an approval before the calendar changes, so
 * that none of them fires by an unapproved calendar; those that were approved during the change wait afterwards.
 */
export async function setCalendar(
  around: ScheduleSurroundings,
  tenant: string,
  name: string,
  calendar: Calendar,
  by: Author,
  audit?: AuditDraft,
): Promise<void> {
  const { store } = around
  const [known] = await store.calendars.find([{ tenant, name }])
  const content = { before: known?.definition ?? null, after: calendar.toJSON() }
  if (known && isSameCalendar(content)) return
  for await (const job of jobsWith(store, tenant, name)) await withdrawApproval(around, job, { name, content, by })
  await store.calendars.put([{ tenant, name, definition: content.after }], audit)
  for await (const job of jobsWith(store, tenant, name)) {
    if (!knowsAuthor(job, by)) await withdrawApproval(around, job, { name, content, by })
    await moveNextFire(around, job, calendar)
  }
}

export function isSameCalendar({ before, after }: CalendarContent): boolean {
  return before !== null && isSamePayload(JSON.stringify(before), JSON.stringify(after))
}

/** The jobs that name a calendar. */
export async function* jobsWith(store: Pick<Store, 'jobs'>, tenant: string, calendar: string): AsyncGenerator<Job> {
  let after: { tenant: string; name: string } | undefined
  for (;;) {
    const page = await store.jobs.list({ tenant, limit: PAGE, after })
    yield* page.filter(({ definition }) => definition.calendar === calendar)
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = { tenant: last.tenant, name: last.name }
  }
}

interface CalendarChange {
  readonly name: string
  readonly content: CalendarContent
  readonly by: Author
}

async function withdrawApproval(around: ScheduleSurroundings, found: Job, change: CalendarChange): Promise<void> {
  if (!needsApprovalOfCalendar(found, change.name)) return
  const read = async () => (await around.store.jobs.find([found.id]))[0] ?? found
  await changeJob(around, found.name, read, (job) =>
    needsApprovalOfCalendar(job, change.name) ? changedCalendarJob(job, change.content, change.by) : null,
  )
}

async function moveNextFire(around: ScheduleSurroundings, { id }: Job, calendar: Calendar): Promise<void> {
  const { store, time } = around
  const read = async () => (await store.jobs.find([id]))[0] ?? null
  if (!(await read())) return
  await changeJob(around, id, read, (job) => {
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
