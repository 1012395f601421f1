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
export interface Taken {
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
