import { requirePermission } from '../../../access/principal.ts'
import { stateOf } from '../../../engine/firing/fire-job.ts'
import { PontualError } from '../../../errors.ts'
import type { Job } from '../../../job/job.ts'
import { firesNow } from '../../../job/job-status.ts'
import type { Calendar } from '../../../time/calendars/calendar.ts'
import { requireLocale } from '../../../time/locale.ts'
import { SearchTooLongError } from '../../../time/search.ts'
import { stateAfterFire, underCalendar } from '../../../time/trigger-state.ts'
import { cron } from '../../../time/triggers/cron.ts'
import { triggerFrom } from '../../../time/triggers/from-json.ts'
import type { CronAnswer } from '../../answers.ts'
import { say } from '../../i18n/say.ts'
import type { NextExecutionView } from '../../job-knowledge.ts'
import { knownCalendar, ownJob } from '../../owned.ts'
import type { CronQuestion, LanguageQuery } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { searched } from '../../search-limits.ts'
import { wireInstant } from '../../wire-value.ts'
import { checkCron } from '../fields/trigger-field.ts'

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

/** Whether a job could have this expression, what it means, and when it would fire; for a job that exists under its calendar. */
export async function validateCron(scope: Scope, id: string, question: CronQuestion): Promise<CronAnswer> {
  requirePermission(scope.principal, 'jobs:read')
  const calendar = id === 'new' ? null : await knownCalendar(scope, (await ownJob(scope, id)).definition.calendar)
  const { settings } = await scope.settings()
  const locale = requireLocale(question.language ?? settings.language)
  try {
    checkCron(question.cronExpression, settings.allowsSeconds)
    const trigger = cron(question.cronExpression, { timeZone: question.timeZone })
    const description = trigger.describe(locale)
    const times = searched(() => underCalendar(trigger, calendar).upcoming(scope.now(), UPCOMING))
    const upcoming = times.map((at) => wireInstant(at))
    if (upcoming.length > 0) return { valid: true, description, upcoming }
    const never = { code: 'cron_unsatisfiable', details: { expression: question.cronExpression } }
    const error = say(locale, { ...never, message: 'The cron expression never fires from now on.' })
    return { valid: false, error, description, upcoming }
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    return { valid: false, error: say(locale, error), description: null, upcoming: [] }
  }
}
