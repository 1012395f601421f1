import { type Duration, parseDuration } from '../../duration.ts'
import { describeJitter } from '../describe/triggers.ts'
import type { Locale } from '../locale.ts'
import { requireInteger, requireOptions, requireText } from '../require.ts'
import { spread } from '../spread.ts'
import type { JitteredTriggerJson } from './json.ts'
import { type Trigger, WrappedTrigger } from './trigger.ts'

/** By how much fire times are spread, and by what. */
export interface JitterOptions {
  /** The spread: every fire time is later by the same amount, from 0 up to, but not including, this. */
  readonly within: Duration
  /** What the amount depends on, usually the name of the job: equal on every node and after every restart. */
  readonly identity: string
}

/** The same trigger, later by an amount of the job's own, so that a thousand `0 * * * *` do not fire in one instant. */
export function withJitter(trigger: Trigger, options: JitterOptions): JitteredTrigger {
  const { within, identity } = requireOptions(options, 'Jitter', ['within', 'identity'])
  return new JitteredTrigger(trigger, parseDuration(within, 'within'), identity)
}

/** As far as a hash of 32 bits spreads. */
const LONGEST_MS = 2 ** 32 - 1

/** What `withJitter(…)` gives. */
export class JitteredTrigger extends WrappedTrigger {
  readonly type = 'jittered'
  readonly calendar = null
  readonly withinMs: number
  readonly identity: string
  readonly offsetMs: number

  constructor(trigger: Trigger, withinMs: number, identity: string) {
    super(trigger)
    this.withinMs = requireInteger(withinMs, 'within', 1, LONGEST_MS)
    this.identity = requireText(identity, 'identity')
    this.offsetMs = spread(identity, this.withinMs)
  }

  override get startAt(): number | null {
    return this.trigger.startAt === null ? null : this.trigger.startAt + this.offsetMs
  }

  override get endAt(): number | null {
    return this.trigger.endAt === null ? null : this.trigger.endAt + this.offsetMs
  }

  protected patternAfter(after: number): number | null {
    const at = this.trigger.next(after - this.offsetMs)
    return at === null ? null : at + this.offsetMs
  }

  protected patternBefore(before: number): number | null {
    const at = this.trigger.previous(before - this.offsetMs)
    return at === null ? null : at + this.offsetMs
  }

  protected patternCount(from: number, to: number): number {
    return this.trigger.count(from - this.offsetMs, to - this.offsetMs)
  }

  protected describeIn(locale: Locale): string {
    return describeJitter(this.trigger.describe(locale), this.offsetMs, locale)
  }

  toJSON(): JitteredTriggerJson {
    return { type: 'jittered', trigger: this.trigger.toJSON(), withinMs: this.withinMs, identity: this.identity }
  }
}
