import type { AuditOperation } from '../access/audit.ts'
import type { Permission } from '../access/permission.ts'
import type { Profile } from '../access/profile.ts'
import type { ExecutionStatus } from '../job/execution.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { Priority } from '../job/priority.ts'
import type { LogLevel } from '../logger.ts'
import type { JobSort } from '../store/jobs.ts'

export interface JobListQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly q?: string | undefined
  readonly status?: readonly JobStatus[] | undefined
  readonly jobType?: readonly string[] | undefined
  readonly priority?: readonly Priority[] | undefined
  readonly tag?: string | undefined
  readonly sort: JobSort
  readonly isDescending: boolean
}

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

export interface ExecutionListQuery extends HistoryQuery {
  readonly jobId?: string | undefined
  readonly jobType?: string | undefined
}

export interface LogsQuery {
  readonly executionId?: string | undefined
  readonly level?: LogLevel | undefined
  readonly after?: number | undefined
  readonly limit: number
}

export interface CronQuestion {
  readonly cronExpression: string
  readonly timeZone?: string | undefined
  readonly language?: 'en' | 'pt-BR' | undefined
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
}

export interface NewApiKeyFields {
  readonly name: string
  readonly profile: Profile
  /** Default: those of the profile. */
  readonly permissions?: readonly Permission[] | undefined
  readonly expiresAt?: string | null | undefined
}
