import type { StartGrant, StartRequest } from '../job/rules/rate-limit.ts'

/** Counts the starts of attempts over all nodes. */
export interface RateStore {
  /**
   * Grants starts: for each job type and tenant never more than the limit in any window of its length. Granted starts are used, unless a later request
   * returns them. The answers are in the order of the requests.
   */
  acquire(requests: readonly RateRequest[]): Promise<StartGrant[]>
}

export interface RateRequest extends StartRequest {
  readonly jobType: string
  /** null: all tenants share the limit. */
  readonly tenant: string | null
}

/** A rate limit that a claim keeps: it takes no more executions of the job type than may start. */
export interface RateRule {
  readonly jobType: string
  readonly limit: number
  readonly perMs: number
  readonly by: 'tenant' | 'type'
  /** How long after the claim its executions start at the latest. */
  readonly withinMs: number
  /** How many executions the node has taken since one was taken by age alone. */
  readonly sinceAged: number
  /** Executions that were claimed before are taken without a start: most of them resume a durable run, which needs none. */
  readonly isDurable: boolean
}

/** The starts that a claim has used of one limit. */
export interface ClaimedStarts {
  readonly jobType: string
  /** null: all tenants share the limit. */
  readonly tenant: string | null
  /** The instant from which they count; null if none was used. */
  readonly at: number | null
  /** When more may start; null if more may start now. */
  readonly nextAt: number | null
  /** The executions that were claimed with these starts. */
  readonly executionIds: readonly string[]
}
