import { DAY_MS } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import type { Calendar } from '../calendars/calendar.ts'
import { FIRST_DAY, LAST_DAY } from '../civil.ts'
import { formatInstant, type Instant, instantOf } from '../instant.ts'
import { type Locale, requireLocale } from '../locale.ts'
import { invalidOption } from '../require.ts'
import { takeStep } from '../search.ts'
import type { TriggerJson } from './json.ts'

/** Instants between which a trigger may fire: from `from` up to, but not including, `until`. */
export interface Window {
  readonly from: number
  readonly until: number
}

/** All instants that have an RFC 3339 form. */
export const ALWAYS: Window = { from: FIRST_DAY * DAY_MS, until: (LAST_DAY + 1) * DAY_MS }

export interface WindowOptions {
  /** Nothing fires before; for triggers that know no part of a second, before its second. */
  readonly startAt?: Instant | undefined
  /** Nothing fires after; whether exactly at it is up to the kind of trigger. */
  readonly endAt?: Instant | undefined
}

export const WINDOW_OPTIONS = ['startAt', 'endAt'] as const

/** The checked bounds of a trigger, as instants. */
export interface Bounds {
  readonly startAt: number | null
  readonly endAt: number | null
}

export function boundsOf(options: WindowOptions): Bounds {
  const startAt = options.startAt === undefined ? null : instantOf(options.startAt, 'startAt')
  const endAt = options.endAt === undefined ? null : instantOf(options.endAt, 'endAt')
  if (startAt !== null && endAt !== null && endAt < startAt) {
    throw new InvalidInputError(
      'trigger.invalid',
      `endAt must not be before startAt, got ${formatInstant(endAt)} before ${formatInstant(startAt)}.`,
      { case: 'window', startAt, endAt },
    )
  }
  return { startAt, endAt }
}

/** The bounds in their stored form; what is not set is left out. */
export function boundsJson({ startAt, endAt }: Bounds): { startAt?: string; endAt?: string } {
  return {
    ...(startAt !== null && { startAt: formatInstant(startAt) }),
    ...(endAt !== null && { endAt: formatInstant(endAt) }),
  }
}

/**
 * A rule that answers when. It is a value: it never changes, keeps no clock and no position; all instants are epoch
 * milliseconds.
 */
export abstract class Trigger {
  abstract readonly type: TriggerJson['type']
  /** The IANA zone the rule is read in. */
  abstract readonly timeZone: string
  /** The start that was set, if any. */
  abstract readonly startAt: number | null
  /** The end that was set, if any. Whether it fires exactly then is up to the kind of trigger. */
  abstract readonly endAt: number | null

  /** Where fire times may lie. A limited number of repeats ends it too. */
  protected abstract get window(): Window
  /** The first time of the pattern after an instant, whatever the window. */
  protected abstract patternAfter(after: number): number | null
  /** The last time of the pattern before an instant, whatever the window. */
  protected abstract patternBefore(before: number): number | null
  /** How many times of the pattern lie from one instant up to another, whatever the window. */
  protected abstract patternCount(from: number, to: number): number

  /** The meaning in words of a known language. */
  protected abstract describeIn(locale: Locale): string
  /** The form for storage and transport; `triggerFrom` reads it back. */
  abstract toJSON(): TriggerJson

  /** The meaning in words. */
  describe(locale: Locale = 'en'): string {
    return this.describeIn(requireLocale(locale))
  }

  /** The first fire time after an instant; null when there is none. */
  next(after: number): number | null {
    takeStep()
    const { from, until } = this.window
    const start = Math.max(requireNumber(after), from - 1)
    if (start >= until - 1) return null
    const at = this.patternAfter(start)
    return at !== null && at < until ? at : null
  }

  /** The last fire time before an instant; null when there is none. */
  previous(before: number): number | null {
    takeStep()
    const { from, until } = this.window
    const end = Math.min(requireNumber(before), until)
    if (end <= from) return null
    const at = this.patternBefore(end)
    return at !== null && at >= from ? at : null
  }

  /** The fire times from one instant up to, but not including, another; found one by one as they are asked for. */
  *between(from: number, to: number): Generator<number, void, undefined> {
    requireNumber(to)
    for (let at = this.next(requireNumber(from) - 1); at !== null && at < to; at = this.next(at)) yield at
  }

  /** The first few fire times after an instant. */
  upcoming(after: number, limit: number): number[] {
    const found: number[] = []
    for (let at = this.next(after); at !== null && found.length < limit; at = this.next(at)) found.push(at)
    return found
  }

  /** How many fire times lie from one instant up to, but not including, another; by arithmetic wherever that is possible. */
  count(from: number, to: number): number {
    const { window } = this
    const first = Math.max(requireNumber(from), window.from)
    const end = Math.min(requireNumber(to), window.until)
    return first < end ? this.patternCount(first, end) : 0
  }
}

function requireNumber(instant: number): number {
  if (typeof instant === 'number' && !Number.isNaN(instant)) return instant
  throw new InvalidInputError(
    'instant.invalid',
    `An instant must be epoch milliseconds, got ${quote(instant)}; a Date has them as getTime().`,
    {
      case: 'milliseconds',
      received: instant,
      accepted: 'epoch milliseconds',
    },
  )
}

export function requireTrigger(value: unknown, name: string): Trigger {
  if (value instanceof Trigger) return value
  throw invalidOption(value, name, 'a trigger', ' cron(…) makes one, triggerFrom reads a stored one.', {
    case: 'trigger',
  })
}

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
