import type { StartGrant, StartRequest } from '../job/starts.ts'

/** How often attempts start, over all nodes. */
export interface RateStore {
  /**
   * Grants starts: for each job type and tenant never more than the limit within any stretch of time of the length. Whoever is granted some has
   * used them. The answers stand in the order of the requests.
   */
  acquire(requests: readonly RateRequest[]): Promise<StartGrant[]>
}

export interface RateRequest extends StartRequest {
  readonly jobType: string
  /** null: all tenants share the limit. */
  readonly tenant: string | null
}
