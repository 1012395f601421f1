import type { CancelTimer } from '../clock.ts'
import type { ActivityRules, AnyActivity } from '../job/activity/activity.ts'
import type { Divergence } from '../job/activity/divergence.ts'
import type { ChildOptions, DurableTransaction } from '../job/activity/durable-context.ts'
import type { HistoryEntry, NewEntry, RecordAnswer } from '../job/activity/history.ts'
import type { AnyJobType } from '../job/type/job-type.ts'
import type { Logger } from '../logger.ts'

/** Events of steps. */
export type StepEvent = 'activity.completed' | 'activity.failed' | 'activity.retried' | 'activity.replayed'

export interface StepFacts {
  readonly sequence: number
  readonly activity: string
  readonly attempt: number
  readonly error?: string | undefined
  readonly delayMs?: number | undefined
}

/** A child execution: another job, or an activity with a queue of its own. */
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

/** How a run stops on its node. */
export type RunStop =
  | { readonly kind: 'success'; readonly output: string | null }
  | { readonly kind: 'failure'; readonly status: 'FAILED' | 'TIMEOUT' | 'CANCELLED'; readonly error: unknown }
  | { readonly kind: 'continued'; readonly input: string | null }
  | { readonly kind: 'diverged'; readonly divergence: Divergence }
  /** The node asked it to start nothing more, and nothing is in flight. */
  | { readonly kind: 'suspended' }
  /** The store refused a record: another node holds the run. */
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

/** The port of a run: the only way in which it has effects. */
export interface RunHost {
  /** The store's time as this process estimates it. */
  now(): number
  /** The most by which the estimate may be ahead. Added to a duration, the duration is never shorter. */
  readonly marginMs: number
  random(): number
  uuid(): string
  after(delayMs: number, call: () => void): CancelTimer
  /** Calls in the next turn of the event loop. */
  nextTurn(call: () => void): void
  /** The logger of the application. */
  readonly logger: Logger
  /** The log of the execution. */
  readonly log: Logger
  /** Performs one attempt of an activity in a trace span. */
  inActivity<Result>(facts: StepFacts, perform: () => Result): Result
  /** Emits an event and writes it to the log. */
  tell(event: StepEvent, facts: StepFacts): void

  /** Writes entries atomically, in the order of the requests. Rejects only if the store cannot store them. */
  record(entries: readonly NewEntry[], discards?: readonly number[]): Promise<RecordAnswer>
  /** Runs SQL and writes its entries in one transaction; false if the run is no longer held. */
  transact(work: (transaction: DurableTransaction) => Promise<readonly NewEntry[]>): Promise<boolean>
  /** Writes entries and the child in one transaction; false if the run is no longer held. */
  startChild(entries: readonly NewEntry[], child: ChildRequest): Promise<boolean>
  /** Cancels a child; with `unlessStarted` only one that has not started. Resolves to true if it was cancelled. */
  cancelChild(id: string, options: { readonly unlessStarted: boolean }): Promise<boolean>
  /**
   * null if the lease of the run is certain. Otherwise, after a pause of this process, another node may hold it: resolves after the store was asked, and by then a lost run
   * is abandoned.
   */
  makeSure(): Promise<void> | null
  /** Reads the news of the run and passes them to `hear` before it resolves. */
  askForNews(): Promise<void>

  /** Nothing is in flight and the run waits for an instant (`dueAt`), for news, or for both. The node may park it. */
  onIdle(dueAt: number | null): void
  /** The code of a run that is away wants to start something. */
  onRestless(): void
  onStop(stop: RunStop): void
}
