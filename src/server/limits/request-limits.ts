import { isIPv6 } from 'node:net'
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
import { type BucketRule, SharedTokens, TokenBuckets } from './shared-tokens.ts'

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

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/** What counts as one address: of version 6 the first 64 bits, because whoever has one of them has them all. */
export function addressGroup(address: string): string {
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const [head = '', tail] = withoutDots(plain.toLowerCase()).split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - start.length - end.length)
  const groups = [...start, ...Array.from({ length: gap }, () => '0'), ...end]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** The last four bytes may be written as those of version 4: two groups that look like one. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.slice(0, 4).map(Number) as [number, number, number, number]
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
}
