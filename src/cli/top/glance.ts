import type { FailureGroupView } from '../../service/kpis/figure-views.ts'
import type { AlertView, WorkersView } from '../../service/overview-answers.ts'

/** What `top` shows at one moment. What whoever asks may not see is null. */
export interface Glance {
  readonly at: string
  /** Who was asked. */
  readonly place: string
  readonly running: number
  readonly queued: number
  readonly waiting: number | null
  /** How many of the tenant may run at once; null for any number. */
  readonly cap: number | null
  readonly oldestWaitMs: number | null
  readonly nodes: WorkersView['nodes']
  readonly queues: WorkersView['queues']
  /** Those that have run for the longest first. */
  readonly executions: readonly RunningExecution[] | null
  readonly rates: Rates | null
  readonly failures: readonly FailureGroupView[] | null
  readonly alerts: readonly AlertView[] | null
}

export interface RunningExecution {
  readonly id: string
  readonly jobName: string | null
  readonly jobType: string
  readonly startedAt: string | null
  readonly ageMs: number
  readonly attempt: number
  readonly progress: number | null
  readonly progressNote: string | null
}

/** How much ended within the last hour. */
export interface Rates {
  /** A minute, over the last five. */
  readonly endedPerMinute: number
  readonly failedPerMinute: number
  /** Over the hour, the oldest first, in stretches of equal length. */
  readonly ended: readonly number[]
}
