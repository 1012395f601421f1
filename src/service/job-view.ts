import type { UnreadableCode } from '../job/execution/unreadable.ts'
import type { JobOrigin } from '../job/job.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { OverlapRule } from '../job/rules/overlap.ts'
import type { Priority } from '../job/rules/priority.ts'
import type { MisfirePolicy } from '../time/misfire/policy.ts'
import type { TriggerJson } from '../time/triggers/json.ts'
import type { RecentExecutionView } from './execution-view.ts'

/** A job as it stands on the wire. Instants are RFC 3339 in UTC. */
export interface JobView {
  readonly id: string
  readonly clienteId: string
  readonly name: string
  readonly description: string | null
  readonly jobType: string
  /** null where the trigger is of another kind. */
  readonly cronExpression: string | null
  readonly timeZone: string
  readonly trigger: TriggerJson
  readonly calendar: string | null
  readonly status: JobStatus
  /** Whether JOBS_SCHEDULING is switched off for the tenant: nothing fires or is begun, whatever the status. */
  readonly isSuspended: boolean
  readonly statusReason: string | null
  readonly pausedUntil: string | null
  readonly priority: Priority
  /** null: none, as a job may have that the code declares. */
  readonly timeoutMinutes: number | null
  readonly retryCount: number
  readonly requiresTwoStepExecution: boolean
  readonly payload: unknown
  /** Why there is no payload to be seen, where there is one; absent for most. */
  readonly payloadError?: UnreadableCode | undefined
  readonly misfirePolicy: MisfirePolicy
  readonly misfireThresholdSeconds: number
  readonly overlap: OverlapRule
  readonly tags: readonly string[]
  readonly nextExecution: string | null
  readonly scheduledByUserId: string | null
  readonly approvedByUserId: string | null
  readonly approvedAt: string | null
  readonly createdAt: string
  readonly createdBy: string | null
  readonly updatedAt: string | null
  readonly updatedBy: string | null
  readonly deletedAt: string | null
  readonly deletedBy: string | null
  /** Where its definition comes from. */
  readonly origin: JobOrigin
  /** Fields in which it differs from what the code declares, with what the code says; null where it does not. */
  readonly differsFromCode: Readonly<Record<string, unknown>> | null
  /** The cron that the configuration has put in the place of the code's, and where; null where it has not. */
  readonly cronOverride: {
    readonly source: string
    readonly cronExpression: string
    readonly codeCronExpression: string
  } | null
  readonly version: number
}

/** A job as a list has it. */
export interface JobListItem extends JobView {
  /** The last ten, the newest first; where they are asked for, by somebody who may see them. */
  readonly recentExecutions?: readonly RecentExecutionView[] | undefined
}

/** The fields that people may set when they create a job. Absent: the default. Already checked for shape, not for meaning. */
export interface NewJobFields {
  readonly name: string
  readonly jobType: string
  readonly description?: string | null | undefined
  /** One of the two, not both. */
  readonly cronExpression?: string | null | undefined
  readonly trigger?: unknown
  readonly timeZone?: string | undefined
  readonly calendar?: string | null | undefined
  readonly priority?: Priority | undefined
  readonly timeoutMinutes?: number | undefined
  readonly retryCount?: number | undefined
  readonly requiresTwoStepExecution?: boolean | undefined
  readonly payload?: unknown
  readonly misfirePolicy?: string | undefined
  readonly misfireThresholdSeconds?: number | undefined
  readonly overlap?: unknown
  readonly tags?: readonly string[] | undefined
}

/**
 * What somebody sends to change a job: fields that may be set, and read-only ones as they were read, so that what GET gave can be edited and sent back.
 * Absent: as it is.
 */
export type JobFieldsUpdate = Partial<Record<keyof JobListItem | 'statistics' | 'lastExecutions', unknown>>

export interface JobStatisticsView {
  readonly successRate: number | null
  readonly totalExecutions: number
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
  readonly cancelled: number
  readonly meanDurationMs: number | null
  readonly p50DurationMs: number | null
  readonly p95DurationMs: number | null
  readonly p99DurationMs: number | null
  readonly lastFailure: {
    readonly executionId: string
    readonly at: string
    readonly errorMessage: string | null
  } | null
  readonly lastSuccessAt: string | null
}

/** A payload with what is hidden from others. */
export type RevealedPayload = Pick<JobView, 'payload' | 'payloadError'>
