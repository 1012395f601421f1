import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { requireInteger, requireOptions } from '../../time/require.ts'
import {
  type AnyJobType,
  JOB_TYPE_FIELDS,
  type JobContext,
  type JobType,
  type JobTypeOptions,
  job,
} from './job-type.ts'

/** What a handler is told about the executions whose inputs it is given together. All are of one tenant. */
export interface BatchContext {
  readonly jobType: string
  readonly tenant: string
  /** One for each input, in the same order: whose it is, its own signal, logger and progress. */
  readonly contexts: readonly JobContext[]
  /** Aborted once the signals of all of them are: at shutdown, at the timeout, and when none of them is this node's any more. */
  readonly signal: AbortSignal
}

// A handler that returns nothing has the type `void`.
// biome-ignore lint/suspicious/noConfusingVoidType: it stands for what a handler may return
type BatchOutputs<Output> = readonly (Output | Error)[] | undefined | void

/** What a batch job is declared with: a job type, but for a handler that takes several inputs at once. */
export interface BatchJobOptions<Input, Output, Payload = Input>
  extends Omit<JobTypeOptions<Input, Output, Payload>, 'run' | 'isolate' | 'durable'> {
  /** The most inputs of one call, 1-500. A call has no more than the node has free slots when it claims. */
  readonly size: number
  /**
   * Does the work of several executions at once, which stand in the order in which they were claimed. Returns an output for each input in
   * the same order, or nothing at all; an `Error` in the place of an output fails that execution alone. What it throws fails all of them.
   */
  readonly run: (inputs: readonly Input[], batch: BatchContext) => BatchOutputs<Output> | Promise<BatchOutputs<Output>>
}

/** How a job type takes several inputs at once. */
export interface BatchRules {
  readonly size: number
  readonly run: (inputs: readonly unknown[], batch: BatchContext) => unknown
}

/** A job type whose handler takes several inputs at once; whoever asks for a run sees no difference. */
export interface BatchJobType<Input = unknown, Output = unknown, Payload = Input>
  extends JobType<Input, Output, Payload> {
  readonly batch: BatchRules
}

/** Well within what one claim takes. */
const MAX_SIZE = 500

/**
 * Declares a job type whose handler takes several inputs in one call. Each stays an execution of its own.
 *
 * ```ts
 * const index = batchJob('index', {
 *   size: 100,
 *   run: async (documents: readonly Document[], { signal }) => search.index(documents, { signal }),
 * })
 * ```
 */
export function batchJob<Input = undefined, Output = unknown, Payload = Input>(
  id: string,
  options: BatchJobOptions<Input, Output, Payload>,
): BatchJobType<Input, Output, Payload> {
  const thing = `Job type ${quote(id)}`
  const given = { ...options }
  if ('isolate' in given) {
    const message = `${thing}: a handler of several inputs cannot be isolated; leave isolate out, or declare it with job().`
    throw new InvalidInputError('option.invalid', message, { name: 'isolate' })
  }
  if ('durable' in given) {
    const message = `${thing}: a handler of several inputs cannot be durable; leave durable out, or declare it with job().`
    throw new InvalidInputError('option.invalid', message, { name: 'durable' })
  }
  requireOptions(options, thing, ['size', ...JOB_TYPE_FIELDS])
  const { size, run, ...rest } = given
  requireInteger(size, `${thing}: size`, 1, MAX_SIZE)
  if (typeof run !== 'function') {
    const message = `${thing}: run must be a function, got ${quote(run)}.`
    throw new InvalidInputError('option.invalid', message, { name: 'run' })
  }
  const single = async (input: Input, context: JobContext): Promise<Output> => {
    const { jobType, tenant, signal } = context
    const returned: unknown = await run([input], { jobType, tenant, contexts: [context], signal })
    const [output] = outputsOf(returned, 1, id)
    if (output instanceof Error) throw output
    return output as Output
  }
  const batch: BatchRules = { size, run: (inputs, context) => run(inputs as readonly Input[], context) }
  return Object.freeze({ ...job<Input, Output, Payload>(id, { ...rest, run: single }), batch: Object.freeze(batch) })
}

/** How a job type takes several inputs at once; null where it takes one. */
export function batchOf(type: AnyJobType): BatchRules | null {
  return 'batch' in type ? (type.batch as BatchRules) : null
}

/** The outputs of a call, one for each input; or an error that says what was returned instead. */
export function outputsOf(returned: unknown, count: number, jobType: string): readonly unknown[] {
  if (returned === undefined) return Array.from({ length: count })
  if (Array.isArray(returned) && returned.length === count) return returned
  const received = Array.isArray(returned) ? String(returned.length) : quote(returned)
  throw new PontualError(
    'batch.outputs_invalid',
    `Job type ${quote(jobType)}: run must return one output for each of its ${count} inputs, in their order, or nothing; got ${received}.`,
    { jobType, inputs: count, outputs: Array.isArray(returned) ? returned.length : null },
  )
}
