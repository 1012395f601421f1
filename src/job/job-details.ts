import type { JobDefinition } from './job-definition.ts'
import { DETAIL_DEFAULTS, type DetailFields } from './job-fields.ts'

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

/** A cron that the configuration has put in the place of the code's. */
export interface CronOverrideRecord {
  /** The variable, or the place in the file. */
  readonly source: string
  readonly expression: string
  /** What the code says. */
  readonly codeExpression: string
}

/** A second person's yes to exactly one definition. */
export interface Approval {
  readonly by: string
  readonly at: number
  /** Of what was approved: see `hashDefinition`. */
  readonly hash: string
  readonly comment: string | null
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
