import type { MisfirePolicy } from '../../time/misfire/policy.ts'

/** What an outage would do to jobs. */
export interface SimulationView {
  readonly jobs: readonly {
    readonly jobId: string
    readonly name: string
    /** What it would do by itself, `smart` resolved: one of the names in `policies`. */
    readonly policy: MisfirePolicy
    readonly missed: number
    /** The first hundred. */
    readonly missedAt: readonly string[]
    readonly policies: Readonly<Record<string, SimulatedPolicyView>>
  }[]
  /** Those that it would take too long to work out: to be asked about one by one, or for a shorter outage. */
  readonly tooLong: readonly { readonly jobId: string; readonly name: string }[]
  /** There are more jobs that fire. */
  readonly nextCursor: string | null
}

/** What one job would do under one policy. */
export interface SimulatedPolicyView {
  /** How many would run when it is over, and what they would stand for: the first hundred. */
  readonly executions: number
  readonly scheduledAt: readonly string[]
  /** Missed occurrences that another run stands for, that the policy leaves out, and that a bound of the catch-up leaves out. */
  readonly consolidated: number
  readonly skipped: number
  readonly dropped: number
  readonly nextExecution: string | null
}
