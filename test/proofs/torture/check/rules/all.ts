import type { Rule } from '../rule.ts'
import { COUNTED_ATTEMPTS, POISON } from './attempts.ts'
import { TOLD_ONCE, UNBROKEN_CHAIN } from './audit.ts'
import { CALLED_OFF } from './cancels.ts'
import { CLOCKS_DO_NOT_MATTER } from './clocks.ts'
import { NOT_BEFORE_DUE } from './due.ts'
import { BOOKED_ONCE, PERFORMED_ONCE, REPLAYED_ALIKE } from './durable.ts'
import { ENDED_ONCE, KEPT, NOTHING_LEFT } from './ending.ts'
import { ACCOUNTED_FOR, FIRED_ONCE } from './firing.ts'
import { LATE_ENDS, NO_LATE_WORD, ONE_HOLDER } from './holding.ts'
import { ONE_KEY } from './keys.ts'
import { NO_OVERLAP, NO_SLOT_LEFT, WITHIN_LIMIT, WITHIN_LIMIT_WHEN_LOOKED_AT } from './limits.ts'
import { HEARD_ONCE } from './signals.ts'
import { TAKEN_OVER } from './takeover.ts'
import { NEVER_EARLY } from './timers.ts'

/** All that has to hold, in the order of the invariants. */
export const ALL_RULES: readonly Rule[] = [
  FIRED_ONCE,
  ACCOUNTED_FOR,
  ONE_HOLDER,
  NO_LATE_WORD,
  LATE_ENDS,
  ENDED_ONCE,
  KEPT,
  ONE_KEY,
  TAKEN_OVER,
  COUNTED_ATTEMPTS,
  POISON,
  PERFORMED_ONCE,
  BOOKED_ONCE,
  REPLAYED_ALIKE,
  NEVER_EARLY,
  HEARD_ONCE,
  WITHIN_LIMIT,
  WITHIN_LIMIT_WHEN_LOOKED_AT,
  NO_SLOT_LEFT,
  NO_OVERLAP,
  CALLED_OFF,
  NOT_BEFORE_DUE,
  CLOCKS_DO_NOT_MATTER,
  TOLD_ONCE,
  UNBROKEN_CHAIN,
  NOTHING_LEFT,
]
