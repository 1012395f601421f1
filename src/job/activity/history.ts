import type { Failure, FinalStatus } from '../execution/execution.ts'
import type { EntryKind } from './divergence.ts'

/** Whether what an entry tells of is under way, and how it ended. */
export type EntryStatus = 'RUNNING' | 'COMPLETED' | 'FAILED'

/** One thing that is recorded of a durable execution. */
export interface HistoryEntry {
  /**
   * The place among the calls of the code, from 1: given when the call is made. 0: the input it goes on with. Below: what has no place among the
   * calls, -1 for the cancellation, -2 and further for patches.
   */
  readonly sequence: number
  readonly kind: EntryKind
  /** The activity's id, the signal's name, the child's job type, the timer's id … */
  readonly name: string
  readonly status: EntryStatus
  /** Its place in the order in which calls were settled, from 1; null while it is RUNNING. Gaps mean nothing. */
  readonly position: number | null
  /** How many calls the code had made when it was settled. */
  readonly calls: number
  /** How many attempts were begun. */
  readonly attempt: number
  /** Encoded by the durable codec, as all values here. */
  readonly input: string | null
  readonly output: string | null
  /** Why it failed, or why its last attempt did. */
  readonly error: string | null
  /** What the last heartbeat told. */
  readonly details: string | null
  /** The execution that does the work, or that was started. */
  readonly childId: string | null
  /** By the run's own time, which is that of the last thing that was settled. */
  readonly startedAt: number
  /** When a timer fires, a wait is given up, or the next attempt begins. */
  readonly dueAt: number | null
  readonly endedAt: number | null
}

/** An entry that is to be written, and what goes with it. */
export interface NewEntry extends HistoryEntry {
  /** Settles a timer: may not be written before its `dueAt`. */
  readonly isTimer?: boolean | undefined
  /** The signal that it takes out of the inbox. */
  readonly signalId?: number | undefined
  /** The child whose end it takes note of. */
  readonly takesChild?: string | undefined
}

/** `early`: a timer is not due yet. `refused`: the run is not held any more. */
export type RecordAnswer = 'recorded' | 'early' | 'refused'

/** What has come for a run. */
export interface News {
  /** Those nobody has taken, the oldest first. */
  readonly signals: readonly StoredSignal[]
  /** Children that have ended and were not taken note of. */
  readonly children: readonly ChildEnd[]
  readonly cancellation: Cancellation | null
}

export interface StoredSignal {
  readonly id: number
  readonly name: string
  /** As it was sent: encoded. */
  readonly payload: string | null
  readonly sentAt: number
}

export interface ChildEnd {
  readonly executionId: string
  readonly status: FinalStatus
  /** How many attempts it took. */
  readonly attempt: number
  readonly output: string | null
  readonly error: Failure | null
}

export interface Cancellation {
  readonly reason: string | null
  readonly requestedAt: number
}
