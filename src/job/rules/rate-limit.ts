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
