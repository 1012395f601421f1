import type { TriggerState } from '../trigger-state.ts'
import type { MisfireCause, MisfirePolicy } from './policy.ts'

/** What a run that a misfire caused carries with it. */
export interface MisfireInfo {
  /** The occurrence the run stands for. */
  readonly scheduledAt: number
  readonly detectedAt: number
  readonly delayMs: number
  readonly policy: MisfirePolicy
  /** How many occurrences were missed in all. */
  readonly missedCount: number
  readonly cause: MisfireCause
}

/** An occurrence that becomes a run. */
export interface FiredOccurrence {
  /** The instant it was due; kept however late it runs. */
  readonly scheduledAt: number
  /** When to run it. */
  readonly runAt: number
  /** Absent when it fires on time. */
  readonly misfire?: MisfireInfo
}

/**
 * What was decided about missed occurrences: fired late, consolidated into another run, skipped by policy, or dropped because a
 * bound of the catch-up was reached.
 */
export type MissedDecision = 'firedLate' | 'consolidated' | 'skipped' | 'dropped'

/** A row of the ledger: a run of missed occurrences about which the same was decided. */
export interface LedgerEntry {
  /** First and last occurrence. */
  readonly from: number
  readonly to: number
  readonly count: number
  readonly decision: MissedDecision
  readonly cause: MisfireCause
}

/** What becomes of a job's due occurrences. Every one of them is either fired on time or in the ledger. */
export interface Resolution {
  readonly fire: readonly FiredOccurrence[]
  readonly ledger: readonly LedgerEntry[]
  /** What decided about the missed, `smart` resolved; null where nothing was late. */
  readonly policy: MisfirePolicy | null
  /** Where the trigger stands afterwards. Its next fire time may be due already where one call took only a batch. */
  readonly state: TriggerState
}
