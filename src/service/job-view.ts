import type { JobOrigin } from '../job/job.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { OverlapRule } from '../job/overlap.ts'
import type { Priority } from '../job/priority.ts'
import type { MisfirePolicy } from '../time/misfire/policy.ts'
import type { TriggerJson } from '../time/triggers/json.ts'

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
  readonly statusReason: string | null
  readonly pausedUntil: string | null
  readonly priority: Priority
  /** null: none, as a job may have that the code declares. */
  readonly timeoutMinutes: number | null
  readonly retryCount: number
  readonly requiresTwoStepExecution: boolean
  readonly payload: unknown
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
  readonly version: number
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
export type JobFieldsUpdate = Partial<Record<keyof JobView | 'statistics' | 'lastExecutions', unknown>>

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
