/**
 * Quartz's own arithmetic, to the letter: what its triggers do to their state after a misfire, or when their
 * calendar is replaced. "Now" looks at neither the calendar nor the end time.
 */
import { type Calendar, givesUp } from '../calendars/calendar.ts'
import { nextFireTime, type TriggerState } from '../trigger-state.ts'
import { FOREVER, SimpleTrigger } from '../triggers/simple.ts'
import { innermost } from '../triggers/trigger.ts'

/** Quartz's misfire instructions for simple triggers that change when and how often it fires from then on. */
export type RescheduleInstruction =
  | 'rescheduleNowWithExistingCount'
  | 'rescheduleNowWithRemainingCount'
  | 'rescheduleNextWithExistingCount'
  | 'rescheduleNextWithRemainingCount'

/** What Quartz may be told to do about a misfire, by Pontual's names. */
export type QuartzInstruction = 'smart' | 'ignore' | 'fireNow' | 'skipToNext' | RescheduleInstruction

/** What `smart` stands for: one run now, and for simple triggers by their number of repeats. */
export function resolveSmart(state: TriggerState): Exclude<QuartzInstruction, 'smart'> {
  const trigger = innermost(state.trigger)
  if (!(trigger instanceof SimpleTrigger) || trigger.repeatCount === 0) return 'fireNow'
  return trigger.repeatCount === FOREVER ? 'rescheduleNextWithRemainingCount' : 'rescheduleNowWithExistingCount'
}

/**
 * The state of a trigger after a misfire was noticed at `now`. A fire that is due at once has `now` as next fire time, which is no time
 * of its pattern: it is for `stateAfterFire`, not for `resolveMisfires`.
 */
export function stateAfterMisfire(
  state: TriggerState,
  instruction: QuartzInstruction,
  now: number,
  calendar: Calendar | null = null,
): TriggerState {
  const resolved = instruction === 'smart' ? resolveSmart(state) : instruction
  const { trigger } = state
  switch (resolved) {
    case 'ignore':
      return state
    case 'fireNow':
      if (trigger instanceof SimpleTrigger && trigger.repeatCount !== 0) {
        return stateAfterMisfire(state, 'rescheduleNowWithRemainingCount', now, calendar)
      }
      return { ...state, nextFireAt: now }
    case 'skipToNext':
    case 'rescheduleNextWithExistingCount':
      return { ...state, nextFireAt: nextFireTime(state, now, calendar) }
    case 'rescheduleNextWithRemainingCount': {
      const nextFireAt = nextFireTime(state, now, calendar)
      if (nextFireAt === null) return { ...state, nextFireAt }
      return { ...state, nextFireAt, timesTriggered: state.timesTriggered + stepsMissed(state, nextFireAt) }
    }
    case 'rescheduleNowWithExistingCount':
      return restart(state, now, state.timesTriggered)
    case 'rescheduleNowWithRemainingCount':
      return restart(state, now, state.timesTriggered + stepsMissed(state, now))
  }
}

/** Begins a simple trigger anew at `now`, with as many repeats as are left after those that count as used up. */
function restart(state: TriggerState, now: number, used: number): TriggerState {
  const { trigger } = state
  if (!(trigger instanceof SimpleTrigger)) return { ...state, nextFireAt: now }
  const isCounted = trigger.repeatCount > 0
  const repeatCount = isCounted ? Math.max(0, trigger.repeatCount - used) : trigger.repeatCount
  const timesTriggered = isCounted ? 0 : state.timesTriggered
  const isOver = trigger.endAt !== null && trigger.endAt < now
  return {
    ...state,
    trigger: trigger.restarted(isOver ? trigger.startAt : now, repeatCount),
    timesTriggered,
    nextFireAt: isOver ? null : now,
  }
}

function stepsMissed({ trigger, nextFireAt }: TriggerState, until: number): number {
  if (!(trigger instanceof SimpleTrigger) || trigger.intervalMs === 0 || nextFireAt === null) return 0
  return Math.floor((until - nextFireAt) / trigger.intervalMs)
}

/**
 * The state of a trigger whose calendar was replaced at `now`, as Quartz has it: it counts from the last fire, so that what was decided
 * about since comes up again; `resolveMisfires` with the cause `edited` does not do that. What never fired counts from now; an excluded time gives way to the
 * next, and one that is then late by the threshold to the one after it.
 */
export function stateWithNewCalendar(
  state: TriggerState,
  calendar: Calendar | null,
  thresholdMs: number,
  now: number,
): TriggerState {
  const seen = calendar?.inZone(state.trigger.timeZone)
  const after = state.previousFireAt ?? now
  let at = nextFireTime(state, after)
  for (let tries = 0; at !== null && seen && !givesUp(tries, after, at); tries++) {
    const stretch = seen.stretchAt(at)
    if (stretch.isIncluded) return { ...state, nextFireAt: at }
    // What lies ahead may be passed over at once; the past is walked step by step, since a late step takes the one after it along.
    at = nextFireTime(state, at < now ? at : stretch.until - 1)
    if (at !== null && at < now && now - at >= thresholdMs) at = nextFireTime(state, at)
  }
  return { ...state, nextFireAt: seen ? null : at }
}
