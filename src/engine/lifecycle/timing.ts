import { InvalidInputError } from '../../errors.ts'
import type { JobDefinition, JobSchedule } from '../../job/job.ts'
import { formatInstant } from '../../time/instant.ts'
import { initialState } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import type { Trigger } from '../../time/triggers/trigger.ts'
import { scheduleOf } from '../firing/fire-job.ts'
import { loadCalendars } from '../firing/job-calendars.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'

interface Timed {
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
}

/** The schedule of a job that begins now. Throws where the job would never fire, or names a calendar that does not exist. */
export async function firstSchedule({ store }: ScheduleSurroundings, job: Timed, now: number): Promise<JobSchedule> {
  const { tenant, name, definition } = job
  const trigger = triggerFrom(definition.trigger)
  const calendarOf = await loadCalendars(store, [{ tenant, calendar: definition.calendar }])
  const state = initialState(trigger, now, calendarOf({ tenant, name }, definition.calendar))
  if (state.nextFireAt === null) throw neverFires(job, trigger, now)
  return scheduleOf(state)
}

/** A trigger whose fire times are all past has become impossible; one that has none is a mistake. */
function neverFires({ name, definition }: Timed, trigger: Trigger, now: number): InvalidInputError {
  const hasNext = trigger.next(now) !== null
  const at = hasNext ? null : trigger.previous(now + 1)
  if (at !== null) {
    const message = `Job "${name}" cannot run at ${formatInstant(at)}, which is past; it is ${formatInstant(now)} now.`
    return new InvalidInputError('job.in_past', message, { job: name, at, now })
  }
  const { calendar } = definition
  const reason = hasNext ? `calendar "${calendar}" excludes all of its fire times` : 'its trigger has no fire time'
  const details = { job: name, ...(hasNext ? { calendar } : {}), trigger: definition.trigger }
  return new InvalidInputError('job.never_fires', `Job "${name}" would never fire: ${reason}.`, details)
}
