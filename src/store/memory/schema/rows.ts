import type { Divergence } from '../../../job/activity/divergence.ts'
import type { HistoryEntry } from '../../../job/activity/history.ts'
import type {
  AttemptRecord,
  ChainCondition,
  ExecutionBody,
  Failure,
  FinalStatus,
} from '../../../job/execution/execution.ts'
import type { Starts } from '../../../job/rules/rate-limit.ts'
import type { MisfireCause } from '../../../time/misfire/policy.ts'
import type { LedgerEntry, MisfireInfo } from '../../../time/misfire/resolve.ts'
import type { CachedResult } from '../../cache.ts'
import type { NewNode } from '../../nodes.ts'

/** Where an execution stands that has not ended: what moves with it from table to table. */
export interface ReadyRow {
  readonly body: ExecutionBody
  readonly attempt: number
  readonly epoch: number
}

export interface DelayedRow extends ReadyRow {
  /** Infinite where no time alone brings it back. */
  readonly dueAt: number
  /** How many have to end before it may run; absent where it waits for its time alone. */
  readonly awaits?: number
  /** A durable execution that waits for something inside of it. */
  readonly isParked?: boolean
  /** Why it waits for other code; absent where its code fits. */
  readonly divergence?: Divergence
}

/** An execution stands behind another. */
export interface LinkRow {
  readonly successorId: string
  /** Its place among the predecessors of the successor. */
  readonly place: number
  readonly predecessorId: string
  readonly on: ChainCondition
  /** How the predecessor ended; null while it has not. */
  readonly outcome: FinalStatus | null
  readonly isDeclared: boolean
}

export interface LeaseRow extends ReadyRow {
  readonly nodeId: string
  readonly claimedAt: number
  readonly progress: number | null
  readonly progressNote: string | null
  /** Whether something has come for it that nobody has asked for yet. */
  readonly hasNews: boolean
  /** Whether its node has left: its recovery does not spend the attempt. */
  readonly isUnspent: boolean
}

export interface ResultRow extends ReadyRow {
  readonly status: FinalStatus
  /** Whether who held it reported this end; false where it was ended over his head: cancelled, consolidated, or lost. */
  readonly isReported: boolean
  /** null where it ended without running. */
  readonly nodeId: string | null
  readonly startedAt: number | null
  readonly finishedAt: number
  readonly output: string | null
  readonly cachedFrom: string | null
  readonly error: Failure | null
  /** Who ended it over the head of its holder, where that is known. */
  readonly endedBy: string | null
  readonly progress: number | null
  readonly progressNote: string | null
}

/** An attempt that did not end its execution, or was lost. */
export interface AttemptRow {
  readonly epoch: number
  readonly record: AttemptRecord
}

/** An entry of a history, and the holder that wrote it; 0 for one that was copied. */
export interface EntryRow {
  readonly entry: HistoryEntry
  readonly epoch: number
}

/** A durable execution has started another one, and has not taken note of its end. */
export interface ChildRow {
  readonly parentId: string
  readonly childId: string
  /** How the child ended; null while it has not. */
  readonly outcome: FinalStatus | null
}

/** A result that stands in for runs with an equal input. */
export interface CacheRow extends CachedResult {
  readonly finishedAt: number
  readonly expiresAt: number
}

export interface OccurrenceRow {
  readonly jobId: string
  readonly scheduledAt: number
  readonly executionId: string
  readonly decision: 'fired' | 'firedLate' | 'consolidated' | 'skipped'
  readonly cause: MisfireCause | null
  readonly misfire: MisfireInfo | null
  readonly recordedAt: number
}

/** Occurrences that were not fired, as a range. */
export interface MissedRow extends LedgerEntry {
  readonly jobId: string
  readonly recordedAt: number
}

export interface NodeRow extends NewNode {
  readonly connections: number | null
  readonly startedAt: number
  readonly renewedAt: number
  readonly expiresAt: number
}

/** How often attempts of a job type start, of one tenant or of all. */
export interface RateRow {
  readonly key: string
  readonly starts: readonly Starts[]
  readonly expiresAt: number
}
