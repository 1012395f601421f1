import { CalendaredTrigger } from './calendared.ts'
import { JitteredTrigger } from './jittered.ts'
import { RolledTrigger } from './rolled.ts'
import type { Trigger } from './trigger.ts'

/** The trigger itself, without the calendar and the jitter around it. */
export function innermost(trigger: Trigger): Trigger {
  const isWrapped =
    trigger instanceof JitteredTrigger || trigger instanceof CalendaredTrigger || trigger instanceof RolledTrigger
  return isWrapped ? innermost(trigger.trigger) : trigger
}
