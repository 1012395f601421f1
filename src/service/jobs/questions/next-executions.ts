import { requirePermission } from '../../../access/principal.ts'
import { stateOf } from '../../../engine/firing/fire-job.ts'
import type { Job } from '../../../job/job.ts'
import { firesNow } from '../../../job/job-status.ts'
import type { Calendar } from '../../../time/calendars/calendar.ts'
import { requireLocale } from '../../../time/locale.ts'
import { SearchTooLongError } from '../../../time/search-steps.ts'
import { stateAfterFire, underCalendar } from '../../../time/trigger-state.ts'
import { triggerFrom } from '../../../time/triggers/from-json.ts'
import type { NextExecutionView } from '../../job-knowledge.ts'
import { knownCalendar } from '../../known-calendar.ts'
import { ownJob } from '../../owned.ts'
import type { LanguageQuery } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { searched } from '../../search-limits.ts'
import { wireInstant } from '../../wire-value.ts'

const UPCOMING = 10

/** When a job fires next, as it stands now, and its trigger in words: in the language asked for, or in that of the tenant. */
export async function nextExecutions(
  scope: Scope,
  id: string,
  { language }: LanguageQuery = {},
): Promise<NextExecutionView> {
  requirePermission(scope.principal, 'jobs:read')
  const job = await ownJob(scope, id)
  const { calendar: name, trigger } = job.definition
  const calendar = await knownCalendar(scope, name)
  const upcoming = firesNow(job) ? upcomingOf(job, calendar) : []
  const locale = requireLocale(language ?? (await scope.settings()).settings.language)
  const description = underCalendar(triggerFrom(trigger), calendar).describe(locale)
  return { nextExecution: upcoming[0] ?? null, upcoming, description }
}

function upcomingOf(job: Job, calendar: Calendar | null): string[] {
  const times: string[] = []
  let state = stateOf(job.schedule)
  try {
    searched(() => {
      while (state.nextFireAt !== null && times.length < UPCOMING) {
        times.push(wireInstant(state.nextFireAt))
        state = stateAfterFire(state, calendar)
      }
    })
  } catch (error) {
    // Those that were found are true.
    if (!(error instanceof SearchTooLongError)) throw error
  }
  return times
}
