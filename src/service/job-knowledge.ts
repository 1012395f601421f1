/** What a job may be of. */
export interface JobTypeView {
  readonly id: string
  /** Whether a node has it, so that jobs of it can be made and run; false where only stored jobs name it. */
  readonly isKnown: boolean
  /** null, as the two behind it, where this process does not have it. */
  readonly isDurable: boolean | null
  readonly isSensitive: boolean | null
  /** Whether it is declared enqueueable: then it may be enqueued without a job, unless a sensitive job uses it. */
  readonly isEnqueueable: boolean
  readonly queue: string | null
  /** JSON Schema of what it may be given; null where it takes anything, or nobody here can tell. */
  readonly inputSchema: Readonly<Record<string, unknown>> | null
  /** How many jobs of the tenant are of it. */
  readonly jobCount: number
}

/** What somebody would say yes to: a job as it is now against what was approved last. */
export interface ApprovalView {
  /** Whether it waits for a second person's yes. */
  readonly isPending: boolean
  /** Whether nobody has said yes to it before: then all of it is new. */
  readonly isFirst: boolean
  /** Who asks for the yes; null: the code, or nobody asks. */
  readonly requestedBy: string | null
  readonly requestedAt: string | null
  /** By the names that the fields of a job have. */
  readonly changes: readonly ApprovalChange[]
}

export interface ApprovalChange {
  readonly field: string
  readonly approved: unknown
  readonly current: unknown
  /** False where nobody knows any more what was approved: of a payload the audit log keeps the hash alone. */
  readonly isApprovedKnown: boolean
}

/** When a job is due. */
export interface NextExecutionView {
  readonly nextExecution: string | null
  /** The first ten. */
  readonly upcoming: readonly string[]
  /** Its trigger in words. */
  readonly description: string
}
