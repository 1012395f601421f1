/** How many attempts started up to an instant, since the one before it in the list. */
export interface Starts {
  readonly at: number
  readonly count: number
}

export interface StartRequest {
  readonly wanted: number
  readonly limit: number
  readonly perMs: number
}

export interface StartGrant {
  readonly granted: number
  /** When more may start; null: now. */
  readonly nextAt: number | null
}

/** So many instants are kept as they are; beyond, those of one part in so many of the time are kept as their last. */
const EXACT = 64

/**
 * Grants starts, so that no stretch of time holds more than the limit. What is kept stays small whatever the limit is: then starts that are close
 * together count until the last of them is past, which is never too short.
 */
export function grantStarts(
  known: readonly Starts[],
  { wanted, limit, perMs }: StartRequest,
  now: number,
): StartGrant & { readonly starts: readonly Starts[] } {
  const counted = known.filter(({ at }) => at + perMs > now)
  const used = counted.reduce((sum, { count }) => sum + count, 0)
  const granted = Math.min(wanted, Math.max(limit - used, 0))
  const starts = granted === 0 ? counted : withStarts(counted, granted, perMs, now)
  return { granted, nextAt: used + granted < limit ? null : freeAt(starts, used + granted - limit, perMs), starts }
}

/** When so many and one more are past. */
function freeAt(starts: readonly Starts[], over: number, perMs: number): number | null {
  let left = over
  for (const { at, count } of starts) {
    left -= count
    if (left < 0) return at + perMs
  }
  return null
}

function withStarts(counted: readonly Starts[], granted: number, perMs: number, now: number): readonly Starts[] {
  const newest = counted.at(-1)
  // A clock that was set back must not let time run twice.
  const at = Math.max(now, newest?.at ?? now)
  if (!newest || !isSamePart(newest.at, at, counted.length < EXACT ? 1 : Math.ceil(perMs / EXACT))) {
    return [...counted, { at, count: granted }]
  }
  return [...counted.slice(0, -1), { at, count: newest.count + granted }]
}

function isSamePart(a: number, b: number, partMs: number): boolean {
  return Math.floor(a / partMs) === Math.floor(b / partMs)
}
