import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { requireOptions } from '../../time/require.ts'
import { requireName } from '../name.ts'
import { type RetryRules, requireRetryOptions, retryRules } from '../rules/retry.ts'
import { requireSchema, type StandardSchema } from '../type/standard-schema.ts'

/** What an activity is told about the attempt it performs. The durable context is not for use in here. */
export interface ActivityContext {
  readonly executionId: string
  readonly tenant: string
  readonly activityId: string
  /** The place of the call among those of its run. */
  readonly sequence: number
  /** 1 for the first try. */
  readonly attempt: number
  /** The same in every attempt of this call, and in no other call: hand it to whatever must not be done twice. */
  readonly idempotencyKey: string
  /** Aborted at a timeout, at cancellation, when the node shuts down, and when the run was lost to another node. */
  readonly signal: AbortSignal
  /** Kept with the execution. */
  readonly logger: Logger
  /** Says that it is alive; what it tells is given to the next attempt, should this one not end. */
  readonly heartbeat: (details?: unknown) => void
  /** What the last heartbeat of an earlier attempt told; undefined for none. */
  readonly heartbeatDetails: unknown
}

/** What a compensation is told about the activity it undoes. */
export interface CompensationContext<Output> extends ActivityContext {
  /** What the activity returned; undefined where it is not known how it ended. */
  readonly output: Output | undefined
}

/** How long the parts of an activity may take. */
export interface ActivityTimeouts {
  /** For one attempt. Default: none. */
  readonly attempt?: Duration | undefined
  /** From the call until an attempt starts, where it has a queue of its own. Default: none. */
  readonly start?: Duration | undefined
  /** From the call until it has ended, with all attempts and waits between them. Default: none. */
  readonly total?: Duration | undefined
  /** Between two heartbeats, and until the first. Default: none. */
  readonly heartbeat?: Duration | undefined
}

/** How often an activity is tried again, and how long it waits between. */
export interface ActivityRetryOptions {
  /** How often it is tried again after the first failure. Default 3. */
  readonly retries?: number | undefined
  /** The wait after the first failure. Default 1 second. */
  readonly initial?: Duration | undefined
  /** By how much each wait is longer than the one before. Default 2. */
  readonly factor?: number | undefined
  /** The longest wait. Default 1 minute. */
  readonly max?: Duration | undefined
  /** Default `none`; `full`: any wait from zero up to the one that is due. */
  readonly jitter?: 'none' | 'full' | undefined
  /** Errors after which no retry makes sense: classes, or names of classes or `code`s. An error may also say when to try again: `retryAfter`, a duration or an instant. */
  readonly nonRetryable?: readonly ((abstract new (...args: never[]) => Error) | string)[] | undefined
}

/** Timeouts and retries of an activity, checked and complete; null: none. */
export interface ActivityRules {
  readonly attemptMs: number | null
  readonly startMs: number | null
  readonly totalMs: number | null
  readonly heartbeatMs: number | null
  readonly retry: RetryRules
  /** null: it runs where its run does. */
  readonly queue: string | null
}

/** What a call may change about an activity's rules. */
export interface CallOptions {
  /** One duration means one attempt. */
  readonly timeout?: Duration | ActivityTimeouts | undefined
  readonly retry?: ActivityRetryOptions | undefined
  readonly idempotencyKey?: string | undefined
}

/** What an activity is declared with. */
export interface ActivityOptions<Input, Output, Payload = Input> {
  /** Any Standard Schema. Checked at the call. */
  readonly input?: StandardSchema<Payload, Input> | undefined
  /** Checked before the result is recorded. */
  readonly output?: StandardSchema<unknown, Output> | undefined
  /** One duration means one attempt. */
  readonly timeout?: Duration | ActivityTimeouts | undefined
  /** Default: three retries, after 1, 2 and 4 seconds. */
  readonly retry?: ActivityRetryOptions | undefined
  /** It runs on a node that serves this queue, and its run waits for it without a slot. Default: where its run does. */
  readonly queue?: string | undefined
  /** Default: made of the execution and the place of the call. */
  readonly idempotencyKey?: ((input: Input) => string) | undefined
  /** Does the work. May run more than once for one call: see `idempotencyKey`. Once its result is recorded it never runs again. */
  readonly run: (input: Input, context: ActivityContext) => Output | Promise<Output>
  /** Undoes it when its run fails or is cancelled. Runs as an activity does, in reverse order of the calls; must stand that the work was not done where `output` is undefined. */
  readonly compensate?: ((input: Input, context: CompensationContext<Output>) => unknown) | undefined
}

/** A typed function with an id, of which each call of a durable job is recorded. */
export interface Activity<Input = unknown, Output = unknown, Payload = Input> {
  readonly id: string
  readonly schema: StandardSchema<Payload, Input> | null
  readonly outputSchema: StandardSchema<unknown, Output> | null
  readonly rules: ActivityRules
  // Methods, so that a list may hold activities of different inputs.
  keyOf(input: Input): string | null
  run(input: Input, context: ActivityContext): Output | Promise<Output>
  compensate(input: Input, context: CompensationContext<Output>): unknown
  readonly hasCompensation: boolean
}

/** An activity whose input and output are known only to itself. */
export type AnyActivity = Activity<unknown, unknown, unknown>

/**
 * Declares an activity.
 *
 * ```ts
 * const charge = activity('charge-card', {
 *   timeout: '30s',
 *   retry: { retries: 4, initial: '1s', nonRetryable: [CardDeclined] },
 *   run: async (input: Charge, { signal, idempotencyKey }) => gateway.charge(input, { signal, idempotencyKey }),
 * })
 * ```
 */
export function activity<Input = undefined, Output = unknown, Payload = Input>(
  id: string,
  options: ActivityOptions<Input, Output, Payload>,
): Activity<Input, Output, Payload> {
  const thing = `Activity ${quote(id)}`
  requireOptions(options, thing, [
    'input',
    'output',
    'timeout',
    'retry',
    'queue',
    'idempotencyKey',
    'run',
    'compensate',
  ])
  const { run, compensate, idempotencyKey } = options
  requireFunction(run, `${thing}: run`)
  if (compensate !== undefined) requireFunction(compensate, `${thing}: compensate`)
  if (idempotencyKey !== undefined) requireFunction(idempotencyKey, `${thing}: idempotencyKey`)
  if (options.input !== undefined) requireSchema(options.input, `${thing}: input`)
  if (options.output !== undefined) requireSchema(options.output, `${thing}: output`)
  return Object.freeze({
    id: requireName(id, 'Activity id'),
    schema: options.input ?? null,
    outputSchema: options.output ?? null,
    rules: activityRules(options),
    keyOf: (input: Input) => (idempotencyKey ? requireName(idempotencyKey(input), `${thing}: idempotencyKey`) : null),
    run,
    compensate: compensate ?? (() => undefined),
    hasCompensation: compensate !== undefined,
  })
}

export function activityRules({
  timeout,
  retry,
  queue,
}: Pick<ActivityOptions<unknown, unknown>, 'timeout' | 'retry' | 'queue'>): ActivityRules {
  return {
    ...timeoutsOf(timeout),
    retry: activityRetry(retry),
    queue: queue === undefined ? null : requireName(queue, 'queue'),
  }
}

/** The rules of one call: the activity's own, but for what the call says. */
export function rulesOfCall(rules: ActivityRules, options: CallOptions): ActivityRules {
  requireOptions(options, 'Call options', ['timeout', 'retry', 'idempotencyKey'])
  const { timeout, retry, idempotencyKey } = options
  if (idempotencyKey !== undefined) requireName(idempotencyKey, 'idempotencyKey')
  if (timeout === undefined && retry === undefined) return rules
  return {
    ...rules,
    ...(timeout === undefined ? {} : timeoutsOf(timeout)),
    ...(retry === undefined ? {} : { retry: activityRetry(retry) }),
  }
}

type Timeouts = Pick<ActivityRules, 'attemptMs' | 'startMs' | 'totalMs' | 'heartbeatMs'>

function timeoutsOf(timeout: Duration | ActivityTimeouts | undefined): Timeouts {
  const given = typeof timeout === 'object' ? timeout : { attempt: timeout }
  const { attempt, start, total, heartbeat } = requireOptions(given, 'timeout', [
    'attempt',
    'start',
    'total',
    'heartbeat',
  ])
  const ms = (duration: Duration | undefined, name: string) =>
    duration === undefined ? null : positive(duration, name)
  return {
    attemptMs: ms(attempt, 'timeout'),
    startMs: ms(start, 'timeout.start'),
    totalMs: ms(total, 'timeout.total'),
    heartbeatMs: ms(heartbeat, 'timeout.heartbeat'),
  }
}

function positive(duration: Duration, name: string): number {
  const ms = parseDuration(duration, name)
  if (ms > 0) return ms
  throw new InvalidInputError('option.invalid', `${name} must be longer than nothing, got ${quote(duration)}.`, {
    name,
  })
}

const RETRY_OPTIONS = ['retries', 'initial', 'factor', 'max', 'jitter', 'nonRetryable'] as const

function activityRetry(retry: ActivityRetryOptions = {}): RetryRules {
  requireRetryOptions(retry, 'Activity retry', RETRY_OPTIONS)
  return retryRules({ ...retry, initial: retry.initial ?? 1_000, max: retry.max ?? 60_000 })
}

function requireFunction(value: unknown, name: string): void {
  if (typeof value === 'function') return
  throw new InvalidInputError('option.invalid', `${name} must be a function, got ${quote(value)}.`, { name })
}
