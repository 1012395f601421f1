import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import type { ExecutionOptions } from '../../job/execution/execution.ts'
import type { After } from '../../job/execution/predecessor.ts'
import type { Priority } from '../../job/rules/priority.ts'
import type { RetryOptions, RetryRules } from '../../job/rules/retry.ts'
import { type AnyJobType, timeoutOf } from '../../job/type/job-type.ts'
import type { NewExecution, TransactionClient } from '../../store/executions.ts'
import { formatInstant, type Instant, instantOf } from '../../time/instant.ts'
import { requireBoolean } from '../../time/require.ts'
import type { TraceContext } from '../telemetry/tracing.ts'

/** How and when what is enqueued runs. */
export interface EnqueueOptions {
  /** Whose it is. Default: the tenant of the application. */
  readonly tenant?: string | undefined
  /** Default: the job type's. */
  readonly queue?: string | undefined
  /** Default: the job type's. */
  readonly priority?: Priority | undefined
  /** Run it not before so long from now. */
  readonly delay?: Duration | undefined
  /** Run it not before this instant; an instant that is past means now. */
  readonly runAt?: Instant | undefined
  /**
   * Run it after other executions, once each of them has ended as asked: with success, where nothing else is said. It is WAITING until then, and
   * CANCELLED as soon as one of them has ended otherwise. Without an input it gets what they returned. Goes with neither `delay` nor `runAt`.
   */
  readonly after?: After | readonly After[] | undefined
  /** The same key, within tenant and job type, means the same execution: a second call gives the first one. */
  readonly idempotencyKey?: string | undefined
  /** Default: the job type's. */
  readonly timeout?: Duration | undefined
  /** Default: the job type's. */
  readonly retry?: RetryOptions | undefined
  /** Runs it also where the result of an equal input is kept; its own result then takes that one's place. Default false. */
  readonly fresh?: boolean | undefined
  /** Says of a job type that is not known here, and is named by its id, whether it is durable. Default false. */
  readonly durable?: boolean | undefined
  /** Your own transaction: the execution exists if and only if it commits. */
  readonly transaction?: TransactionClient | undefined
  /**
   * How long to wait for a store that is unavailable before the call fails. It is stored once, however often it is sent. A call in your own transaction
   * never waits. Default: that of the application.
   */
  readonly patience?: Duration | undefined
}

/** An input, and options; what runs after others may do without an input of its own. */
export type EnqueueArguments<Payload> = undefined extends Payload
  ? [input?: Payload, options?: EnqueueOptions]
  :
      | [input: Payload, options?: EnqueueOptions]
      | [input: undefined, options: EnqueueOptions & { readonly after: After | readonly After[] }]

export const ENQUEUE_OPTIONS = [
  'tenant',
  'queue',
  'priority',
  'delay',
  'runAt',
  'after',
  'idempotencyKey',
  'timeout',
  'retry',
  'fresh',
  'durable',
  'transaction',
  'patience',
] as const satisfies readonly (keyof EnqueueOptions)[]

/** A job type that is known here says so itself. */
export function durabilityOf(known: Pick<AnyJobType, 'id' | 'isDurable'> | null, { durable }: EnqueueOptions): boolean {
  const asked = durable === undefined ? null : requireBoolean(durable, 'durable')
  if (!known || asked === null || asked === known.isDurable) return known?.isDurable ?? asked ?? false
  const message = `Job type "${known.id}" is ${asked ? 'not ' : ''}durable, so that durable: ${asked} contradicts it. Leave durable out.`
  throw new InvalidInputError('option.invalid', message, { name: 'durable' })
}

export function startOf({ delay, runAt, after }: EnqueueOptions): Pick<NewExecution, 'runAt' | 'delayMs'> {
  if (after !== undefined && (delay !== undefined || runAt !== undefined)) {
    const message =
      'Enqueue takes either after, or delay or runAt; got both. It runs as soon as those before it have ended.'
    throw new InvalidInputError('option.invalid', message, { name: 'after' })
  }
  if (delay !== undefined && runAt !== undefined) {
    throw new InvalidInputError('option.invalid', 'Enqueue takes either delay or runAt; got both.', { name: 'runAt' })
  }
  if (delay !== undefined) return { runAt: null, delayMs: parseDuration(delay, 'delay') }
  return { runAt: runAt === undefined ? null : instantOf(runAt, 'runAt') }
}

/** Clocks differ, and a call takes its time. */
const RUN_AT_TOLERANCE_MS = 60_000

/** Refuses an instant that is past: it is most likely a mistake, and would run at once. */
export function requireRunAt(runAt: number, now: number): number {
  if (runAt >= now - RUN_AT_TOLERANCE_MS) return runAt
  throw new InvalidInputError(
    'execution.run_at_past',
    `runAt must not be more than a minute in the past, got ${formatInstant(runAt)}; it is ${formatInstant(now)} now. Leave runAt out to run it at once.`,
    { name: 'runAt', runAt, now },
  )
}

/** One for all: executions that have the very same options are stored together with less work. */
const DURABLE: ExecutionOptions = Object.freeze({ durable: true })

export function executionOptions(
  { timeout, fresh, after }: EnqueueOptions,
  retry: RetryRules | null,
  isDurable: boolean,
  trace: TraceContext,
): ExecutionOptions | null {
  const options: ExecutionOptions = {
    ...(timeout === undefined ? {} : { timeoutMs: timeoutOf(timeout) }),
    ...(retry === null ? {} : { retry }),
    ...(fresh !== undefined && requireBoolean(fresh, 'fresh') ? { fresh } : {}),
    ...(after === undefined ? {} : { isFollower: true }),
    ...(isDurable ? { durable: true } : {}),
    ...trace,
  }
  const count = Object.keys(options).length
  if (isDurable && count === 1) return DURABLE
  return count > 0 ? options : null
}
