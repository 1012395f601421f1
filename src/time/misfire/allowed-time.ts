import { type Calendar, givesUp } from '../calendars/calendar.ts'
import type { Trigger } from '../triggers/trigger.ts'
import { WrappedTrigger } from '../triggers/wrapped.ts'

/** All calendars that a run has to heed: the job's, and those that its trigger was made with. */
export function calendarsOf(trigger: Trigger, calendar: Calendar | null): Calendar[] {
  const own = calendar ? [calendar.inZone(trigger.timeZone)] : []
  return trigger instanceof WrappedTrigger ? [...own, ...calendarsOf(trigger.trigger, trigger.calendar)] : own
}

/** The first instant, from the given one on, that all of them include; null when there is none. */
export function nextIncludedByAll(calendars: readonly Calendar[], from: number): number | null {
  let at = from
  for (let tries = 0; !givesUp(tries, from, at); tries++) {
    const excluding = calendars.find((calendar) => !calendar.isIncluded(at))
    const next = excluding ? excluding.nextIncluded(at) : at
    if (next === null || !excluding) return next
    at = next
  }
  return null
}
