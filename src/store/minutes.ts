import { MINUTE_MS } from '../duration.ts'
/**
 * When nodes were active: the minutes, from which the share of the time is computed, and periods to within seconds, which tell an outage from overload. They
 * belong to no tenant.
 */
export interface TenantMinuteStore {
  /** Of the minutes that are over, how many were noted from the first whole one at or after an instant on. */
  count(since: number): Promise<MinuteCount>
  /** The periods that ended after an instant, in the order of their start. They may overlap. */
  active(since: number): Promise<readonly ActivePeriod[]>
}

export interface MinuteStore extends TenantMinuteStore {
  /** Records that the caller is active: the current minute, and the period that the caller names, from its first mark to this one. Default: no period. */
  mark(periodId?: string): Promise<void>
}

/** A period in which a node was active without interruption. */
export interface ActivePeriod {
  readonly from: number
  readonly to: number
}

/** How much of the time between two instants is in none of the periods, in milliseconds. */
export function inactiveMs(periods: readonly ActivePeriod[], from: number, to: number): number {
  let inactive = 0
  let covered = from
  for (const period of periods.toSorted((a, b) => a.from - b.from)) {
    inactive += Math.max(0, Math.min(period.from, to) - covered)
    covered = Math.max(covered, period.to)
  }
  return inactive + Math.max(0, to - covered)
}

export interface MinuteCount {
  readonly now: number
  /** The first minute that is known of; null where none is. */
  readonly firstAt: number | null
  readonly marked: number
}

/** How long minutes and periods are stored: longer than any request may ask back. */
export const MINUTES_KEPT_MS = 100 * 24 * 60 * MINUTE_MS
