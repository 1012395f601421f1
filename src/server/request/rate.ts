import type { Principal } from '../../access/principal.ts'
import type { Connection } from '../authentication/authenticate.ts'
import { RequestError } from './request-error.ts'

/** The headers of a verdict for the answer; throws where the request may not go on. */
export function requireRate(verdict: RateVerdict | undefined): Readonly<Record<string, string>> {
  if (verdict === undefined || verdict.isAllowed) return verdict?.headers ?? {}
  throw new RequestError(429, 'rate_limited', 'Too many requests. Try again later.', {
    headers: { ...verdict.headers, 'retry-after': String(Math.max(1, Math.ceil(verdict.retryAfterSeconds))) },
  })
}

/** Says whether a request may go on. Asked twice: before anybody knows who asks, and once it is known. */
export interface RateLimiter {
  arrive(connection: Connection): RateVerdict | Promise<RateVerdict>
  admit(principal: Principal): RateVerdict | Promise<RateVerdict>
}

export interface RateVerdict {
  readonly isAllowed: boolean
  /** In how many seconds to try again; only where it is not allowed. */
  readonly retryAfterSeconds: number
  /** `RateLimit`, `RateLimit-Policy` and the like, for the answer. */
  readonly headers: Readonly<Record<string, string>>
}
