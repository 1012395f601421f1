import type { Principal } from '../../access/principal.ts'
import { type Env, systemEnv } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { requireOptions } from '../../time/require.ts'
import type { Connection } from '../authenticate.ts'
import type { RateLimiter, RateVerdict } from '../rate-limiter.ts'
import { RequestError } from '../request-error.ts'
import { addressGroup } from './address-group.ts'
import { TokenBuckets } from './token-bucket.ts'

/** How many requests this process takes in a minute. Several processes behind one address each count for themselves. */
export interface LimitOptions {
  /** From one address. Default 6,000. */
  readonly perAddress?: number | undefined
  /** Of one person or key. Default 3,000. */
  readonly perUser?: number | undefined
  /** Of a whole tenant. Default 15,000. */
  readonly perTenant?: number | undefined
  /** With credentials that do not hold, from one address. Default 30. */
  readonly refusals?: number | undefined
}

const MINUTE_MS = 60_000
const PASSED: RateVerdict = { isAllowed: true, retryAfterSeconds: 0, headers: {} }

type Policy = 'address' | 'user' | 'tenant' | 'refusals'

/** Counts requests by where they come from and by who makes them. */
export class RequestLimits implements RateLimiter {
  readonly #env: Env
  readonly #buckets: Readonly<Record<Policy, TokenBuckets>>

  constructor(options: LimitOptions = {}, env: Env = systemEnv) {
    requireOptions(options, 'limits', ['perAddress', 'perUser', 'perTenant', 'refusals'])
    this.#env = env
    this.#buckets = {
      address: bucketsOf('perAddress', options.perAddress ?? 6_000),
      user: bucketsOf('perUser', options.perUser ?? 3_000),
      tenant: bucketsOf('perTenant', options.perTenant ?? 15_000),
      refusals: bucketsOf('refusals', options.refusals ?? 30),
    }
  }

  /** Where nobody knows an address there is none to count. */
  arrive({ address }: Connection): RateVerdict {
    return address === null ? PASSED : this.#take('address', addressGroup(address))
  }

  /** The tenant's is asked first, so that a person who is refused with all others has lost nothing of his own. */
  admit({ tenant, userId }: Principal): RateVerdict {
    const ofTenant = this.#take('tenant', tenant)
    return ofTenant.isAllowed ? this.#take('user', JSON.stringify([tenant, userId])) : ofTenant
  }

  /**
   * Somebody has shown credentials that do not hold; throws where that was too often. Only those are slowed down: behind the same address may be others
   * whose credentials hold.
   */
  refused({ address }: Connection): void {
    if (address === null) return
    const { isAllowed, retryAfterSeconds, headers } = this.#take('refusals', addressGroup(address))
    if (isAllowed) return
    throw new RequestError(429, 'rate_limited', 'Too many requests with credentials that are not valid.', {
      headers: { ...headers, 'retry-after': String(retryAfterSeconds) },
    })
  }

  #take(policy: Policy, name: string): RateVerdict {
    const { rule } = this.#buckets[policy]
    const { isTaken, remaining, waitMs, fullInMs } = this.#buckets[policy].take(name, this.#env.monotonic())
    const seconds = Math.ceil((isTaken ? fullInMs : waitMs) / 1_000)
    return {
      isAllowed: isTaken,
      retryAfterSeconds: isTaken ? 0 : Math.max(1, seconds),
      headers: {
        'ratelimit-policy': `"${policy}";q=${rule.limit};w=${rule.windowMs / 1_000}`,
        ratelimit: `"${policy}";r=${remaining};t=${seconds}`,
      },
    }
  }
}

function bucketsOf(name: keyof LimitOptions, limit: number): TokenBuckets {
  if (Number.isSafeInteger(limit) && limit > 0) return new TokenBuckets({ limit, windowMs: MINUTE_MS })
  const message = `limits.${name} must be a whole number of requests a minute, at least 1, got ${quote(limit)}.`
  throw new InvalidInputError('limits.invalid', message)
}
