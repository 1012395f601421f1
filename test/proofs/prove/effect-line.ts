/** What a handler has done to the world, as it stands in a file outside of the database. */
export interface EffectLine {
  /** By the clock of this machine, whatever the process takes for the time. */
  readonly at: number
  readonly pid: number
  readonly event: 'began' | 'ended' | 'aborted'
  readonly jobType: string
  readonly executionId: string
  readonly attempt: number
  readonly jobId: string | null
  readonly scheduledAt: number | null
}
