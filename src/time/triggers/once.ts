import { describeOnce } from '../describe/triggers.ts'
import { formatInstant, type Instant, instantOf } from '../instant.ts'
import type { Locale } from '../locale.ts'
import type { OnceTriggerJson } from './json.ts'
import { Trigger, type Window } from './trigger.ts'

/** Fires once, at an instant. It is never skipped as a misfire: however late, it fires. */
export function once(at: Instant): OnceTrigger {
  return new OnceTrigger(instantOf(at, 'at'))
}

/** What `once(…)` gives. */
export class OnceTrigger extends Trigger {
  readonly type = 'once'
  readonly timeZone = 'UTC'
  readonly startAt = null
  readonly endAt = null
  readonly at: number
  protected readonly window: Window

  constructor(at: number) {
    super()
    this.at = at
    this.window = { from: at, until: at + 1 }
  }

  protected patternAfter(after: number): number | null {
    return after < this.at ? this.at : null
  }

  protected patternBefore(before: number): number | null {
    return before > this.at ? this.at : null
  }

  protected patternCount(from: number, to: number): number {
    return from <= this.at && this.at < to ? 1 : 0
  }

  protected describeIn(locale: Locale): string {
    return describeOnce(this.at, locale)
  }

  toJSON(): OnceTriggerJson {
    return { type: 'once', at: formatInstant(this.at) }
  }
}
