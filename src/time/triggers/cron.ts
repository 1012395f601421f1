import { type CronParseOptions, type ParsedCron, parseCron } from '../cron/parse.ts'
import { type GapRule, type OverlapRule, ZonedTimes } from '../cron/zoned-times.ts'
import { describeCron } from '../describe/cron.ts'
import type { Locale } from '../locale.ts'
import { requireOneOf, requireOptions } from '../require.ts'
import { zoneOf } from '../zone.ts'
import type { CronTriggerJson } from './json.ts'
import {
  ALWAYS,
  type Bounds,
  boundsJson,
  boundsOf,
  Trigger,
  WINDOW_OPTIONS,
  type Window,
  type WindowOptions,
} from './trigger.ts'

/** How a cron expression is read, where, and from when until when. */
export interface CronOptions extends CronParseOptions, WindowOptions {
  /** IANA zone the expression is read in. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** For a match that the clock goes forward over. Default `shift`: it fires at the first instant after the gap. */
  readonly gap?: GapRule | undefined
  /**
   * For a match in an hour that comes twice. Default: an expression that repeats within the day (`*\/5 * * * *`) fires in both,
   * one with fixed times (`30 1 * * *`) once, in the first.
   */
  readonly overlap?: OverlapRule | undefined
}

const CRON_OPTIONS = ['timeZone', 'fields', 'dayRule', 'gap', 'overlap', 'identity', ...WINDOW_OPTIONS] as const

/**
 * Fires when a cron expression matches: five fields, or six with seconds first; names, ranges, lists, steps, macros,
 * `L`, `W`, `#`, `?`, and `H` with an identity.
 *
 * ```ts
 * cron('0 9 * * 1-5', { timeZone: 'America/Sao_Paulo' }).next(Date.now())
 * ```
 */
export function cron(expression: string, options: CronOptions = {}): CronTrigger {
  return new CronTrigger(expression, options)
}

/** What `cron(…)` gives. */
export class CronTrigger extends Trigger {
  readonly type = 'cron'
  /** The expression as it was written. */
  readonly expression: string
  readonly timeZone: string
  readonly #options: CronOptions
  readonly #parsed: ParsedCron
  readonly #times: ZonedTimes
  readonly #bounds: Bounds
  protected readonly window: Window

  constructor(expression: string, options: CronOptions) {
    super()
    requireOptions(options, 'Cron trigger', CRON_OPTIONS)
    const zone = zoneOf(options.timeZone)
    this.expression = expression
    this.timeZone = zone.id
    const { fields, dayRule, gap, overlap, identity } = options
    this.#options = { fields, dayRule, gap, overlap, identity }
    this.#parsed = parseCron(expression, { fields, dayRule, identity })
    const gapRule = requireOneOf(gap ?? 'shift', 'gap', ['shift', 'skip'])
    const usual = this.#parsed.isInterval ? 'both' : 'first'
    const overlapRule = requireOneOf(overlap ?? usual, 'overlap', ['first', 'last', 'both'])
    this.#times = new ZonedTimes(this.#parsed.times, zone, gapRule, overlapRule)
    this.#bounds = boundsOf(options)
    const { startAt, endAt } = this.#bounds
    this.window = {
      // An expression knows no part of a second: one that starts within a second takes that second.
      from: startAt === null ? ALWAYS.from : Math.floor(startAt / 1000) * 1000,
      until: endAt === null ? ALWAYS.until : endAt + 1,
    }
  }

  get startAt(): number | null {
    return this.#bounds.startAt
  }

  get endAt(): number | null {
    return this.#bounds.endAt
  }

  /** Whether it can never fire, as `0 0 30 2 *`. */
  get isNever(): boolean {
    return this.#parsed.isNever
  }

  /**
   * The first fire time at or after an instant, without what a gap shifted to exactly that instant.
   * @internal
   */
  nextInclusive(from: number): number | null {
    const at = from >= this.window.from && from < this.window.until ? this.#times.next(from, true) : this.next(from)
    return at !== null && at < this.window.until ? at : null
  }

  protected patternAfter(after: number): number | null {
    return this.#parsed.isNever ? null : this.#times.next(after, false)
  }

  protected patternBefore(before: number): number | null {
    return this.#parsed.isNever ? null : this.#times.previous(before)
  }

  protected patternCount(from: number, to: number): number {
    return this.#parsed.isNever ? 0 : this.#times.count(from, to)
  }

  protected describeIn(locale: Locale): string {
    return describeCron(this.#parsed.expression, this.#options.dayRule ?? 'or', locale)
  }

  toJSON(): CronTriggerJson {
    const { fields, dayRule, gap, overlap, identity } = this.#options
    return {
      type: 'cron',
      expression: this.expression,
      timeZone: this.timeZone,
      ...(fields !== undefined && { fields }),
      ...(dayRule !== undefined && { dayRule }),
      ...(gap !== undefined && { gap }),
      ...(overlap !== undefined && { overlap }),
      ...(identity !== undefined && { identity }),
      ...boundsJson(this.#bounds),
    }
  }
}
