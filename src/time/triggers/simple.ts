import { type Duration, parseDuration } from '../../duration.ts'
import { describeSimple } from '../describe/triggers.ts'
import { formatInstant, type Instant, instantOf } from '../instant.ts'
import type { Locale } from '../locale.ts'
import { requireInteger, requireOptions } from '../require.ts'
import type { SimpleTriggerJson } from './json.ts'
import { ALWAYS, type Bounds, boundsJson, boundsOf, Trigger, type Window } from './trigger.ts'

/** The repeat count of a trigger that never stops by itself. */
export const FOREVER = -1

/** From an instant on, at equal distances. */
export interface SimpleOptions {
  /** The first fire time; all others count from it. */
  readonly startAt: Instant
  /** Time between two fire times, such as `'90s'`. May be left out where it fires only once. */
  readonly interval?: Duration | undefined
  /** How often it fires after the first time. Default: for ever with an interval, else 0. */
  readonly repeatCount?: number | undefined
  /** Nothing fires at or after. */
  readonly endAt?: Instant | undefined
}

const SIMPLE_OPTIONS = ['startAt', 'interval', 'repeatCount', 'endAt'] as const

/** Fires at `startAt` and then every `interval` of elapsed time, whatever clocks on the wall do. */
export function simple(options: SimpleOptions): SimpleTrigger {
  return new SimpleTrigger(options)
}

/** What `simple(…)` gives. */
export class SimpleTrigger extends Trigger {
  readonly type = 'simple'
  readonly timeZone = 'UTC'
  readonly startAt: number
  readonly intervalMs: number
  readonly repeatCount: number
  readonly #bounds: Bounds
  protected readonly window: Window

  constructor(options: SimpleOptions) {
    super()
    requireOptions(options, 'Simple trigger', SIMPLE_OPTIONS)
    this.#bounds = boundsOf(options)
    this.startAt = instantOf(options.startAt, 'startAt')
    this.intervalMs = options.interval === undefined ? 0 : parseDuration(options.interval, 'interval')
    this.repeatCount = requireInteger(
      options.repeatCount ?? (this.intervalMs > 0 ? FOREVER : 0),
      'repeatCount',
      FOREVER,
    )
    if (this.repeatCount !== 0) requireInteger(this.intervalMs, 'interval of a trigger that repeats', 1)
    const { endAt } = this.#bounds
    const lastAt = this.repeatCount === FOREVER ? ALWAYS.until : this.startAt + this.repeatCount * this.intervalMs
    this.window = { from: this.startAt, until: Math.min(endAt ?? ALWAYS.until, lastAt + 1, ALWAYS.until) }
  }

  get endAt(): number | null {
    return this.#bounds.endAt
  }

  /**
   * The same trigger counted anew: from another start, with another number of repeats.
   * @internal
   */
  restarted(startAt: number, repeatCount: number): SimpleTrigger {
    const { endAt } = this.#bounds
    return new SimpleTrigger({ startAt, interval: this.intervalMs, repeatCount, endAt: endAt ?? undefined })
  }

  protected patternAfter(after: number): number | null {
    if (after < this.startAt) return this.startAt
    if (this.intervalMs === 0) return null
    return this.startAt + (Math.floor((after - this.startAt) / this.intervalMs) + 1) * this.intervalMs
  }

  protected patternBefore(before: number): number | null {
    if (before <= this.startAt) return null
    if (this.intervalMs === 0) return this.startAt
    return this.startAt + (Math.ceil((before - this.startAt) / this.intervalMs) - 1) * this.intervalMs
  }

  protected patternCount(from: number, to: number): number {
    return this.#indexAtOrAfter(to) - this.#indexAtOrAfter(from)
  }

  #indexAtOrAfter(instant: number): number {
    if (instant <= this.startAt) return 0
    return this.intervalMs === 0 ? 1 : Math.ceil((instant - this.startAt) / this.intervalMs)
  }

  protected describeIn(locale: Locale): string {
    return describeSimple(this.intervalMs, this.repeatCount, this.startAt, locale)
  }

  toJSON(): SimpleTriggerJson {
    return {
      type: 'simple',
      intervalMs: this.intervalMs,
      repeatCount: this.repeatCount,
      ...boundsJson(this.#bounds),
      startAt: formatInstant(this.startAt),
    }
  }
}
