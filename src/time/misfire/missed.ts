import type { Calendar } from '../calendars/calendar.ts'
import { endOfFirst } from '../end-of-first.ts'
import { firesLeft, type TriggerState, underCalendar, withoutLimit } from '../trigger-state.ts'
import { SimpleTrigger } from '../triggers/simple.ts'
import type { Trigger } from '../triggers/trigger.ts'

/** The occurrences that are due and unfired: counted, not listed, since after a long outage there may be millions. */
export interface Missed {
  readonly count: number
  readonly oldest: number
  readonly newest: number
  /** The newest `limit` of them, oldest first. */
  newestFew(limit: number): number[]
  /** The one that comes before one of them, or null. */
  before(occurrence: number): number | null
  /** The one that comes after one of them, or null. */
  after(occurrence: number): number | null
}

/** What a trigger should have fired from its next fire time up to and including `now`; null when nothing. */
export function missedBy(state: TriggerState, calendar: Calendar | null, now: number): Missed | null {
  const { nextFireAt } = state
  if (nextFireAt === null || nextFireAt > now) return null
  const trigger = underCalendar(withoutLimit(state), calendar)
  const left = state.trigger instanceof SimpleTrigger ? Number.POSITIVE_INFINITY : firesLeft(state)
  const count = trigger.count(nextFireAt, now + 1)
  if (count === 0 || left <= 0) return null
  const end = count > left ? endOfFirst(left, nextFireAt, now + 1, (to) => trigger.count(nextFireAt, to)) : now + 1
  const oldest = trigger.next(nextFireAt - 1)
  const newest = trigger.previous(end)
  if (oldest === null || newest === null) return null
  return {
    count: Math.min(count, left),
    oldest,
    newest,
    newestFew: (limit) => newestFew(trigger, oldest, end, limit),
    before: (occurrence) => (occurrence > oldest ? trigger.previous(occurrence) : null),
    after: (occurrence) => (occurrence < newest ? trigger.next(occurrence) : null),
  }
}

function newestFew(trigger: Trigger, oldest: number, end: number, limit: number): number[] {
  const found: number[] = []
  for (let at = trigger.previous(end); at !== null && at >= oldest && found.length < limit; at = trigger.previous(at)) {
    found.push(at)
  }
  return found.reverse()
}
