import type { Principal } from '../../access/principal.ts'
import type { Connection } from '../authentication/authenticate.ts'

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
