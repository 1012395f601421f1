import type { AuditOperation } from '../access/audit.ts'
import type { Permission } from '../access/permission.ts'
import type { Profile } from '../access/profile.ts'
import type { ExecutionStatus } from '../job/execution/execution.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { Priority } from '../job/rules/priority.ts'
import type { LogLevel } from '../logger.ts'
import type { AlertKind, AlertRule, AlertScope } from '../store/alerts.ts'
import type { WhereToLook } from '../store/archive.ts'
import type { JobSort } from '../store/jobs.ts'
import type { NotificationKind } from '../store/notifications.ts'
import type { Locale } from '../time/locale.ts'

/** Which jobs. */
export interface JobFilterQuery {
  /** Text and tokens, see `docs/how-to/search.md`. */
  readonly q?: string | undefined
  readonly status?: readonly JobStatus[] | undefined
  readonly jobType?: readonly string[] | undefined
  readonly priority?: readonly Priority[] | undefined
  readonly tag?: string | undefined
}

export interface JobListQuery extends JobFilterQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly sort: JobSort
  readonly isDescending: boolean
  /** What else is told of each job. `recent`: its last executions, to those who may see them. */
  readonly with?: readonly 'recent'[] | undefined
}

/** Something that is asked of many jobs at once. */
export interface BulkRequest extends MakeOptions {
  readonly verb: BulkVerb
  /** Either these, */
  readonly ids?: readonly string[] | undefined
  /** or those. */
  readonly query?: JobFilterQuery | undefined
  /** Counts, and does nothing. */
  readonly dryRun: boolean
  readonly cursor?: string | undefined
  /** Why jobs are paused. */
  readonly reason: string | null
}

export type BulkVerb = 'pause' | 'resume' | 'execute' | 'delete'

export interface MakeOptions {
  /** The id of what is made: where it exists already, it was made by this very request before. */
  readonly id?: string | undefined
}

export interface ChangeOptions {
  /** The version the asker saw; another one is a StaleVersionError. */
  readonly expectedVersion?: number | undefined
}

export interface PauseOptions {
  readonly reason: string | null
  /** When it resumes by itself. */
  readonly until: string | null
}

export interface ApproveOptions extends ChangeOptions {
  readonly comment: string | null
}

export interface RejectOptions extends ChangeOptions {
  readonly reason: string
}

export interface ExecuteOptions extends MakeOptions {
  readonly payload?: unknown
  readonly priority?: Priority | undefined
}

export interface EnqueueRequest extends ExecuteOptions {
  readonly jobId?: string | undefined
  readonly jobName?: string | undefined
  /** In place of a job: a job type that is declared enqueueable. */
  readonly jobType?: string | undefined
  readonly runAt?: string | undefined
  readonly delayMs?: number | undefined
  readonly idempotencyKey?: string | undefined
}

export interface CancelOptions {
  readonly executionId: string | null
  readonly reason: string | null
}

export interface HistoryQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly status?: readonly ExecutionStatus[] | undefined
  /** Also what is older than 90 days. */
  readonly archived: boolean
}

export interface OccurrenceQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  /** Default: from the first. */
  readonly from?: string | undefined
  /** Default: up to now. */
  readonly to?: string | undefined
}

export interface ExecutionListQuery extends HistoryQuery {
  /** Text and tokens, see `docs/how-to/search.md`. */
  readonly q?: string | undefined
  /** Created at or after this instant, and before the other one. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly jobId?: string | undefined
  readonly jobType?: string | undefined
}

/** Which lines of a log. */
export interface LogFilterQuery {
  /** The lowest level. */
  readonly level?: LogLevel | undefined
  readonly attempt?: number | undefined
  /** Also of an execution that is in the archive. */
  readonly archived?: boolean | undefined
}

export interface ExecutionLogsQuery extends LogFilterQuery {
  readonly after?: number | undefined
  readonly limit: number
}

export interface LogsQuery {
  readonly executionId?: string | undefined
  readonly level?: LogLevel | undefined
  readonly after?: number | undefined
  /** Also of one that is in the archive. */
  readonly archived?: boolean | undefined
  readonly limit: number
}

export interface CronQuestion {
  readonly cronExpression: string
  readonly timeZone?: string | undefined
  readonly language?: 'en' | 'pt-BR' | undefined
}

/** From when until when nothing fires. */
export interface OutageQuestion {
  readonly from: string
  readonly to: string
  /** Default: all jobs that fire, a page at a time. */
  readonly jobId?: string | undefined
  readonly cursor?: string | undefined
}

/** In which language names are told. Default: English. */
export interface LanguageQuery {
  readonly language?: Locale | undefined
}

export interface ExecutionDetailQuery extends LanguageQuery, WhereToLook {
  /** Whether its log is told too. Default: yes. */
  readonly log?: boolean | undefined
}

export interface KpiQuery extends LanguageQuery {
  /** Of how many hours, 1 to 2,160. Default 24. */
  readonly windowHours?: number | undefined
}

export interface FailuresQuery {
  /** Of how many hours, 1 to 2,160. Default 24. */
  readonly hours?: number | undefined
  /** How many groups. Default 10. */
  readonly limit?: number | undefined
}

/** How many minutes a bucket of an agenda may have: a day has a whole number of each. */
export const AGENDA_BUCKETS = [15, 30, 60, 120, 180, 240, 360, 480, 720, 1_440] as const

export interface AgendaQuery {
  /** Default: now. */
  readonly from?: string | undefined
  /** At most 45 days later. Default: a week later. */
  readonly to?: string | undefined
  readonly bucketMinutes?: (typeof AGENDA_BUCKETS)[number] | undefined
  /** Of one job alone. */
  readonly jobId?: string | undefined
}

export interface CalendarPreviewRequest {
  readonly definition: unknown
  /** From now on; 1 to 366. Default 30. */
  readonly days?: number | undefined
}

export interface AlertQuery extends LanguageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly kind?: AlertKind | undefined
  readonly isOpen?: boolean | undefined
}

/** Absent: as it is. */
export interface AlertRuleUpdate extends Partial<AlertRule> {
  /** Default: the tenant's own, where there is one. */
  readonly scope?: AlertScope | undefined
}

export interface AuditQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly operation?: readonly AuditOperation[] | undefined
  readonly userId?: string | undefined
  readonly jobId?: string | undefined
  readonly executionId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Also what is older than 90 days. */
  readonly archived?: boolean | undefined
}

export interface NotificationQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly event?: readonly NotificationKind[] | undefined
  readonly jobId?: string | undefined
}

export interface NewApiKeyFields {
  readonly name: string
  readonly profile: Profile
  /** Default: those of the profile. */
  readonly permissions?: readonly Permission[] | undefined
  readonly expiresAt?: string | null | undefined
}
