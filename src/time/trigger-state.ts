import type { Calendar } from './calendars/calendar.ts'
import { type Instant, instantOf } from './instant.ts'
import { requireFields, requireInteger } from './require.ts'
import { SearchTooLongError, takeStep, withinSteps } from './search.ts'
import { DailyTimeIntervalTrigger } from './triggers/daily-time-interval.ts'
import { triggerFrom } from './triggers/from-json.ts'
import { FOREVER, SimpleTrigger } from './triggers/simple.ts'
import { requireTrigger, type Trigger } from './triggers/trigger.ts'
import { withCalendar } from './triggers/with-calendar.ts'

/** Where a trigger stands: what is stored beside a job and moves on with each fire. */
export interface TriggerState {
  /** The rule itself: rescheduling a simple trigger gives it another start and number of repeats. */
  readonly trigger: Trigger
  /** When it fires next; null when it is done. */
  readonly nextFireAt: number | null
  /** The occurrence it fired last, if any. */
  readonly previousFireAt: number | null
  /** How often it has fired, since it was last restarted. */
  readonly timesTriggered: number
}

/** A trigger that has not fired yet, waiting for its first included fire time after an instant. */
export function initialState(trigger: Trigger, after: number, calendar: Calendar | null = null): TriggerState {
  const state = {
    trigger: requireTrigger(trigger, 'trigger'),
    nextFireAt: null,
    previousFireAt: null,
    timesTriggered: 0,
  }
  return { ...state, nextFireAt: nextFireTime(state, after, calendar) }
}

/** The state after a trigger fired at its next fire time. */
export function stateAfterFire(state: TriggerState, calendar: Calendar | null = null): TriggerState {
  if (state.nextFireAt === null) return state
  const timesTriggered = state.timesTriggered + 1
  return {
    trigger: state.trigger,
    previousFireAt: state.nextFireAt,
    nextFireAt: nextFireTime({ ...state, timesTriggered }, state.nextFireAt, calendar),
    timesTriggered,
  }
}

/**
 * The state after fires that were left out because their job was busy: they use up no repeats. A simple trigger ends with its pattern, which therefore begins as
 * many steps later.
 */
export function withoutFires(state: TriggerState, count: number, now: number, calendar: Calendar | null): TriggerState {
  const { trigger, nextFireAt } = state
  const isPattern = trigger instanceof SimpleTrigger && trigger.repeatCount !== FOREVER
  const left = {
    ...state,
    trigger: isPattern ? trigger.restarted(trigger.startAt + count * trigger.intervalMs, trigger.repeatCount) : trigger,
    timesTriggered: Math.max(0, state.timesTriggered - count),
  }
  return { ...left, nextFireAt: nextFireAt ?? nextFireTime(left, now, calendar) }
}

/** Some seconds: a search that has found nothing after as many steps is taken never to find anything. */
const MOST_STEPS = 5_000_000

/** The first included fire time after an instant of a trigger that has fired so many times. */
export function nextFireTime(state: TriggerState, after: number, calendar: Calendar | null = null): number | null {
  if (firesLeft(state) <= 0) return null
  const trigger = underCalendar(withoutLimit(state), calendar)
  try {
    return withinSteps(MOST_STEPS, () => trigger.next(after))
  } catch (error) {
    if (!(error instanceof SearchTooLongError)) throw error
    // Whoever allows fewer wants to know.
    takeStep()
    return null
  }
}

/**
 * The rule that decides what fires next. A trigger that counts its repeats by fires, not by steps of its pattern,
 * does not lose one to an excluded time.
 */
export function withoutLimit({ trigger }: TriggerState): Trigger {
  return trigger instanceof DailyTimeIntervalTrigger ? trigger.unlimited : trigger
}

/** How often a trigger may still fire, as far as its repeats are counted by fires. */
export function firesLeft({ trigger, timesTriggered }: TriggerState): number {
  const counts = trigger instanceof DailyTimeIntervalTrigger || trigger instanceof SimpleTrigger
  if (!counts || trigger.repeatCount === FOREVER) return Number.POSITIVE_INFINITY
  return trigger.repeatCount + 1 - timesTriggered
}

export function underCalendar(trigger: Trigger, calendar: Calendar | null): Trigger {
  return calendar ? withCalendar(trigger, calendar) : trigger
}

/** A state as it was stored: `JSON.stringify` writes one, instants as epoch milliseconds. */
export function triggerStateFrom(json: unknown): TriggerState {
  const fields = requireFields(json, 'Trigger state', ['trigger', 'nextFireAt', 'previousFireAt', 'timesTriggered'])
  return {
    trigger: triggerFrom(fields['trigger']),
    nextFireAt: instantOrNull(fields['nextFireAt'], 'nextFireAt'),
    previousFireAt: instantOrNull(fields['previousFireAt'], 'previousFireAt'),
    timesTriggered: requireInteger(fields['timesTriggered'], 'timesTriggered', 0),
  }
}

function instantOrNull(value: unknown, name: string): number | null {
  return value === null ? null : instantOf(value as Instant, name)
}
