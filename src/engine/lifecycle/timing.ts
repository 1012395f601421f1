import { InvalidInputError } from '../../errors.ts'
import type { JobDefinition, JobSchedule } from '../../job/job.ts'
import { formatInstant } from '../../time/instant.ts'
import { initialState } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { OnceTrigger } from '../../time/triggers/once.ts'
import { innermost } from '../../time/triggers/wrapped.ts'
import { scheduleOf } from '../fire-job.ts'
import { loadCalendars } from '../job-calendars.ts'
import type { ScheduleSurroundings } from '../schedule-surroundings.ts'

interface Timed {
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
}

/** Where a job stands that begins now. Throws where it would run at an instant that is past, or names a calendar that there is not. */
export async function firstSchedule({ store }: ScheduleSurroundings, job: Timed, now: number): Promise<JobSchedule> {
  const { tenant, name, definition } = job
  const trigger = triggerFrom(definition.trigger)
  requireFuture(name, trigger, now)
  const calendarOf = await loadCalendars(store, [{ tenant, calendar: definition.calendar }])
  return scheduleOf(initialState(trigger, now, calendarOf({ tenant, name }, definition.calendar)))
}

function requireFuture(name: string, trigger: ReturnType<typeof triggerFrom>, now: number): void {
  const once = innermost(trigger)
  if (!(once instanceof OnceTrigger) || trigger.next(now) !== null) return
  const at = trigger.previous(now + 1)
  throw new InvalidInputError(
    'job.in_past',
    `Job "${name}" cannot run at ${at === null ? 'no time at all' : formatInstant(at)}, which is past; it is ${formatInstant(now)} now.`,
    { job: name, at, now },
  )
}
