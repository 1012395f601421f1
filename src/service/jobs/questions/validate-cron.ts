import { requirePermission } from '../../../access/principal.ts'
import { PontualError } from '../../../errors.ts'
import { requireLocale } from '../../../time/locale.ts'
import { underCalendar } from '../../../time/trigger-state.ts'
import { cron } from '../../../time/triggers/cron.ts'
import type { CronAnswer } from '../../answers.ts'
import { say } from '../../i18n/say.ts'
import { knownCalendar } from '../../known-calendar.ts'
import { ownJob } from '../../owned.ts'
import type { CronQuestion } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { searched } from '../../search-limits.ts'
import { wireInstant } from '../../wire-value.ts'
import { checkCron } from '../fields/trigger-field.ts'

const UPCOMING = 10

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
