import type { Duration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { requireFields, requireOptions } from '../../time/require.ts'
import { requireName } from '../name.ts'
import { type Priority, requirePriority } from '../rules/priority.ts'
import { type RetryOptions, retryRules } from '../rules/retry.ts'
import { type AnyJobType, type JobType, timeoutOf } from '../type/job-type.ts'
import type { ChainCondition, PredecessorResult } from './execution.ts'

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

type StepType<Payload = unknown, Output = unknown> = JobType<unknown, Output, Payload> | string

/** A step of a chain: a job type or its id, or either with an input of its own and options. */
export type ChainStep<Payload = unknown> = StepType<Payload> | StepWithOptions<Payload>

interface StepWithOptions<Payload> extends StepOptions {
  readonly type: StepType<Payload>
  /** Default: the output of the preceding steps. */
  readonly input?: Payload | undefined
}

/** The input of a step behind one that did not succeed. */
export type FailedStep = Pick<PredecessorResult, 'executionId' | 'jobType' | 'status' | 'error'>

type TypeOf<Step> = Step extends { readonly type: infer Type } ? Type : Step
type PayloadOf<Step> = TypeOf<Step> extends JobType<unknown, unknown, infer Payload> ? Payload : unknown
type OutputOf<Step> = TypeOf<Step> extends JobType<unknown, infer Output, unknown> ? Known<Output> : never
type OutputsOf<Steps extends readonly unknown[]> = { readonly [Place in keyof Steps]: OutputOf<Steps[Place]> }

/** An output that is not known is `never`, which fits any input. */
type Known<Output> = unknown extends Output
  ? never
  : undefined extends Output
    ? Exclude<Output, void> | undefined
    : Output

/** A list of outputs contains null in place of undefined. */
type InList<Output> = undefined extends Output ? Exclude<Output, undefined> | null : Output

/** The input of a step once all preceding steps have succeeded: the output of one, or the list of several. */
type AfterSuccess<Outputs extends readonly unknown[]> = number extends Outputs['length']
  ? never
  : Outputs extends readonly [infer Output]
    ? Output
    : { -readonly [Place in keyof Outputs]: InList<Outputs[Place]> }

/** The same once all preceding steps have ended, however they did. */
type AfterEnd<Outputs extends readonly unknown[]> = number extends Outputs['length']
  ? never
  : Outputs extends readonly [infer Output]
    ? Output | FailedStep
    : { -readonly [Place in keyof Outputs]: InList<Outputs[Place]> | null }

/** Steps of different job types. Each one without an input of its own has to accept `Given`. */
type Steps<Each extends readonly unknown[], Given> = {
  readonly [Place in keyof Each]: Each[Place] & NoInfer<FittingStep<Each[Place], Given>>
}

type FittingStep<Step, Given> = Step extends { readonly type: unknown }
  ? StepWithOptions<PayloadOf<Step>> & NoOtherFields<Step> & (HasInput<Step> extends true ? unknown : Fits<Step, Given>)
  : StepType & Fits<Step, Given>

type NoOtherFields<Step> = { readonly [Field in Exclude<keyof Step, keyof StepWithOptions<unknown>>]: never }

type HasInput<Step> = Step extends { readonly input: infer Input } ? (undefined extends Input ? false : true) : false

/** A job type without an input ignores the one it gets. */
type Fits<Step, Given> = [PayloadOf<Step>] extends [undefined]
  ? unknown
  : [Given] extends [PayloadOf<Step>]
    ? unknown
    : OutputDoesNotFitInput<Given, PayloadOf<Step>>

/** No step has this field: its name is the message of the compiler. */
interface OutputDoesNotFitInput<Output, Input> {
  readonly 'The output of the steps before does not fit the input of this step': readonly [output: Output, input: Input]
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

/**
 * Steps that run one after the other, or side by side. A value: every method gives another chain, and changes none. A step without an input of its own compiles only
 * if its job type accepts the output of the preceding steps; the output of a job type that is named by its id is not checked.
 */
export class Chain<Outputs extends readonly unknown[] = readonly never[]> {
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
  next<Each extends readonly unknown[]>(...steps: Steps<Each, AfterSuccess<Outputs>>): Chain<OutputsOf<Each>> {
    return this.#behind(steps, 'success')
  }

  /** Steps that run once all of the last ones have ended, however they did. */
  always<Each extends readonly unknown[]>(...steps: Steps<Each, AfterEnd<Outputs>>): Chain<OutputsOf<Each>> {
    return this.#behind(steps, 'end')
  }

  /**
   * Steps beside the chain: they run for each of the last ones that has failed for good. The chain goes on from where it was. Behind several they
   * take no idempotency key.
   */
  onFailure<Each extends readonly unknown[]>(...steps: Steps<Each, FailedStep>): Chain<Outputs> {
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
export function chain<Payload, Output = unknown>(
  type: StepType<Payload, Output>,
  ...[input, options = {}]: undefined extends NoInfer<Payload>
    ? [input?: NoInfer<Payload>, options?: StepOptions]
    : [input: NoInfer<Payload>, options?: StepOptions]
): Chain<readonly [Known<Output>]> {
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
