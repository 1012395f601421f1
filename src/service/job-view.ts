import type { UnreadableCode } from '../job/execution/unreadable.ts'
import type { JobOrigin } from '../job/job.ts'
import type { JobFieldName, JobFields } from '../job/job-fields.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { RecentExecutionView } from './execution-view.ts'

/** A job as it stands on the wire. Instants are RFC 3339 in UTC. */
export interface JobView extends JobFields {
  readonly id: string
  readonly clienteId: string
  readonly jobType: string
  readonly status: JobStatus
  /** Whether JOBS_SCHEDULING is switched off for the tenant: nothing fires or is begun, whatever the status. */
  readonly isSuspended: boolean
  readonly statusReason: string | null
  readonly pausedUntil: string | null
  /** Why there is no payload to be seen, where there is one; absent for most. */
  readonly payloadError?: UnreadableCode | undefined
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

/** The fields of a new job. Absent: the default. The shape is checked, the values are not. */
export type NewJobFields = { readonly [Name in JobFieldName]?: SentValue<Name> | undefined } & {
  readonly name: string
  readonly jobType: string
}

type SentValue<Name extends JobFieldName> = Name extends 'trigger' | 'payload' | 'overlap'
  ? unknown
  : Name extends 'misfirePolicy'
    ? string
    : Name extends 'timeoutMinutes'
      ? number
      : JobFields[Name]

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
