import type { TriggerJson } from '../time/triggers/json.ts'
import type { JobDefinition } from './job-definition.ts'
import { DETAIL_DEFAULTS, type DetailFields } from './job-fields.ts'
import type { JobStatus } from './job-status.ts'

export type { FaultRule, JobDefinition } from './job-definition.ts'

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

/** What is known of a job beside what it runs: what people call it, who made it what it is, and who said yes to it. */
export interface JobDetails extends DetailFields {
  /** It runs only after a second person has said yes to exactly its definition. */
  readonly isSensitive: boolean
  readonly createdBy: string | null
  readonly updatedBy: string | null
  /** Who last decided what would run. */
  readonly scheduledBy: string | null
  /** All who decided about what would run since it was last approved; none of them may approve it. */
  readonly authors: readonly string[]
  readonly approval: Approval | null
  readonly deletedAt: number | null
  readonly deletedBy: string | null
  /** What the code declares, where somebody has put something else in its place over the API; null where there is no difference. */
  readonly declared: JobDefinition | null
  /** What the configuration has put in the place of the code's cron; null where it has not. */
  readonly override: CronOverrideRecord | null
}

/** A second person's yes to exactly one definition. */
export interface Approval {
  readonly by: string
  readonly at: number
  /** Of what was approved: see `hashDefinition`. */
  readonly hash: string
  readonly comment: string | null
}

/** A cron that the configuration has put in the place of the code's. */
export interface CronOverrideRecord {
  /** The variable, or the place in the file. */
  readonly source: string
  readonly expression: string
  /** What the code says. */
  readonly codeExpression: string
}

/** Of a job that nobody has told anything about. */
export const NO_DETAILS: JobDetails = Object.freeze({
  ...DETAIL_DEFAULTS,
  isSensitive: false,
  createdBy: null,
  updatedBy: null,
  scheduledBy: null,
  authors: Object.freeze([]),
  approval: null,
  deletedAt: null,
  deletedBy: null,
  declared: null,
  override: null,
})
