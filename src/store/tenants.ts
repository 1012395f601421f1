/** Tenants and how many of their executions may run at once, over all nodes. A tenant is known from its first execution or setting on. */
export interface TenantLimitStore {
  /**
   * Changes how many executions of tenants may run at once. From then on nothing is claimed beyond it; what runs already goes on, and counts.
   */
  limit(limits: readonly TenantLimit[]): Promise<void>
  /** In the order of their names. */
  list(filter: TenantFilter): Promise<TenantRecord[]>
}

export interface LimitStore extends TenantLimitStore {
  /** How many of each tenant that has no limit of its own may run at once; null for any number. Holds as `limit` does. */
  limitOthers(concurrency: number | null): Promise<void>
  /** The largest limit of any tenant, and of those that have none of their own; null where there is none. */
  largestLimit(): Promise<number | null>
}

/** How many executions may run at once: null where the default holds. */
export type TenantConcurrency = number | 'unlimited' | null

interface TenantLimit {
  readonly tenant: string
  readonly concurrency: TenantConcurrency
}

/** Which tenants are asked for. */
export interface TenantFilter {
  readonly limit: number
  /** Continue after this name. */
  readonly after?: string | undefined
}

/** A tenant with its limit. */
export interface TenantRecord extends TenantLimit {
  /** The limit that holds; null where there is none. */
  readonly limit: number | null
  readonly running: number
}
