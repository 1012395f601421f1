import { createHash } from 'node:crypto'
import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { RateStore } from '../../store/rates.ts'

/** So many at once, and as many again in every window. */
export interface BucketRule {
  readonly limit: number
  readonly windowMs: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** What became of taking a token, and what the bucket holds now. */
interface Taken {
  readonly isTaken: boolean
  readonly remaining: number
  /** Until there is one to be taken. */
  readonly waitMs: number
  readonly fullInMs: number
}

const MOST_BUCKETS = 100_000

/** Buckets that fill with time, one for each name. */
export class TokenBuckets {
  readonly rule: BucketRule
  readonly #buckets = new Map<string, Bucket>()

  constructor(rule: BucketRule) {
    this.rule = rule
  }

  take(name: string, now: number): Taken {
    const bucket = this.#filled(name, now)
    const isTaken = bucket.tokens >= 1
    if (isTaken) bucket.tokens -= 1
    // The one that was used longest ago stands first: it has filled again most, so that to forget it gives away least.
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    if (this.#buckets.size > MOST_BUCKETS) this.#dropOldest()

    const { limit, windowMs } = this.rule
    const perTokenMs = windowMs / limit
    return {
      isTaken,
      remaining: Math.floor(bucket.tokens),
      waitMs: Math.max(0, 1 - bucket.tokens) * perTokenMs,
      fullInMs: (limit - bucket.tokens) * perTokenMs,
    }
  }

  #filled(name: string, now: number): Bucket {
    const { limit, windowMs } = this.rule
    const bucket = this.#buckets.get(name)
    if (!bucket) return { tokens: limit, filledAt: now }
    bucket.tokens = Math.min(limit, bucket.tokens + (Math.max(0, now - bucket.filledAt) * limit) / windowMs)
    bucket.filledAt = now
    return bucket
  }

  #dropOldest(): void {
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}

interface SharedTokensOptions {
  readonly policy: string
  readonly rule: BucketRule
  readonly rates: RateStore
  readonly env: Env
  readonly logger: Logger
}

/** What one process holds of a name's tokens. */
interface Share {
  /** Taken from the store, and not used yet. */
  tokens: number
  /** From then on they are not used any more: the store has begun to forget them. */
  endsAt: number
  /** How many to take next time. */
  batch: number
  /** Used since the window began, and not told to the store yet. */
  untold: number
  windowAt: number
  /** Until then there are none, and nobody asks. */
  emptyUntil: number
  asking: Promise<void> | null
}

/** Few enough that together with those of other processes they are hardly more than the limit. */
const UNTOLD_SHARE = 50
const BATCH_SHARE = 50
const HELD_MS = 5_000

/** However many are refused, the store is asked this often at most. */
const SHORTEST_WAIT_MS = 250

/** How long a store that failed is left alone. */
const RESPITE_MS = 5_000
const MOST_SHARES = 100_000

/** What a store can count to. */
const MOST_COUNTED = 2 ** 31 - 1

/**
 * Tokens that all processes of a service take from one store, so that together they keep a limit. Each takes as many at a time as it is likely to use soon,
 * and who asks seldom is not counted there at all: a fiftieth of a limit is used before the store is told.
 */
export class SharedTokens {
  readonly #options: SharedTokensOptions
  readonly #shares = new Map<string, Share>()
  #awayUntil = Number.NEGATIVE_INFINITY

  constructor(options: SharedTokensOptions) {
    this.#options = options
  }

  /** How long until there is a token; 0 where one was taken. While the store is away every one is given: then each process counts for itself. */
  take(name: string): number | Promise<number> {
    const share = this.#shareOf(name)
    return this.#takeHeld(share) ?? this.#takeAsked(name, share)
  }

  #takeHeld(share: Share): number | null {
    const now = this.#options.env.monotonic()
    if (share.tokens > 0 && now < share.endsAt) {
      share.tokens -= 1
      return 0
    }
    if (now < share.emptyUntil) return share.emptyUntil - now
    const { limit, windowMs } = this.#options.rule
    if (now - share.windowAt >= windowMs) {
      share.windowAt = now
      share.untold = 0
    }
    if (now >= this.#awayUntil && share.untold >= Math.floor(limit / UNTOLD_SHARE)) return null
    share.untold += 1
    return 0
  }

  async #takeAsked(name: string, share: Share): Promise<number> {
    for (;;) {
      share.asking ??= this.#ask(name, share).finally(() => {
        share.asking = null
      })
      await share.asking
      const waitMs = this.#takeHeld(share)
      if (waitMs !== null) return waitMs
    }
  }

  async #ask(name: string, share: Share): Promise<void> {
    const { env, rates, logger, policy, rule } = this.#options
    const [now, { untold }] = [env.monotonic(), share]
    this.#resize(share)
    try {
      const wanted = Math.min(untold + share.batch, MOST_COUNTED)
      const request = { wanted, limit: Math.min(rule.limit, MOST_COUNTED), perMs: rule.windowMs }
      // No job type begins with a space.
      const [grant] = await rates.acquire([{ ...request, jobType: ` api.${policy}`, tenant: hashOf(name) }])
      const granted = grant?.granted ?? 0
      share.tokens = Math.max(0, granted - untold)
      share.untold = Math.max(0, share.untold - granted)
      share.endsAt = now + HELD_MS
      if (share.tokens > 0) return
      const waitMs = grant?.nextAt == null ? SHORTEST_WAIT_MS : grant.nextAt - env.now()
      share.emptyUntil = now + Math.min(rule.windowMs, Math.max(SHORTEST_WAIT_MS, waitMs))
    } catch (error) {
      this.#awayUntil = now + RESPITE_MS
      logger.warn('Requests are counted by each process for itself: the store does not answer', { policy, error })
    }
  }

  /** More where the last ones did not last, fewer where some were left over. */
  #resize(share: Share): void {
    const most = Math.max(1, Math.floor(this.#options.rule.limit / BATCH_SHARE))
    share.batch = Math.min(most, share.tokens === 0 ? share.batch * 2 : Math.max(1, share.batch - share.tokens))
  }

  #shareOf(name: string): Share {
    const share = this.#shares.get(name) ?? {
      tokens: 0,
      endsAt: 0,
      batch: 1,
      untold: 0,
      windowAt: this.#options.env.monotonic(),
      emptyUntil: 0,
      asking: null,
    }
    // The one that was used longest ago stands first, and is forgotten first.
    this.#shares.delete(name)
    this.#shares.set(name, share)
    if (this.#shares.size > MOST_SHARES) {
      const [oldest] = this.#shares.keys()
      if (oldest !== undefined) this.#shares.delete(oldest)
    }
    return share
  }
}

/** The store need not know addresses and people, only that they are the same. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
