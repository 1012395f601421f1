import type { TriggerJson } from '../time/triggers/json.ts'
import type { JobDefinition } from './job-definition.ts'
import type { JobDetails } from './job-details.ts'
import type { JobStatus } from './job-status.ts'

export type { FaultRule, JobDefinition } from './job-definition.ts'

/** Who keeps a job's definition: the code that declares it, or whoever scheduled it at run time. */
export type JobOrigin = 'code' | 'runtime'

/** Where a job's trigger stands. */
export interface JobSchedule {
  /** The trigger as it counts now: a misfire may have given a simple trigger another start. */
  readonly currentTrigger: TriggerJson
  /** null when it is done. */
  readonly nextFireAt: number | null
  readonly previousFireAt: number | null
  readonly timesTriggered: number
}

/** A stored job: what is to run, and when. */
export interface Job {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly status: JobStatus
  /** What it was before it was paused or faulted, and becomes again on resume. */
  readonly resumeStatus: JobStatus | null
  readonly statusReason: string | null
  /** When a pause ends by itself; null: when somebody resumes it. */
  readonly pausedUntil: number | null
  readonly origin: JobOrigin
  readonly definition: JobDefinition
  readonly details: JobDetails
  readonly schedule: JobSchedule
  /** Grows with every change but firing. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}
