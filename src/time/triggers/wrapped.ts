import type { Calendar } from '../calendars/calendar.ts'
import { requireTrigger, Trigger } from './trigger.ts'
import { ALWAYS, type Window } from './window.ts'

/** A trigger around another, whose fire times it moves or leaves out. */
export abstract class WrappedTrigger extends Trigger {
  readonly trigger: Trigger
  /** What leaves fire times out, if anything does. */
  abstract readonly calendar: Calendar | null
  protected readonly window: Window = ALWAYS

  constructor(trigger: Trigger) {
    super()
    this.trigger = requireTrigger(trigger, 'trigger')
  }

  get timeZone(): string {
    return this.trigger.timeZone
  }

  get startAt(): number | null {
    return this.trigger.startAt
  }

  get endAt(): number | null {
    return this.trigger.endAt
  }
}

/** The trigger itself, without what is around it. */
export function innermost(trigger: Trigger): Trigger {
  return trigger instanceof WrappedTrigger ? innermost(trigger.trigger) : trigger
}
