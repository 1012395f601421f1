import type { Duration } from '../../duration.ts'
import type { Logger } from '../../logger.ts'
import type { Instant } from '../../time/instant.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import type { Priority } from '../rules/priority.ts'
import type { StandardSchema } from '../type/standard-schema.ts'
import type { Activity, ActivityContext, CallOptions } from './activity.ts'
import type { SignalName, SignalSchemas, SignalValue } from './signals.ts'

/** `query(text, values)` inside the transaction of a step. */
export interface DurableTransaction {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
}

/** A timer with a name: resolves to whether it fired or was cancelled. */
export interface DurableTimer extends Promise<'fired' | 'cancelled'> {
  /** Does nothing once it has fired. */
  cancel(): void
}

/** How long a signal is waited for. */
export interface SignalOptions {
  /** How long to wait at most. */
  readonly timeout: Duration
}

/** How a child is started. */
export interface ChildOptions {
  /** Default: the job type's. */
  readonly queue?: string | undefined
  /** Default: the job type's. */
  readonly priority?: Priority | undefined
  /** How long it waits before it may begin. Default: not at all. */
  readonly delay?: Duration | undefined
}

/** As much of a job type as it takes to start it: what `job(…)` gives. */
export interface ChildJob<Input, Output, Payload> {
  readonly id: string
  readonly schema: StandardSchema<Payload, Input> | null
  run(input: Input, context: never): Output | Promise<Output>
}

/** A child execution that was started. */
export interface Child<Output> {
  readonly executionId: string
  /** Waits for its end: its output, or a `ChildFailedError`. */
  result(): Promise<Output>
}

/** What may be handed to a call that takes an input, and options. */
type InputAnd<Payload, Options> = undefined extends Payload
  ? [input?: Payload, options?: Options]
  : [input: Payload, options?: Options]

/** A wait has a schema of its own only for signals that the job type does not declare. */
type WaitSchema<Signals, Payload> = string extends keyof Signals ? StandardSchema<unknown, Payload> : undefined

/**
 * What a durable job does to the world goes through here. Each call takes its number at once and is recorded when it is settled; after a crash what is recorded is
 * replayed, not repeated. Calls may stand in `Promise.all`, loops and branches; they are not for use inside an activity.
 */
export interface DurableContext<Signals extends SignalSchemas = SignalSchemas> {
  readonly executionId: string
  readonly jobType: string
  /** The job whose occurrence this is; null where it was enqueued by itself. */
  readonly jobId: string | null
  readonly tenant: string
  /** 1 for the first; grows only where a node was lost. */
  readonly attempt: number
  readonly scheduledAt: number | null
  readonly misfire: MisfireInfo | null
  readonly idempotencyKey: string
  /** Aborted when the run is cancelled or has run out of time. */
  readonly abortSignal: AbortSignal

  /** Performs an activity, once. Throws an `ActivityFailedError` when all its attempts are used up. */
  run<Input, Output, Payload>(
    activity: Activity<Input, Output, Payload>,
    ...given: InputAnd<NoInfer<Payload>, CallOptions>
  ): Promise<Output>
  /** The same for a function without a declaration of its own. The name says what is recorded. */
  run<Output>(
    name: string,
    perform: (context: ActivityContext) => Output | Promise<Output>,
    options?: CallOptions,
  ): Promise<Output>
  /** SQL that commits together with its record: exactly once. Runs in the store's own database. */
  transaction<Output>(
    name: string,
    perform: (transaction: DurableTransaction) => Output | Promise<Output>,
  ): Promise<Output>
  transaction<Output>(perform: (transaction: DurableTransaction) => Output | Promise<Output>): Promise<Output>

  /** Waits without a slot, for milliseconds or for years; keeps its instant over restarts. */
  sleep(duration: Duration): Promise<void>
  sleepUntil(instant: Instant): Promise<void>
  timer(id: string, at: Instant): DurableTimer

  /**
   * Waits for a message that was, or is going to be, sent by `app.signal`. What does not fit the schema is left out, and logged. The job type may declare its signals
   * (`signals`): then the schema is the declared one, and no other name is accepted.
   */
  signal<Payload = unknown, Name extends SignalName<Signals> = SignalName<Signals>>(
    name: Name,
    schema?: WaitSchema<Signals, Payload>,
  ): Promise<SignalValue<Signals, Name, Payload>>
  /** null where none has come in time. */
  signal<Payload = unknown, Name extends SignalName<Signals> = SignalName<Signals>>(
    name: Name,
    schema: WaitSchema<Signals, Payload> | undefined,
    options: SignalOptions,
  ): Promise<SignalValue<Signals, Name, Payload> | null>

  /** Starts another job as a child, and goes on. */
  start<Input, Output, Payload>(
    job: ChildJob<Input, Output, Payload>,
    ...given: InputAnd<NoInfer<Payload>, ChildOptions>
  ): Promise<Child<Output>>
  /** Starts another job as a child and waits for its output. */
  call<Input, Output, Payload>(
    job: ChildJob<Input, Output, Payload>,
    ...given: InputAnd<NoInfer<Payload>, ChildOptions>
  ): Promise<Output>

  /** The instant of the last thing that was settled: the same on every replay. */
  now(): number
  /** From 0 up to, but not including, 1: the same on every replay. */
  random(): number
  /** A UUID that is the same on every replay. */
  uuid(): string
  /** Kept with the execution; silent while what happened before is replayed. */
  readonly log: Logger

  /** Keeps a state for whoever looks at the run, and for `lastCheckpoint`. */
  checkpoint(state: unknown): Promise<void>
  /** The state kept last, by this run. */
  lastCheckpoint<State = unknown>(): State | undefined

  /** Runs when the run is cancelled, the latest first; may use this context. */
  onCancel(cleanUp: () => unknown): void
  /** Whether this run takes the path of changed code: true for runs that come here for the first time, false for those whose history was made without it. */
  patched(id: string): boolean
  /** Begins anew with another input and an empty history. Never returns. */
  continueAs(input: unknown): Promise<never>
}
