import { type Duration, parseDuration } from '../../duration.ts'
import { requireInteger, requireOneOf, requireOptions } from '../../time/require.ts'

/** How many attempts of a job type may start within a time. */
export interface RateLimitOptions {
  /** How many attempts may start within any stretch of time of the length `per`. */
  readonly limit: number
  /** Such as `1m`. */
  readonly per: Duration
  /** Whether each tenant has the limit for itself, or all share it. Default `tenant`. */
  readonly by?: 'tenant' | 'type' | undefined
}

/** The options of a rate limit, checked and complete. */
export interface RateLimit {
  readonly limit: number
  readonly perMs: number
  readonly by: 'tenant' | 'type'
}

const MOST = 1_000_000

const LONGEST_MS = 366 * 86_400_000

export function rateLimitOf(options: RateLimitOptions, thing: string): RateLimit {
  requireOptions(options, thing, ['limit', 'per', 'by'])
  return {
    limit: requireInteger(options.limit, `${thing}: limit`, 1, MOST),
    perMs: requireInteger(parseDuration(options.per, `${thing}: per`), `${thing}: per`, 1, LONGEST_MS),
    by: requireOneOf(options.by ?? 'tenant', `${thing}: by`, ['tenant', 'type']),
  }
}

/** Starts that count until their instant plus the length of the window. */
export interface Starts {
  readonly at: number
  readonly count: number
}

export interface StartRequest {
  readonly wanted: number
  readonly limit: number
  readonly perMs: number
  /** How long after the grant the starts may happen, in milliseconds. They count from the end of that time. Default: 0. */
  readonly withinMs?: number | undefined
  /** Starts of an earlier grant that did not happen: they no longer count. Each grant can be returned once. */
  readonly returned?: Starts | undefined
}

export interface StartGrant {
  readonly granted: number
  /** The instant from which the granted starts count; null if none was granted. */
  readonly at: number | null
  /** When more may start; null if more may start now. */
  readonly nextAt: number | null
}

/** Beyond this number of instants, those within one sixty-fourth of the window are merged into the last of them. */
const EXACT = 64

/**
 * Grants starts so that no window of length `perMs` contains more than `limit`, whenever within `withinMs` each of them happens. The list stays small for
 * any limit: merged starts count until the last of them leaves the window, which is never too short.
 */
export function grantStarts(
  known: readonly Starts[],
  { wanted, limit, perMs, withinMs = 0, returned }: StartRequest,
  now: number,
): StartGrant & { readonly starts: readonly Starts[] } {
  const isCounted = ({ at }: Starts) => at + perMs > now
  const counted = withoutReturned(known.filter(isCounted), returned && isCounted(returned) ? returned : undefined)
  const used = usedOf(counted)
  const granted = Math.min(wanted, Math.max(limit - used, 0))
  const starts = granted === 0 ? counted : withStarts(counted, granted, perMs, now + withinMs)
  const at = granted === 0 ? null : (starts.at(-1)?.at ?? null)
  return { granted, at, nextAt: used + granted < limit ? null : freeAt(starts, used + granted - limit, perMs), starts }
}

export function usedOf(starts: readonly Starts[]): number {
  return starts.reduce((sum, { count }) => sum + count, 0)
}

/** Merging moves starts to a later instant, so the first entry that is not earlier contains those that are returned. */
function withoutReturned(counted: readonly Starts[], returned: Starts | undefined): readonly Starts[] {
  const index = returned ? counted.findIndex(({ at }) => at >= returned.at) : -1
  const entry = counted[index]
  if (!returned || !entry) return counted
  const left = { ...entry, count: entry.count - returned.count }
  return left.count > 0 ? counted.with(index, left) : counted.toSpliced(index, 1)
}

/** When `over` starts and one more have left the window. */
function freeAt(starts: readonly Starts[], over: number, perMs: number): number | null {
  let left = over
  for (const { at, count } of starts) {
    left -= count
    if (left < 0) return at + perMs
  }
  return null
}

function withStarts(counted: readonly Starts[], granted: number, perMs: number, startAt: number): readonly Starts[] {
  const newest = counted.at(-1)
  // A clock that was set back must not count the same time twice.
  const at = Math.max(startAt, newest?.at ?? startAt)
  if (!newest || !isSamePart(newest.at, at, counted.length < EXACT ? 1 : Math.ceil(perMs / EXACT))) {
    return [...counted, { at, count: granted }]
  }
  return [...counted.slice(0, -1), { at, count: newest.count + granted }]
}

function isSamePart(a: number, b: number, partMs: number): boolean {
  return Math.floor(a / partMs) === Math.floor(b / partMs)
}
