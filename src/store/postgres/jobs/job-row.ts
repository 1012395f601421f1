import { type Job, type JobDefinition, type JobDetails, type JobOrigin, NO_DETAILS } from '../../../job/job.ts'
import type { JobStatus } from '../../../job/job-status.ts'
import type { TriggerJson } from '../../../time/triggers/json.ts'

/** The condition under which a FAULTED job fires, as `firesNow` has it; the index `jobs_due_faulted` repeats its beginning. */
export const FIRES_FAULTED = `status = 'FAULTED'
  and definition ->> 'onFault' = 'continue'
  and status_reason like 'Execution % has failed for good.'`

/** What every statement that gives jobs selects; the columns of {@link JobRow}. */
export const SELECT_JOBS = `
select
  jobs.id,
  jobs.tenant,
  jobs.name,
  jobs.status,
  jobs.resume_status as "resumeStatus",
  jobs.status_reason as "statusReason",
  pontual.to_ms(jobs.paused_until) as "pausedUntil",
  jobs.origin,
  jobs.definition,
  jobs.payload,
  jobs.details,
  jobs.trigger_now as "currentTrigger",
  pontual.to_ms(jobs.next_fire_at) as "nextFireAt",
  pontual.to_ms(jobs.previous_fire_at) as "previousFireAt",
  jobs.times_triggered as "timesTriggered",
  jobs.version,
  pontual.to_ms(jobs.created_at) as "createdAt",
  pontual.to_ms(jobs.updated_at) as "updatedAt"`

export interface JobRow {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly status: JobStatus
  readonly resumeStatus: JobStatus | null
  readonly statusReason: string | null
  readonly pausedUntil: number | null
  readonly origin: JobOrigin
  readonly definition: Omit<JobDefinition, 'payload'>
  readonly payload: string | null
  /** Less than all of them where it was stored before there were such. */
  readonly details: Partial<JobDetails>
  readonly currentTrigger: TriggerJson
  readonly nextFireAt: number | null
  readonly previousFireAt: number | null
  readonly timesTriggered: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a definition says that was stored before there were such rules. */
const UNRULED = { overlap: 'allow', concurrency: null } as const

export function jobFrom(row: JobRow): Job {
  return {
    id: row.id,
    tenant: row.tenant,
    name: row.name,
    status: row.status,
    resumeStatus: row.resumeStatus,
    statusReason: row.statusReason,
    pausedUntil: row.pausedUntil,
    origin: row.origin,
    definition: { ...UNRULED, ...row.definition, payload: row.payload },
    details: { ...NO_DETAILS, ...row.details },
    schedule: {
      currentTrigger: row.currentTrigger,
      nextFireAt: row.nextFireAt,
      previousFireAt: row.previousFireAt,
      timesTriggered: row.timesTriggered,
    },
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
