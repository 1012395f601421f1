import type { AuditEntry, AuditOperation } from '../access/audit.ts'
import type { Flag, FlagSource } from '../access/flag.ts'
import type { Permission } from '../access/permission.ts'
import type { Profile } from '../access/profile.ts'
import type { PontualError } from '../errors.ts'
import type { LogLevel } from '../logger.ts'
import type { OccurrenceRecord } from '../store/occurrences.ts'
import type { CalendarJson } from '../time/calendars/json.ts'
import type { ExecutionView } from './execution-view.ts'
import type { JobStatisticsView } from './job-view.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** What was decided about one occurrence of a job, or about a range of missed ones. */
export interface OccurrenceView {
  readonly from: string
  /** The same as `from` for one occurrence. */
  readonly to: string
  readonly count: number
  readonly decision: OccurrenceRecord['decision']
  /** null if it fired on time. */
  readonly cause: OccurrenceRecord['cause']
  /** null if it did not fire. */
  readonly executionId: string | null
  readonly recordedAt: string
}

/** What one job's page shows beside the job. */
export interface JobMore {
  readonly statistics: JobStatisticsView
  /** The last ten. */
  readonly lastExecutions: readonly ExecutionView[]
}

export interface ExecuteAnswer {
  readonly executionId: string
  /** False where the idempotency key had been used before. */
  readonly isNew: boolean
  /**
   * `maxWorkersExceeded`: the tenant runs as many as it may, so that this one waits in the queue. `suspended`: it waits until JOBS_SCHEDULING is switched on
   * again.
   */
  readonly notice: 'maxWorkersExceeded' | 'suspended' | null
}

export interface CancelAnswer {
  readonly cancelled: readonly string[]
  /** Durable ones, which clean up first. */
  readonly cancelling: readonly string[]
}

/** What became of something that was asked of many jobs. */
export interface BulkAnswer {
  /** How many jobs it is asked of: in a dry run of all that match, else of those that this call has come to. */
  readonly matched: number
  /** In a dry run, how many of them have a status that allows it. */
  readonly applicable: number | null
  readonly done: number
  readonly failed: readonly BulkFailure[]
  /** In a dry run, the names of the first five. */
  readonly sample?: readonly string[] | undefined
  /** Where the next call goes on; null once all of them have been come to. */
  readonly nextCursor: string | null
}

export interface BulkFailure {
  readonly id: string
  /** null where there is no such job of the tenant. */
  readonly name: string | null
  readonly error: PontualError
}

export interface LogsAnswer {
  readonly executionId: string | null
  readonly items: readonly LogLineView[]
  /** The `after` of the next page; null where there is no more for now. */
  readonly nextCursor: string | null
}

export interface LogLineView {
  readonly sequence: number
  readonly attempt: number
  readonly at: string
  readonly level: LogLevel
  readonly message: string
  readonly fields: unknown
}

export interface CronAnswer {
  readonly valid: boolean
  readonly error?: string | undefined
  readonly description: string | null
  readonly upcoming: readonly string[]
}

export interface AuditEntryView extends Omit<AuditEntry, 'tenant' | 'at' | 'oldValues' | 'newValues'> {
  readonly operationType: string
  readonly clienteId: string
  /** As it is called now; null where the entry tells of no job, or nothing is left of it. */
  readonly jobName: string | null
  readonly timestamp: string
  readonly oldValues: unknown
  readonly newValues: unknown
}

/** Whether a chain holds; where it does not, the first entry that is wrong and why. */
export type AuditVerdict =
  | { readonly isIntact: true; readonly entries: number; readonly hash: string }
  | { readonly isIntact: false; readonly entries: number; readonly sequence: number; readonly reason: string }

export interface TenantEvent {
  readonly sequence: number
  readonly operation: AuditOperation
  readonly jobId: string | null
  readonly executionId: string | null
  readonly timestamp: string
}

export interface ApiKeyView {
  readonly id: string
  readonly name: string
  readonly profile: Profile
  readonly permissions: readonly Permission[]
  readonly ownerId: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

/** A flag as a portal knows features; its words are in that portal's language, beside those in the language of the answer. */
export interface FlagView {
  readonly featureKey: Flag
  readonly nome: string
  readonly descricao: string
  readonly name: string
  readonly description: string
  readonly habilitado: boolean
  readonly isSystemFeature: boolean
  readonly relatedFeatures: readonly Flag[]
  /** Who has the say. */
  readonly source: FlagSource
}

export interface CalendarView {
  readonly name: string
  readonly definition: CalendarJson
}
