import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import { requireBoolean, requireOptions } from '../../time/require.ts'
import type { DurableContext } from '../activity/durable-context.ts'
import { type SignalSchemas, signalsOf } from '../activity/signals.ts'
import type { PredecessorResult } from '../execution/execution.ts'
import { type DeclaredFollower, declaredFollowers, type FollowerOption } from '../execution/follower.ts'
import { type FaultRule, faultRule } from '../job-definition.ts'
import { requireName } from '../name.ts'
import { type Priority, requirePriority } from '../rules/priority.ts'
import { type RateLimit, type RateLimitOptions, rateLimitOf } from '../rules/rate-limit.ts'
import { type RetryOptions, type RetryRules, retryRules } from '../rules/retry.ts'
import { type DeclaredSchedule, type RequiredInput, requireSchedule } from '../schedule-options.ts'
import { type CacheOptions, type CacheRules, cacheRules } from './cache.ts'
import {
  type InlineIsolateOptions,
  type IsolateKind,
  type Isolation,
  isolationOf,
  type ModuleIsolateOptions,
  refuseDirectCall,
} from './isolation.ts'
import { requireSchema, type StandardSchema } from './standard-schema.ts'

/**
 * What a handler is told about the run it performs, and what it may do while it runs. Hand it on as it is, or take fields out by their names:
 * `signal`, `logger`, `progress` and what has to do with checkpoints are made when they are asked for, and a copy such as `{ ...context }` does not have them.
 */
export interface JobContext {
  readonly executionId: string
  readonly jobType: string
  /** The job whose occurrence this is; null where it was enqueued by itself. */
  readonly jobId: string | null
  readonly tenant: string
  /** 1 for the first try. */
  readonly attempt: number
  readonly maxAttempts: number
  /** When it was due; null where it was enqueued by itself. */
  readonly scheduledAt: number | null
  /** What was missed, where a misfire caused this run. */
  readonly misfire: MisfireInfo | null
  /** How the executions ended that this one stood behind, in the order given; none for most. */
  readonly predecessors: readonly PredecessorResult[]
  /** The same in every attempt: hand it to whatever must not be done twice. */
  readonly idempotencyKey: string
  /** Aborted at the timeout, when the execution is cancelled, when the node shuts down, and when the node has lost the execution. */
  readonly signal: AbortSignal
  /** Kept with the execution, and written to the application's log. */
  readonly logger: Logger
  /** Says how far it is: from 0 to 1, and in words. */
  readonly progress: (fraction: number, note?: string) => void
  /** Keeps how far it has come, in its own words, for its next attempt; resolves once that is stored. Takes the place of what was kept before. */
  readonly checkpoint: (state: unknown) => Promise<void>
  /** What this execution kept last, also in an earlier attempt; undefined for nothing. */
  readonly lastCheckpoint: <State = unknown>() => Promise<State | undefined>
}

/** What a job type is declared with. */
export interface JobTypeOptions<Input, Output, Payload = Input> {
  /** Any Standard Schema: Zod, Valibot, ArkType … Checked when a run is asked for, and again before it runs. */
  readonly input?: StandardSchema<Payload, Input> | undefined
  /** Does the work. May run more than once for one execution: see `idempotencyKey`. */
  readonly run: (input: Input, context: JobContext) => Output | Promise<Output>
  /**
   * Runs it in a thread or a process of its own, which a timeout can kill and a crash takes along. It is sent as text: it sees its parameters,
   * globals and what it imports itself. Default: it runs in the node's own event loop.
   */
  readonly isolate?: IsolateKind | InlineIsolateOptions | undefined
  /** The lane of its executions. Default `default`. */
  readonly queue?: string | undefined
  /** Default MEDIUM. */
  readonly priority?: Priority | undefined
  /** Default: the scheduler's, which is none. */
  readonly timeout?: Duration | undefined
  /** Default: three retries, after 1, 2 and 4 minutes. */
  readonly retry?: RetryOptions | undefined
  /** How long a result stands in for runs with an equal input, within a tenant. Default: every execution runs. */
  readonly cache?: Duration | CacheOptions<Input> | undefined
  /** How many attempts may start within a time, over all nodes: of each tenant, or of all together. The rest waits. Default: any number. */
  readonly rateLimit?: RateLimitOptions | undefined
  /**
   * Each of its jobs runs only after a second person has said yes, over the API, to exactly what it would run; until then it is PENDING_APPROVAL. Any change of that
   * needs a new yes. Default false.
   */
  readonly sensitive?: boolean | undefined
  /**
   * The API and the CLI may enqueue it without a job, with any input that its schema accepts, for every caller that has `jobs:execute`. A sensitive type cannot be
   * enqueueable. Default false.
   */
  readonly enqueueable?: boolean | undefined
  /** Whether its jobs stop firing while they are FAULTED, or continue. Default: the application's. */
  readonly onFaulted?: FaultRule | undefined
  /** When it runs by itself: reconciled by name whenever a node starts. */
  readonly schedule?:
    | (DeclaredSchedule<Payload> & RequiredInput<Payload>)
    | readonly (DeclaredSchedule<Payload> & RequiredInput<Payload>)[]
    | undefined
  /** What runs when one of its executions has succeeded, with its output as input. */
  readonly onSuccess?: FollowerOption | readonly FollowerOption[] | undefined
  /** What runs when one of its executions has failed for good, with its id, job type, status and error as input. */
  readonly onFailure?: FollowerOption | readonly FollowerOption[] | undefined
  readonly durable?: false | undefined
  readonly signals?: undefined
}

/**
 * A job type whose steps are recorded: after a crash it goes on where it stood. Each activity has a retry policy of its own, and what was recorded
 * stands in for a cache.
 */
export interface DurableJobTypeOptions<Input, Output, Payload = Input, Signals extends SignalSchemas = SignalSchemas>
  extends Omit<
    JobTypeOptions<Input, Output, Payload>,
    'run' | 'isolate' | 'cache' | 'retry' | 'timeout' | 'durable' | 'signals'
  > {
  readonly durable: true
  /**
   * The signals that it may be sent, each with the schema of its payload, or `unchecked<Type>()`. Names and payloads are then typed, and others are refused, both by
   * `ctx.signal` and when they are sent. Default: any name, any payload.
   */
  readonly signals?: Signals | undefined
  /** The order of the steps. It is run again from the top after a crash: whatever it does to the world, or takes from it, goes through the context. */
  readonly run: (input: Input, context: DurableContext<Signals>) => Output | Promise<Output>
  /** For the whole run, its waits included. Default: none. */
  readonly timeout?: Duration | undefined
  readonly isolate?: undefined
  readonly cache?: undefined
  readonly retry?: undefined
}

/** A job type whose handler is a function of a module, run in a thread or a process of its own. */
export interface ModuleJobTypeOptions<Input, Output, Payload = Input>
  extends Omit<JobTypeOptions<Input, Output, Payload>, 'run' | 'isolate'> {
  readonly run?: undefined
  readonly isolate: ModuleIsolateOptions
}

/** Code: an id, an input schema, a handler and its rules. */
export interface JobType<
  Input = unknown,
  Output = unknown,
  Payload = Input,
  Signals extends SignalSchemas = SignalSchemas,
> {
  readonly id: string
  readonly schema: StandardSchema<Payload, Input> | null
  // A method, so that a list may hold job types of different inputs, and durable ones beside others.
  run(input: Input, context: JobContext | DurableContext): Output | Promise<Output>
  /** What it does is recorded step by step, and it is given a `DurableContext`. */
  readonly isDurable: boolean
  /** null: not declared, so that any signal is accepted. */
  readonly signals: Signals | null
  /** null: it runs in the node's own event loop. */
  readonly isolation: Isolation | null
  readonly queue: string
  readonly priority: Priority
  readonly timeoutMs: number | null
  /** null: the scheduler's. */
  readonly retry: RetryRules | null
  /** null: every execution runs. */
  readonly cache: CacheRules | null
  /** null: any number may start at any time. */
  readonly rateLimit: RateLimit | null
  /** Its jobs need a second person's yes. */
  readonly isSensitive: boolean
  /** The API and the CLI may enqueue it without a job. */
  readonly isEnqueueable: boolean
  /** null: the application's. */
  readonly onFaulted: FaultRule | null
  readonly schedules: readonly DeclaredSchedule<Payload>[]
  /** What its executions start when they end. */
  readonly followers: readonly DeclaredFollower[]
}

/** A job type whose input and output are known only to itself. */
export type AnyJobType = JobType<unknown, unknown, unknown>

export const DEFAULT_QUEUE = 'default'

/** What any job type may be declared with. */
export const JOB_TYPE_FIELDS = [
  'input',
  'run',
  'queue',
  'priority',
  'timeout',
  'retry',
  'cache',
  'rateLimit',
  'sensitive',
  'enqueueable',
  'onFaulted',
  'schedule',
  'onSuccess',
  'onFailure',
] as const satisfies readonly (keyof JobTypeOptions<unknown, unknown>)[]

/**
 * Declares a job type.
 *
 * ```ts
 * const importInvoices = job('import-invoices', {
 *   timeout: '10m',
 *   run: async (input: { month: string }, { signal, logger }) => { … },
 * })
 *
 * const order = job('order', {
 *   durable: true,
 *   run: async (input: Order, ctx) => {
 *     const reservation = await ctx.run(reserveStock, input)
 *     await ctx.sleep('1 day')
 *     await ctx.run(ship, reservation)
 *   },
 * })
 * ```
 */
export function job<Input = undefined, Output = unknown, Payload = Input>(
  id: string,
  options: ModuleJobTypeOptions<Input, Output, Payload>,
): JobType<Input, Output, Payload>

export function job<
  Input = undefined,
  Output = unknown,
  Payload = Input,
  Signals extends SignalSchemas = SignalSchemas,
>(id: string, options: DurableJobTypeOptions<Input, Output, Payload, Signals>): JobType<Input, Output, Payload, Signals>

export function job<Input = undefined, Output = unknown, Payload = Input>(
  id: string,
  options: JobTypeOptions<Input, Output, Payload>,
): JobType<Input, Output, Payload>

export function job<Input, Output, Payload>(
  id: string,
  given:
    | DurableJobTypeOptions<Input, Output, Payload>
    | JobTypeOptions<Input, Output, Payload>
    | ModuleJobTypeOptions<Input, Output, Payload>,
): JobType<Input, Output, Payload> {
  requireOptions(given, `Job type ${quote(id)}`, [...JOB_TYPE_FIELDS, 'isolate', 'durable', 'signals'])
  const isDurable = requireBoolean(given.durable ?? false, `Job type ${quote(id)}: durable`)
  if (isDurable) refuseForDurable(given, ['isolate', 'cache', 'retry'], `Job type ${quote(id)}`)
  const options = given as JobTypeOptions<Input, Output, Payload> | ModuleJobTypeOptions<Input, Output, Payload>
  if (typeof options.run !== 'function' && !(options.run === undefined && options.isolate !== undefined)) {
    throw new InvalidInputError(
      'option.invalid',
      `Job type ${quote(id)}: run must be a function, got ${quote(options.run)}.`,
      { name: 'run' },
    )
  }
  if (options.input !== undefined) requireSchema(options.input, `Job type ${quote(id)}: input`)
  const { schedule = [], isolate, queue = DEFAULT_QUEUE, priority = 'MEDIUM' } = options
  const isolation =
    isolate === undefined
      ? null
      : isolationOf({ thing: `Job type ${quote(id)}`, isolate, run: options.run, declaredBy: job })
  const schedules = Array.isArray(schedule)
    ? (schedule as readonly DeclaredSchedule<Payload>[])
    : [schedule as DeclaredSchedule<Payload>]
  for (const each of schedules) requireSchedule(each, id)
  const isSensitive = requireBoolean(options.sensitive ?? false, `Job type ${quote(id)}: sensitive`)
  const isEnqueueable = requireBoolean(options.enqueueable ?? false, `Job type ${quote(id)}: enqueueable`)
  if (isSensitive && isEnqueueable) throw enqueueableAndSensitive(id)
  return Object.freeze({
    id: requireName(id, 'Job type id'),
    schema: options.input ?? null,
    run: options.run ?? refuseDirectCall(`Job type ${quote(id)}`),
    isDurable,
    signals: signalsOf(given.signals, isDurable, `Job type ${quote(id)}`),
    isolation,
    queue: requireName(queue, 'queue'),
    priority: requirePriority(priority),
    timeoutMs: options.timeout === undefined ? null : timeoutOf(options.timeout),
    retry: options.retry === undefined ? null : retryRules(options.retry),
    cache: options.cache === undefined ? null : cacheRules(options.cache, id),
    rateLimit:
      options.rateLimit === undefined ? null : rateLimitOf(options.rateLimit, `Job type ${quote(id)}: rateLimit`),
    isSensitive,
    isEnqueueable,
    onFaulted:
      options.onFaulted === undefined ? null : faultRule(options.onFaulted, `Job type ${quote(id)}: onFaulted`),
    schedules,
    followers: Object.freeze([
      ...declaredFollowers(options.onSuccess, 'success', `Job type ${quote(id)}: onSuccess`),
      ...declaredFollowers(options.onFailure, 'failure', `Job type ${quote(id)}: onFailure`),
    ]),
  })
}

function enqueueableAndSensitive(id: string): InvalidInputError {
  const message = `Job type ${quote(id)}: enqueueable and sensitive contradict each other: a sensitive type runs only as a job that a second person has approved. Leave one of them out.`
  return new InvalidInputError('option.invalid', message, { name: 'enqueueable' })
}

/** A timeout in milliseconds: at least one. */
export function timeoutOf(timeout: Duration): number {
  const milliseconds = parseDuration(timeout, 'timeout')
  if (milliseconds > 0) return milliseconds
  throw new InvalidInputError(
    'option.invalid',
    `timeout must be longer than zero; leave it out for none, got ${quote(timeout)}.`,
    {
      name: 'timeout',
      received: timeout,
    },
  )
}

/** What does not go with a durable job, and what to do instead. */
const REASONS = {
  isolate: 'a durable job cannot be isolated; isolate what its activities call, or start an isolated job with ctx.call',
  cache: 'a durable job has no cache: what it has done is recorded; cache a job that it starts with ctx.call',
  retry: 'a durable job is not retried as a whole: give each activity its own retry',
} as const

/** Throws where a durable job is given an option that means nothing for it. */
export function refuseForDurable<Name extends keyof typeof REASONS>(
  options: { readonly [Each in Name]?: unknown },
  names: readonly Name[],
  thing: string,
): void {
  for (const name of names) {
    if (options[name] === undefined) continue
    throw new InvalidInputError('option.invalid', `${thing}: ${REASONS[name]}. Leave ${name} out.`, { name })
  }
}
