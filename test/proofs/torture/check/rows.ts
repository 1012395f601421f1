/** Rows as `dumpDatabase` writes them, a file for each table. Instants are milliseconds of the epoch by the database's clock; `null` for one that is never. */
export interface Rows {
  executions: ExecutionRow
  ready: WaitingRow
  delayed: WaitingRow
  leases: LeaseRow
  results: ResultRow
  attempts: AttemptRow
  occurrences: OccurrenceRow
  missed: MissedRow
  jobs: JobRow
  nodes: NodeRow
  signals: SignalRow
  history: EntryRow
  audit: AuditRow
  heads: HeadRow
  keys: KeyRow
  bookings: BookingRow
  changes: ChangeRow
}

export type TableName = keyof Rows

export interface ExecutionRow {
  readonly id: string
  readonly tenant: string
  readonly jobType: string
  readonly jobId: string | null
  readonly origin: string
  readonly payload: string | null
  readonly scheduledAt: number | null
  readonly maxAttempts: number
  readonly idempotencyKey: string | null
  readonly isDurable: boolean
  readonly createdAt: number
}

interface WaitingRow {
  readonly executionId: string
  readonly epoch: number
  readonly dueAt: number | null
}

interface LeaseRow {
  readonly executionId: string
  readonly nodeId: string
  readonly epoch: number
  readonly tenantSlot: number | null
  readonly jobSlot: number | null
}

export interface ResultRow {
  readonly executionId: string
  readonly status: 'SUCCESS' | 'FAILED' | 'TIMEOUT' | 'CANCELLED'
  readonly attempt: number
  readonly epoch: number
  /** Whether the node that ran it has told its end, and nobody over its head. */
  readonly isReported: boolean
  readonly nodeId: string | null
  readonly startedAt: number | null
  readonly finishedAt: number
  readonly output: string | null
  readonly error: string | null
}

export interface AttemptRow {
  readonly executionId: string
  readonly attempt: number
  readonly epoch: number
  readonly status: 'FAILED' | 'TIMEOUT' | 'LOST'
  readonly nodeId: string
  readonly startedAt: number
  readonly endedAt: number
  readonly error: string | null
}

export interface OccurrenceRow {
  readonly jobId: string
  readonly scheduledAt: number
  readonly executionId: string
  readonly decision: string
  readonly recordedAt: number
}

export interface MissedRow {
  readonly jobId: string
  readonly fromAt: number
  readonly toAt: number
  readonly count: number
  readonly decision: string
  readonly cause: string
}

export interface JobRow {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly status: string
  readonly jobType: string
  readonly nextFireAt: number | null
  readonly createdAt: number
}

interface NodeRow {
  readonly id: string
  readonly name: string
}

interface SignalRow {
  readonly id: number
  readonly executionId: string
  readonly name: string
  readonly isTaken: boolean
}

/** An entry of the history of a durable execution. */
export interface EntryRow {
  readonly executionId: string
  readonly sequence: number
  readonly epoch: number
  readonly kind: string
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED'
  readonly name: string
  readonly output: string | null
  readonly dueAt: number | null
}

export interface AuditRow {
  readonly tenant: string
  readonly sequence: number
  readonly at: number
  readonly jobId: string | null
  readonly executionId: string | null
  readonly operation: string
  readonly userId: string | null
  readonly oldValues: string | null
  readonly newValues: string | null
  readonly previousHash: string
  readonly hash: string
}

/** Where the audit log of a tenant ends, as the database believes. */
interface HeadRow {
  readonly tenant: string
  readonly sequence: number
  readonly hash: string
}

interface KeyRow {
  readonly tenant: string
  readonly jobType: string
  readonly key: string
  readonly executionId: string
}

/** What a transaction of an order has written into the table of the user. */
interface BookingRow {
  readonly executionId: string
  readonly mark: string
}

/** What the server saw change, in the order in which it did: see `watch-database.ts`. */
export type ChangeRow = Claimed | Left | Joined | Limited | Recorded | Delayed | Rewritten

interface Change {
  readonly id: number
  readonly at: number
}

interface ChangeOfExecution extends Change {
  readonly executionId: string
  readonly epoch: number
}

export interface Claimed extends ChangeOfExecution {
  readonly kind: 'claimed'
  readonly nodeId: string
  readonly detail: { readonly attempt: number; readonly tenant: number; readonly jobId: string | null }
}

/** A lease is gone: its execution has ended, waits, or is with nobody. */
interface Left extends ChangeOfExecution {
  readonly kind: 'left'
}

interface Joined extends Change {
  readonly kind: 'joined'
  readonly nodeId: string
  readonly detail: { readonly name: string }
}

interface Limited extends Change {
  readonly kind: 'limited'
  /** `most`: null for the default, which is any number here, and -1 for any number. */
  readonly detail: { readonly tenant: number; readonly name: string; readonly most: number | null }
}

/** An entry of a history is written, or settled. */
export interface Recorded extends ChangeOfExecution {
  readonly kind: 'recorded'
  readonly detail: {
    readonly sequence: number
    readonly kind: string
    readonly name: string
    readonly status: EntryRow['status']
    readonly output: string | null
    readonly dueAt: number | null
  }
}

export interface Delayed extends ChangeOfExecution {
  readonly kind: 'delayed'
  readonly detail: { readonly dueAt: number | null; readonly isParked: boolean; readonly isDiverged: boolean }
}

/** An end is changed or removed. */
interface Rewritten extends ChangeOfExecution {
  readonly kind: 'rewritten'
}
