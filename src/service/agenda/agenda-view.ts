/** A job that fires, and when. */
export interface AgendaItemView {
  readonly jobId: string
  readonly name: string
  readonly at: string
}

/** When jobs of a tenant fire within a stretch of time, as they stand now. */
export interface AgendaView {
  readonly from: string
  readonly to: string
  readonly bucketMinutes: number
  /** How many jobs fire by themselves, whether within the stretch or not. */
  readonly jobs: number
  /** Whether the tenant is, so that nothing of this fires until JOBS_SCHEDULING is switched on again. */
  readonly isSuspended: boolean
  /** Those in which something fires. They begin at multiples of their length since the epoch. */
  readonly buckets: readonly { readonly at: string; readonly count: number }[]
  /** The first 500. */
  readonly items: readonly AgendaItemView[]
  /** Whether it took too long to find out all of it. */
  readonly isPartial: boolean
}

export interface UpcomingView {
  /** Whether the tenant is, so that nothing of this fires until JOBS_SCHEDULING is switched on again. */
  readonly isSuspended: boolean
  readonly items: readonly (AgendaItemView & { readonly timeZone: string })[]
}

/** When jobs would not fire any more, and when they would beside, if a calendar were another. */
export interface CalendarPreviewView {
  /** Those for which anything changes, by name. */
  readonly jobs: readonly {
    readonly jobId: string
    readonly name: string
    /** The first 100. */
    readonly removed: readonly string[]
    readonly added: readonly string[]
    readonly removedCount: number
    readonly addedCount: number
  }[]
  /** Sensitive jobs that become PENDING_APPROVAL with the change, whether their fires change or not. */
  readonly approvals: readonly { readonly jobId: string; readonly name: string }[]
  readonly isPartial: boolean
}
