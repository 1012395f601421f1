import type { Job } from '../../job/job.ts'
import type { CalendarJson } from '../../time/calendars/json.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { decidedBy, standing } from './standing.ts'

/** The content of a calendar, its bases included, before and after a change. */
export interface CalendarContent {
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
export function changedCalendarJob(job: Job, { before, after }: CalendarContent, by: Author): JobDecision {
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
export function knowsAuthor({ details }: Job, by: Author): boolean {
  return details.approval === null && by.persons.every((person) => details.authors.includes(person))
}
