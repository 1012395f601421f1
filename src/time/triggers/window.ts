import { DAY_MS } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import { FIRST_DAY, LAST_DAY } from '../civil.ts'
import { formatInstant, type Instant, instantOf } from '../instant.ts'

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
