import type { ExecutionBody, Failure, FinalStatus } from '../job/execution/execution.ts'
import type { ClaimedStarts, RateRule } from './rates.ts'

/** One in so many executions of a claim is taken by age alone, so that low priorities do not starve. */
export const AGED_ONE_IN = 8

/** The way of an execution from ready to its end. Whoever does not hold the lease with the epoch he names changes nothing. */
export interface LeaseStore {
  /**
   * Takes executions that are ready. Tenants take turns: the first of each, then the second of each, and so on. Within a tenant those of the highest
   * priority go first, within one the oldest; `aged` of all are taken by age alone among the lower priorities, so that none starves. Of a tenant, and of
   * a job, no more are taken than may run at once. Takes nothing for a node whose lease is over.
   */
  claim(request: ClaimRequest): Promise<Claim>
  /**
   * Records ends. Returns the ids of those accepted; where the same epoch has recorded an end before, that counts as accepted, and stands. A durable execution
   * that is being cancelled can end as CANCELLED only.
   */
  finish(endings: readonly Ending[]): Promise<string[]>
  /** Sends failed attempts into the wait before their next try. Returns the ids of those accepted. */
  retry(retries: readonly Retry[]): Promise<string[]>
  /** Gives executions back unspent: the attempt does not count. Returns the ids of those accepted. */
  release(held: readonly Held[]): Promise<string[]>
  /** What a node holds, in any order. */
  held(nodeId: string): Promise<HeldLease[]>
  /** Keeps how far executions are. Returns the ids of those accepted. */
  progress(reports: readonly ProgressReport[]): Promise<string[]>
  /** Makes delayed executions ready that are due, at most `limit`. Returns how many. */
  promote(limit: number): Promise<number>
  /**
   * Takes nodes whose lease is over (and who were silent for `silentForMs`, where given) off the list, and then at most `limit` executions
   * whose node is not on it: the attempt is LOST, and counts. Those with attempts left are ready again, the others end as FAILED and fault their job. A durable
   * execution is always ready again. The attempt of an execution whose node has left is unspent, as after `release`.
   */
  recover(request: RecoverRequest): Promise<Recovered[]>
}

export interface ClaimRequest {
  readonly nodeId: string
  readonly limit: number
  readonly queues: readonly string[]
  readonly jobTypes: readonly string[]
  /** How many of `limit` are taken by age. */
  readonly aged: number
  /** Job types of which nothing is taken: of one tenant, or with null of all. Default: none. */
  readonly resting?: readonly Resting[] | undefined
  /** Free slots that stay free for tenants of which the node runs nothing, if there are several tenants. Default: none. */
  readonly reserve?: Reserve | undefined
  /** Rate limits of job types. Executions beyond a limit are not claimed and keep their place. Default: none. */
  readonly rates?: readonly RateRule[] | undefined
}

export interface Reserve {
  readonly slots: number
  /** The tenants of which the node runs something. */
  readonly running: readonly string[]
}

/** A job type of a tenant, or with null of all tenants, that nobody may start now. */
export interface Resting {
  readonly jobType: string
  readonly tenant: string | null
}

export interface Claim {
  readonly now: number
  /** False when the node's lease is over: it has to register anew. */
  readonly isNodeAlive: boolean
  /** By priority, within one by age. */
  readonly executions: readonly ClaimedExecution[]
  /** Whether it met tenants or jobs with a limit, or kept slots in reserve: what they have left can be taken once one of theirs ends. */
  readonly isLimited: boolean
  /** The starts that it used, for each rate limit that it met. */
  readonly starts: readonly ClaimedStarts[]
  /** When another claim may find what this one did not look at, or what others were just taking from; null: once something changes. */
  readonly again: 'now' | 'soon' | null
}

export interface Held {
  readonly executionId: string
  /** Grows with every claim of the execution. */
  readonly epoch: number
}

export interface HeldLease extends Held {
  /** Whether something has come for it that nobody has asked for yet: a signal, the end of a child, a cancellation. */
  readonly hasNews: boolean
}

export interface ClaimedExecution extends Held {
  readonly body: ExecutionBody
  /** 1 for the first. */
  readonly attempt: number
}

export interface Ending extends Held {
  readonly status: FinalStatus
  /** As stored. */
  readonly output: string | null
  /** The execution that made the output, where it was kept from then. */
  readonly cachedFrom?: string | undefined
  readonly error: Failure | null
  /** The job that is FAULTED by it, if it fires by itself now. */
  readonly faultsJobId: string | null
  /** The job that it makes well again, if it is FAULTED now. */
  readonly healsJobId: string | null
}

export interface Retry extends Held {
  readonly status: 'FAILED' | 'TIMEOUT'
  readonly error: Failure
  readonly delayMs: number
}

export interface ProgressReport extends Held {
  readonly fraction: number
  readonly note: string | null
}

export interface RecoverRequest {
  readonly silentForMs: number | null
  /** Does nothing once it is later than this: whoever was stuck on the way does not know who could renew meanwhile. */
  readonly notAfter?: number | undefined
  readonly limit: number
}

export interface Recovered extends Held {
  readonly tenant: string
  readonly jobId: string | null
  readonly jobType: string
  readonly nodeId: string
  /** The attempt that was lost. */
  readonly attempt: number
  /** Whether it was the last one. */
  readonly hasEnded: boolean
  /** Whether its node had left: the attempt does not count. */
  readonly isUnspent: boolean
}
