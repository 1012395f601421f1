import type { ExecutionBody } from '../job/execution/execution.ts'
import type { JobSchedule } from '../job/job.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { Standing } from '../job/rules/resolve-overlap.ts'
import type { MisfireCause } from '../time/misfire/policy.ts'
import type { LedgerEntry, MisfireInfo, MissedDecision } from '../time/misfire/resolve.ts'

export interface OccurrenceStore {
  /**
   * Fires: for each job that still stands where the caller saw it (status, version and next fire time), occurrences, executions, ledger,
   * next fire time and what becomes of those that waited are written together. An occurrence that exists already is left as it is and brings no second
   * execution. Jobs that it does not tell of are somebody else's now.
   */
  fire(firings: readonly Firing[]): Promise<Fired>
  /** What was decided about a job's occurrences in a stretch of time [from, to), in order. */
  ledger(query: LedgerQuery): Promise<OccurrenceRecord[]>
  /**
   * What of these jobs has not ended: whether there is anything, and the newest occurrences among it, at most STANDING_LIMIT of each, in their order. In
   * the order of the ids; jobs of which everything has ended are left out.
   */
  standing(jobIds: readonly string[]): Promise<JobStanding[]>
  /**
   * Fired occurrences of a job whose executions are ready and were never claimed, or are held since their first claim; the oldest first. One that is delayed,
   * or was handed back, is not among them.
   */
  waiting(jobId: string, limit: number): Promise<WaitingOccurrence[]>
  /**
   * Ends executions that are ready and were never claimed, or are held with the given epoch, without running them: CANCELLED, with what was decided
   * about their occurrences. Those whose misfire is given stay, and carry it from now on: a claim, `waiting` and `executions.find` tell it. Returns the ids of those that were ended.
   */
  consolidate(changes: readonly WaitingChange[]): Promise<string[]>
}

/** How many occurrences of one job are told that have not ended. */
export const STANDING_LIMIT = 1_000

export interface JobStanding extends Standing {
  readonly jobId: string
}

export interface Firing {
  readonly jobId: string
  /** What the caller saw. */
  readonly version: number
  readonly nextFireAt: number
  /** The status the caller saw, where it is one that does not fire by itself; absent: any that does. */
  readonly status?: JobStatus | undefined
  /** Where the trigger stands afterwards. */
  readonly schedule: JobSchedule
  readonly fired: readonly FiredExecution[]
  /** Entries `firedLate` are told by the occurrences themselves and are not stored again. */
  readonly ledger: readonly LedgerEntry[]
  /** What becomes of occurrences of the job that waited before: as `consolidate` does it, in the same commit. */
  readonly displaced?: readonly WaitingChange[] | undefined
}

export interface Fired {
  /** The jobs that were fired. */
  readonly jobIds: readonly string[]
  /** Executions that were displaced, and ended. */
  readonly ended: readonly string[]
}

export interface FiredExecution {
  /** Its `scheduledAt` is the occurrence, its options may hold the misfire. */
  readonly body: ExecutionBody
  /** When it may run; null: now. */
  readonly runAt: number | null
}

export interface LedgerQuery {
  readonly jobId: string
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** What became of one occurrence that was fired, or of a run of those that were not. */
export interface OccurrenceRecord {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly decision: 'fired' | MissedDecision
  /** null where it fired on time. */
  readonly cause: MisfireCause | null
  /** The run, where it was fired. */
  readonly executionId: string | null
  readonly misfire: MisfireInfo | null
  readonly recordedAt: number
}

export interface WaitingOccurrence {
  readonly executionId: string
  readonly scheduledAt: number
  /** Set where it already stands for others. */
  readonly misfire: MisfireInfo | null
  /** Whether some node is in its first attempt; otherwise it waits for it. */
  readonly isHeld: boolean
}

export type WaitingChange =
  | {
      readonly executionId: string
      readonly jobId: string
      readonly scheduledAt: number
      /** The epoch the caller holds it with; null where it waits. */
      readonly epoch: number | null
      readonly decision: 'consolidated' | 'skipped'
      readonly cause: MisfireCause
    }
  | {
      readonly executionId: string
      readonly jobId: string
      readonly scheduledAt: number
      readonly misfire: MisfireInfo
    }
