import type { RateVerdict } from './rate-limiter.ts'
import { RequestError } from './request-error.ts'

/** The headers of a verdict for the answer; throws where the request may not go on. */
export function requireRate(verdict: RateVerdict | undefined): Readonly<Record<string, string>> {
  if (verdict === undefined || verdict.isAllowed) return verdict?.headers ?? {}
  throw new RequestError(429, 'rate_limited', 'Too many requests. Try again later.', {
    headers: { ...verdict.headers, 'retry-after': String(Math.max(1, Math.ceil(verdict.retryAfterSeconds))) },
  })
}
