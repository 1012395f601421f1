/** Results that stand in for runs with an equal input, within tenant and job type. They outlive the executions that made them. */
export interface CacheStore {
  /** Of these places, what counts by now. */
  find(places: readonly CachePlace[]): Promise<CachedResult[]>
  /**
   * Keeps the output of executions that have succeeded, for so long from their end. Of two at one place the one that ended last stays. What
   * has not succeeded, or is gone, is left out.
   */
  put(results: readonly NewCachedResult[]): Promise<void>
  /** Removes what is kept of a tenant and job type, or at one place, at most `limit`. Returns how many, also of those that no longer count. */
  clear(filter: CacheFilter, limit: number): Promise<number>
}

/** Where a result is kept. */
export interface CachePlace {
  readonly tenant: string
  readonly jobType: string
  /** SHA-256 of what makes inputs equal, in hexadecimal digits. */
  readonly hash: string
}

export interface CachedResult extends CachePlace {
  /** The execution that made it. */
  readonly executionId: string
  /** As stored. */
  readonly output: string | null
}

export interface NewCachedResult extends CachePlace {
  readonly executionId: string
  readonly ttlMs: number
}

export interface CacheFilter extends Omit<CachePlace, 'hash'> {
  readonly hash?: string | undefined
}
