import type { JobSchedule } from '../../job/job.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { firesLeft, underCalendar, withoutLimit } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { JitteredTrigger } from '../../time/triggers/jittered.ts'
import type { TriggerJson } from '../../time/triggers/json.ts'
import type { Trigger } from '../../time/triggers/trigger.ts'

/** A calendar, and a name that tells it from others. */
export interface NamedCalendar {
  readonly name: string
  readonly calendar: Calendar
}

/** What decides when a job fires, so that jobs which fire together are known to do so. */
export interface Rule {
  /** The same for all jobs that have the same trigger and calendar, whatever their jitter is. */
  readonly key: string
  readonly trigger: Trigger
  /** How much later than the trigger says. */
  readonly shiftMs: number
  /** How often it may still fire. */
  readonly firesLeft: number
}

export function ruleOf(schedule: JobSchedule, calendar: NamedCalendar | null): Rule {
  const json = schedule.currentTrigger
  const trigger = triggerFrom(json)
  // Under a calendar what is later may be on another day.
  if (trigger instanceof JitteredTrigger && json.type === 'jittered' && calendar === null) {
    return {
      key: keyOf(json.trigger, null),
      trigger: trigger.trigger,
      shiftMs: trigger.offsetMs,
      firesLeft: Number.POSITIVE_INFINITY,
    }
  }
  const state = { ...schedule, trigger }
  return {
    key: keyOf(json, calendar),
    trigger: underCalendar(withoutLimit(state), calendar?.calendar ?? null),
    shiftMs: 0,
    firesLeft: firesLeft(state),
  }
}

/** Whose job it is matters to an expression with an H alone. */
function keyOf(json: TriggerJson, calendar: NamedCalendar | null): string {
  const { identity, ...rest } = { identity: undefined, ...json }
  const counts = json.type !== 'cron' || /h/i.test(json.expression)
  return JSON.stringify([rest, counts ? identity : undefined, calendar?.name])
}
