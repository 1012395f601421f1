import type { Principal } from '../../access/principal.ts'
import { type Env, systemEnv } from '../../clock.ts'
import { MINUTE_MS } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { type Logger, silentLogger } from '../../logger.ts'
import type { RateStore } from '../../store/rates.ts'
import { requireOptions } from '../../time/require.ts'
import type { Connection } from '../authentication/authenticate.ts'
import type { RateLimiter, RateVerdict } from '../request/rate.ts'
import { RequestError } from '../request/request-error.ts'
import { addressGroup } from './address-group.ts'
import { SharedTokens } from './shared-tokens.ts'
import { type BucketRule, TokenBuckets } from './token-bucket.ts'

/** How many requests are taken in a minute, by all processes of a service together. */
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

const PASSED: RateVerdict = { isAllowed: true, retryAfterSeconds: 0, headers: {} }

type Policy = 'address' | 'user' | 'tenant' | 'refusals'

interface LimitSurroundings {
  readonly env?: Env | undefined
  readonly logger?: Logger | undefined
  /** Where processes count together; without it each counts for itself. */
  readonly rates?: RateStore | undefined
}

type Buckets = Readonly<Record<Policy, TokenBuckets>>

/** Counts requests by where they come from and by who makes them. */
export class RequestLimits implements RateLimiter {
  readonly #env: Env
  readonly #buckets: Buckets
  readonly #shared: Readonly<Record<Policy, SharedTokens>> | null

  constructor(options: LimitOptions = {}, { env = systemEnv, logger = silentLogger, rates }: LimitSurroundings = {}) {
    this.#env = env
    this.#buckets = checkLimits(options)
    const shared = (policy: Policy): SharedTokens | null =>
      rates ? new SharedTokens({ policy, rule: this.#buckets[policy].rule, rates, env, logger }) : null
    const [address, user, tenant, refusals] = [shared('address'), shared('user'), shared('tenant'), shared('refusals')]
    this.#shared = address && user && tenant && refusals ? { address, user, tenant, refusals } : null
  }

  /** Where nobody knows an address there is none to count. */
  arrive({ address }: Connection): RateVerdict | Promise<RateVerdict> {
    return address === null ? PASSED : this.#take('address', addressGroup(address))
  }

  /** The tenant's is asked first, so that a person who is refused with all others has lost nothing of his own. */
  async admit({ tenant, userId }: Principal): Promise<RateVerdict> {
    const ofTenant = await this.#take('tenant', tenant)
    return ofTenant.isAllowed ? await this.#take('user', JSON.stringify([tenant, userId])) : ofTenant
  }

  /**
   * Somebody has shown credentials that do not hold; throws where that was too often. Only those are slowed down: behind the same address may be others
   * whose credentials hold.
   */
  async refused({ address }: Connection): Promise<void> {
    if (address === null) return
    const { isAllowed, retryAfterSeconds, headers } = await this.#take('refusals', addressGroup(address))
    if (isAllowed) return
    throw new RequestError(429, 'rate_limited', 'Too many requests with credentials that are not valid.', {
      headers: { ...headers, 'retry-after': String(retryAfterSeconds) },
      details: { case: 'refusals' },
    })
  }

  /** What this process has counted is looked at first: who is over the limit here alone is over it. */
  #take(policy: Policy, name: string): RateVerdict | Promise<RateVerdict> {
    const { rule } = this.#buckets[policy]
    const { isTaken, remaining, waitMs, fullInMs } = this.#buckets[policy].take(name, this.#env.monotonic())
    if (!isTaken) return refusedVerdict(policy, rule, waitMs)
    const allowed = verdictOf(policy, rule, remaining, fullInMs)
    const sharedWaitMs = this.#shared?.[policy].take(name) ?? 0
    if (sharedWaitMs === 0) return allowed
    if (typeof sharedWaitMs === 'number') return refusedVerdict(policy, rule, sharedWaitMs)
    return sharedWaitMs.then((ms) => (ms === 0 ? allowed : refusedVerdict(policy, rule, ms)))
  }
}

function refusedVerdict(policy: Policy, rule: BucketRule, waitMs: number): RateVerdict {
  const { headers } = verdictOf(policy, rule, 0, waitMs)
  return { isAllowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)), headers }
}

function verdictOf(policy: Policy, { limit, windowMs }: BucketRule, remaining: number, inMs: number): RateVerdict {
  return {
    isAllowed: true,
    retryAfterSeconds: 0,
    headers: {
      'ratelimit-policy': `"${policy}";q=${limit};w=${windowMs / 1_000}`,
      ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(inMs / 1_000)}`,
    },
  }
}

/** The limits as buckets; throws where one cannot be. */
export function checkLimits(options: LimitOptions = {}): Buckets {
  requireOptions(options, 'limits', ['perAddress', 'perUser', 'perTenant', 'refusals'])
  return {
    address: bucketsOf('perAddress', options.perAddress ?? 6_000),
    user: bucketsOf('perUser', options.perUser ?? 3_000),
    tenant: bucketsOf('perTenant', options.perTenant ?? 15_000),
    refusals: bucketsOf('refusals', options.refusals ?? 30),
  }
}

function bucketsOf(name: keyof LimitOptions, limit: number): TokenBuckets {
  if (Number.isSafeInteger(limit) && limit > 0) return new TokenBuckets({ limit, windowMs: MINUTE_MS })
  const message = `limits.${name} must be a whole number of requests a minute, at least 1, got ${quote(limit)}.`
  throw new InvalidInputError('limits.invalid', message)
}
