import type { Duration } from '../duration.ts'
import { InvalidInputError, quote } from '../errors.ts'
import { requireFields, requireOptions } from '../time/require.ts'
import type { ChainCondition } from './execution.ts'
import { type AnyJobType, type JobType, timeoutOf } from './job-type.ts'
import { requireName } from './name.ts'
import { type Priority, requirePriority } from './priority.ts'
import { type RetryOptions, retryRules } from './retry.ts'

/** What may be said about one step of a chain. */
export interface StepOptions {
  /** Default: the job type's. */
  readonly queue?: string | undefined
  /** Default: the job type's. */
  readonly priority?: Priority | undefined
  /** Default: the job type's. */
  readonly timeout?: Duration | undefined
  /** Default: the job type's. */
  readonly retry?: RetryOptions | undefined
  /** The same key, within tenant and job type, means the same execution: a second chain goes on from the first one's. */
  readonly idempotencyKey?: string | undefined
}

type StepType<Payload> = JobType<unknown, unknown, Payload> | string

/** A step of a chain: a job type or its id, or either with an input of its own and options. */
export type ChainStep<Payload = unknown> =
  | StepType<Payload>
  | (StepOptions & { readonly type: StepType<Payload>; readonly input?: NoInfer<Payload> | undefined })

/** Steps of different job types. */
type ChainSteps<Payloads extends readonly unknown[]> = {
  readonly [Place in keyof Payloads]: ChainStep<Payloads[Place]>
}

/** A step as it is enqueued: what it stands behind are places in the list of steps. */
export interface PlannedStep {
  readonly type: AnyJobType | string
  readonly input: unknown
  readonly options: StepOptions
  readonly after: readonly { readonly place: number; readonly on: ChainCondition }[]
}

const STEP_OPTIONS = ['queue', 'priority', 'timeout', 'retry', 'idempotencyKey'] as const
const MAX_STEPS = 10_000

/** Steps that run one after the other, or side by side. A value: every method gives another chain, and changes none. */
export class Chain {
  /** @internal */
  readonly steps: readonly PlannedStep[]
  /** The places of the steps that the next one stands behind. */
  readonly #last: readonly number[]

  /** @internal */
  constructor(steps: readonly PlannedStep[], last: readonly number[]) {
    this.steps = steps
    this.#last = last
  }

  /** Steps that run once all of the last ones have succeeded, side by side. Without an input they get what those returned. */
  next<Payloads extends readonly unknown[]>(...steps: ChainSteps<Payloads>): Chain {
    return this.#behind(steps, 'success')
  }

  /** Steps that run once all of the last ones have ended, however they did. */
  always<Payloads extends readonly unknown[]>(...steps: ChainSteps<Payloads>): Chain {
    return this.#behind(steps, 'end')
  }

  /**
   * Steps beside the chain: they run for each of the last ones that has failed for good. The chain goes on from where it was. Behind several they
   * take no idempotency key.
   */
  onFailure<Payloads extends readonly unknown[]>(...steps: ChainSteps<Payloads>): Chain {
    const branches = this.#last.flatMap((place) => {
      return steps.map((step) => planned(step, [{ place, on: 'failure' }]))
    })
    if (this.#last.length > 1) requireNoKeys(branches, this.#last.length)
    return new Chain(withinLimit([...this.steps, ...branches]), this.#last)
  }

  #behind(steps: readonly ChainStep[], on: ChainCondition): Chain {
    if (steps.length === 0) {
      throw new InvalidInputError('chain.empty', 'A chain goes on with at least one step; got none.')
    }
    const after = this.#last.map((place) => ({ place, on }))
    const added = steps.map((step) => planned(step, after))
    const last = added.map((_, index) => this.steps.length + index)
    return new Chain(withinLimit([...this.steps, ...added]), last)
  }
}

/**
 * A chain that begins with a job type and its input.
 *
 * ```ts
 * const steps = chain(extract, { url }).next(resize, index).next(publish).onFailure(alertOps)
 * const [extracted] = await app.enqueueChain(steps)
 * ```
 */
export function chain<Payload>(
  type: StepType<Payload>,
  ...[input, options = {}]: undefined extends NoInfer<Payload>
    ? [input?: NoInfer<Payload>, options?: StepOptions]
    : [input: NoInfer<Payload>, options?: StepOptions]
): Chain {
  requireOptions(options, 'Chain options', STEP_OPTIONS)
  return new Chain([{ type: requireStepType(type), input, options: requireStepOptions(options), after: [] }], [0])
}

function planned(step: ChainStep, after: PlannedStep['after']): PlannedStep {
  if (typeof step !== 'object' || step === null || !('type' in step)) {
    return { type: requireStepType(step), input: undefined, options: {}, after }
  }
  requireFields(step, 'Chain step', ['type', 'input', ...STEP_OPTIONS])
  const { type, input, ...options } = step
  return { type: requireStepType(type), input, options: requireStepOptions(options), after }
}

/** A mistake in a chain is told where it is written, not where it is enqueued. */
function requireStepOptions(options: StepOptions): StepOptions {
  const { queue, priority, timeout, retry, idempotencyKey } = options
  if (queue !== undefined) requireName(queue, 'queue')
  if (priority !== undefined) requirePriority(priority)
  if (timeout !== undefined) timeoutOf(timeout)
  if (retry !== undefined) retryRules(retry)
  if (idempotencyKey !== undefined) requireName(idempotencyKey, 'idempotencyKey')
  return options
}

function requireStepType(type: unknown): AnyJobType | string {
  if (typeof type === 'string') return requireName(type, 'Job type id')
  if (typeof type === 'object' && type !== null && 'id' in type && 'run' in type) return type as AnyJobType
  const message = `A step of a chain must be what job(…) gives, the id of a job type, or { type, input, … }, got ${quote(type)}.`
  throw new InvalidInputError('option.invalid', message, { name: 'type' })
}

/** The branches of several steps would be one execution, behind the first of them only. */
function requireNoKeys(branches: readonly PlannedStep[], behind: number): void {
  const keyed = branches.find(({ options }) => options.idempotencyKey !== undefined)
  if (!keyed) return
  const id = typeof keyed.type === 'string' ? keyed.type : keyed.type.id
  const message = `Chain step ${quote(id)} takes no idempotencyKey in onFailure behind ${behind} steps, because it would be the same for each of them.`
  throw new InvalidInputError('option.invalid', message, { name: 'idempotencyKey', jobType: id })
}

function withinLimit(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  if (steps.length <= MAX_STEPS) return steps
  throw new InvalidInputError('chain.too_long', `A chain has at most ${MAX_STEPS} steps, got ${steps.length}.`, {
    steps: steps.length,
  })
}
