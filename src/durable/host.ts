import type { CancelTimer } from '../clock.ts'
import type { ActivityRules, AnyActivity } from '../job/activity/activity.ts'
import type { ChildOptions, DurableTransaction } from '../job/activity/durable-context.ts'
import type { Divergence, HistoryEntry, NewEntry, RecordAnswer } from '../job/activity/history.ts'
import type { AnyJobType } from '../job/type/job-type.ts'
import type { Logger } from '../logger.ts'

/** What happened to a step, for whoever listens. */
export type StepEvent = 'activity.completed' | 'activity.failed' | 'activity.retried' | 'activity.replayed'

export interface StepFacts {
  readonly sequence: number
  readonly activity: string
  readonly attempt: number
  readonly error?: string | undefined
  readonly delayMs?: number | undefined
}

/** A child execution that a run asks for: another job, or an activity that has a queue of its own. */
export type ChildRequest =
  | { readonly id: string; readonly job: AnyJobType; readonly payload: string | null; readonly options: ChildOptions }
  | {
      readonly id: string
      readonly activity: AnyActivity
      readonly rules: ActivityRules & { readonly queue: string }
      readonly payload: string | null
      readonly sequence: number
      readonly idempotencyKey: string
    }

/** How a run has come to a stop. */
export type RunStop =
  | { readonly kind: 'success'; readonly output: string | null }
  | { readonly kind: 'failure'; readonly status: 'FAILED' | 'TIMEOUT' | 'CANCELLED'; readonly error: unknown }
  | { readonly kind: 'continued'; readonly input: string | null }
  | { readonly kind: 'diverged'; readonly divergence: Divergence }
  /** It was asked to begin nothing more, and nothing is under way. */
  | { readonly kind: 'suspended' }
  /** The store refused a record: somebody else has it. */
  | { readonly kind: 'lost' }

/** The facts that a run starts from. */
export interface RunOptions {
  readonly executionId: string
  readonly host: RunHost
  /** The first start, if nothing is recorded that states it. */
  readonly startedAt: number
  /** From the start to the end, waits included; null for no limit. */
  readonly timeoutMs: number | null
  /** The instant from which the timeout counts. Default: the first start. */
  readonly timeoutFrom?: number | undefined
  /** The history; empty on the first start. */
  readonly entries: readonly HistoryEntry[]
  /** The seed of `ctx.random`. Default: the id. A run with a copied history has the seed of the original. */
  readonly seed?: string | undefined
}

/** What a run needs of the node it is on. */
export interface RunHost {
  /** The store's time, as far as this process knows it. */
  now(): number
  /** By how much it may be ahead of that: with it, what is to last so long never lasts shorter. */
  readonly marginMs: number
  random(): number
  uuid(): string
  after(delayMs: number, call: () => void): CancelTimer
  /** Once everything has gone first that the event loop has at hand. */
  nextTurn(call: () => void): void
  /** The application's own. */
  readonly logger: Logger
  /** Kept with the execution. */
  readonly log: Logger
  /** Performs one attempt of an activity where traces show it. */
  inActivity<Result>(facts: StepFacts, perform: () => Result): Result
  tell(event: StepEvent, facts: StepFacts): void

  /** Entries of one call are written together, and those of an earlier call before those of a later one. Rejects only where the store cannot take them. */
  record(entries: readonly NewEntry[], discards?: readonly number[]): Promise<RecordAnswer>
  /** Runs SQL and what it is to be recorded with in one transaction; false where the run is not held any more. */
  transact(work: (transaction: DurableTransaction) => Promise<readonly NewEntry[]>): Promise<boolean>
  /** False where the run is not held any more. */
  startChild(entries: readonly NewEntry[], child: ChildRequest): Promise<boolean>
  /** Ends a child; with `unlessStarted` only one that nobody has begun. Whether it was ended. */
  cancelChild(id: string, options: { readonly unlessStarted: boolean }): Promise<boolean>
  /**
   * null where the run is held for sure. Where this process may have stood still for so long that somebody else has it: resolves once that is found out, and by then the
   * run was told if it is so.
   */
  makeSure(): Promise<void> | null
  /** Reads what has come for the run, and hands it to `hear`, before it resolves. */
  askForNews(): Promise<void>

  /** Nothing is under way, and the run waits: for an instant, for something that comes, or both. It may be told to leave. */
  onIdle(dueAt: number | null): void
  /** The code of a run that has left goes on by itself: it wants to be back. */
  onRestless(): void
  onStop(stop: RunStop): void
}
