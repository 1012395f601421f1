/**
 * The minutes in which a node lived: whoever works notes the minute it is, so that what share of the time somebody did can be told afterwards. They belong to
 * no tenant.
 */
export interface MinuteStore {
  /** Notes the current minute; to do so again changes nothing. */
  mark(): Promise<void>
  /** Of the minutes that are over, how many were noted from the first whole one at or after an instant on. */
  count(since: number): Promise<MinuteCount>
}

export interface MinuteCount {
  readonly now: number
  /** The first minute that is known of; null where none is. */
  readonly firstAt: number | null
  readonly marked: number
}

export const MINUTE_MS = 60_000

/** How long minutes are known: longer than anybody may ask back. */
export const MINUTES_KEPT_MS = 100 * 24 * 60 * MINUTE_MS
