/**
 * What is written down while the torture goes on, outside the database, a line of JSON each. Whoever sees something writes it himself, before he does anything
 * else, so that a process that is killed has told what it did. Instants are of the machine's own clock, which is one for all processes (see `machine-time.ts`):
 * the clocks that nodes go by may be wrong by an hour.
 */
export type Line = Effect | Asked | Answered | Strike | Sample | ClockReading

interface Common {
  readonly at: number
  /** Who writes: `node-3`, `client-1`, `stage`. A process that is started again is somebody new. */
  readonly by: string
}

/** Something that user code did, which nobody can take back. */
export interface Effect extends Common {
  readonly kind: 'effect'
  /** `began` and `ended` are of a handler, `performed` is one activity of a durable one, `heard` a signal it has taken, `woke` the end of a sleep. */
  readonly effect: 'began' | 'ended' | 'performed' | 'heard' | 'woke'
  readonly executionId: string
  readonly attempt: number
  readonly jobType: string
  readonly tenant: string
  /** Which activity, signal or sleep of its execution. */
  readonly name?: string | undefined
  /** What a sleep had to wait for, or the instant that an occurrence is of, as the code was told. */
  readonly dueAt?: number | undefined
  readonly detail?: unknown
}

/** A client is about to send a request; it has an answer in a line of its own, or none if nobody knows. */
export interface Asked extends Common {
  readonly kind: 'asked'
  /** Unique over all processes. A request that is sent again after an unknown answer is another request with the same key. */
  readonly request: string
  readonly verb: 'enqueue' | 'enqueueOverHttp' | 'cancel' | 'signal' | 'schedule' | 'setTenant' | 'pause' | 'resume'
  readonly tenant: string
  /** What is asked about, where the client knows it before: the execution's id, the job's name, the signal's name. */
  readonly subject?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly input?: unknown
  /** It is not to begin before so long after it was asked for. */
  readonly delayMs?: number | undefined
}

export interface Answered extends Common {
  readonly kind: 'answered'
  readonly request: string
  /** `unknown`: the store or the service could not be asked, or gave no answer. */
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  /** The execution, job or signal that the answer names. */
  readonly subject?: string | undefined
  /** The answer itself, or the error's name and message. */
  readonly detail?: unknown
}

/** A fault that is struck, or healed again. */
export interface Strike extends Common {
  readonly kind: 'strike'
  readonly fault: string
  readonly phase: 'begun' | 'healed' | 'skipped'
  readonly detail?: unknown
}

/** What was running at one instant of the database, read in one snapshot. */
export interface Sample extends Common {
  readonly kind: 'sample'
  readonly tenants: readonly { readonly tenant: string; readonly running: number; readonly most: number | null }[]
  /** Executions of jobs that must not overlap, that run at the same time. */
  readonly overlapping: readonly { readonly job: string; readonly running: number }[]
}

/** What the wall clock of the machine, which the database goes by, says at an instant of the lines: somebody may be setting it right all the time. */
export interface ClockReading extends Common {
  readonly kind: 'clock'
  readonly wallMinusMachineMs: number
}
