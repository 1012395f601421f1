import type { Env } from '../../clock.ts'
import { decodeValue, inputEncoder } from '../../durable/codec.ts'
import { parseDuration } from '../../duration.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import type { SignalSchemas } from '../../job/activity/signals.ts'
import { Chain } from '../../job/execution/chain.ts'
import { predecessorsOf } from '../../job/execution/predecessor.ts'
import { requireName } from '../../job/name.ts'
import { requirePriority } from '../../job/rules/priority.ts'
import { type RetryRules, retryRules } from '../../job/rules/retry.ts'
import { type AnyJobType, DEFAULT_QUEUE, refuseForDurable } from '../../job/type/job-type.ts'
import { validate } from '../../job/type/standard-schema.ts'
import { Batcher } from '../../store/batcher.ts'
import type { EnqueueResult, NewExecution } from '../../store/executions.ts'
import { requireSameInput } from '../../store/idempotency.ts'
import type { Patience } from '../../store/patience.ts'
import type { EngineStore } from '../../store/store.ts'
import { instantOf } from '../../time/instant.ts'
import { invalidOption, requireList, requireOptions } from '../../time/require.ts'
import type { StoreTime } from '../node/store-time.ts'
import { InFlight } from '../running/in-flight.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { inEnqueueSpan, type OpenSpan, type TraceContext } from '../telemetry/tracing.ts'
import {
  durabilityOf,
  ENQUEUE_OPTIONS,
  type EnqueueOptions,
  executionOptions,
  requireRunAt,
  startOf,
} from './enqueue-options.ts'
import type { KnownTypes } from './known-types.ts'

/** An execution that was asked for. */
export interface Enqueued<Output = unknown, Signals extends SignalSchemas = SignalSchemas> {
  readonly id: string
  /** False where the idempotency key had been used before: then this is that execution. */
  readonly isNew: boolean
  /** Not there at runtime: the type of the output, for `waitFor` and `execution`. */
  readonly [OUTPUT]?: Output | undefined
  /** Not there at runtime: the signals that its job type declares, for `signal`. */
  readonly [SIGNALS]?: Signals | undefined
}

declare const OUTPUT: unique symbol
declare const SIGNALS: unique symbol

/** A step of a chain that was asked for. */
export interface EnqueuedStep extends Enqueued {
  readonly jobType: string
}

/** Options for all steps of a chain. */
export type EnqueueChainOptions = Pick<EnqueueOptions, 'tenant' | 'after' | 'transaction' | 'patience'>

export interface EnqueuerOptions extends TemplateDeps {
  readonly store: EngineStore
  readonly telemetry: Telemetry
  readonly patience: Patience
  readonly knownTypes: KnownTypes
  /** Something was made ready (null), or is due later. */
  onEnqueued(dueAt: number | null): void
}

/** Flushes under way at once: while one waits for the disk the next is sent. */
const FLUSHES = 2
const KEYED_FLUSHES = 4
const CHAIN_OPTIONS = [
  'tenant',
  'after',
  'transaction',
  'patience',
] as const satisfies readonly (keyof EnqueueChainOptions)[]

/** Turns what is asked for into stored executions; many that are asked for at once share a round trip. */
export class Enqueuer {
  readonly #options: EnqueuerOptions
  readonly #batcher: Batcher<NewExecution, EnqueueResult>
  /** Those with an idempotency key, which may have to wait for somebody's open transaction: nobody else waits with them. */
  readonly #keyed: Batcher<NewExecution, EnqueueResult>
  readonly #inFlight = new InFlight()

  constructor(options: EnqueuerOptions) {
    this.#options = options
    const flush = (executions: readonly NewExecution[]) => options.store.executions.enqueue(executions)
    this.#batcher = new Batcher({ flush, sendsAlone: true, maxFlushes: FLUSHES })
    this.#keyed = new Batcher({ flush, sendsAlone: true, maxFlushes: KEYED_FLUSHES })
  }

  enqueue(type: AnyJobType | string, input: unknown, options: EnqueueOptions = {}): Promise<Enqueued> {
    const send = async (span: OpenSpan) => {
      const execution = await this.#build(type, input, options, span.trace)
      // A follower may be rejected, and locks its predecessors for a moment: it does not share a round trip.
      const isShared = options.transaction === undefined && !execution.after
      const enqueued = isShared ? await this.#sendShared(execution, options) : await this.#sendOne(execution, options)
      span.setId(enqueued.id)
      return enqueued
    }
    return this.#inFlight.track(naming(type, inEnqueueSpan({ jobType: idOf(type) }, send)))
  }

  enqueueMany(
    type: AnyJobType | string,
    inputs: readonly unknown[],
    options: EnqueueOptions = {},
  ): Promise<Enqueued[]> {
    const send = async ({ trace }: OpenSpan) => {
      const template = this.#templateOf(type, options, trace)
      if (options.idempotencyKey !== undefined) throw keyOfMany()
      await this.#options.knownTypes.check(type)
      // A hole is an input of nothing.
      const payloads = Array.from(requireList(inputs, 'inputs'), (input, place) => template.encode(input, place))
      if (template.isChecked) for (const [place, payload] of payloads.entries()) await template.check(payload, place)
      const executions = payloads.map((payload) => template.build(payload))
      return await this.#send(executions, options)
    }
    const sent = { jobType: idOf(type), count: Array.isArray(inputs) ? inputs.length : 0 }
    return this.#inFlight.track(naming(type, inEnqueueSpan(sent, send)))
  }

  /** Stores all steps of a chain, or none. The results are in the order in which the steps were written. */
  enqueueChain(chain: Chain, options: EnqueueChainOptions = {}): Promise<EnqueuedStep[]> {
    if (!(chain instanceof Chain)) return Promise.reject(invalidOption(chain, 'chain', 'what chain(…) gives'))
    const send = async ({ trace }: OpenSpan) => {
      const { tenant, after } = requireOptions(options, 'Chain options', CHAIN_OPTIONS)
      const executions: NewExecution[] = []
      for (const step of chain.steps) {
        const before = step.after.map(({ place, on }) => ({ id: executions[place]?.body.id ?? '', on }))
        const stepOptions = { ...step.options, tenant, after: before.length > 0 ? before : after }
        executions.push(await this.#build(step.type, step.input, stepOptions, trace))
      }
      const enqueued = await this.#send(executions, options)
      return enqueued.map((each, index) => ({ ...each, jobType: executions[index]?.body.jobType ?? '' }))
    }
    const [first] = chain.steps
    const sent = { jobType: first ? idOf(first.type) : '', count: chain.steps.length }
    return this.#inFlight.track(namingFirst(chain, inEnqueueSpan(sent, send)))
  }

  /** Waits until everything that was enqueued is stored, or has failed. */
  async drain(): Promise<void> {
    await this.#inFlight.settled()
  }

  async #build(
    type: AnyJobType | string,
    input: unknown,
    options: EnqueueOptions,
    trace: TraceContext,
  ): Promise<NewExecution> {
    const template = this.#templateOf(type, options, trace)
    const payload = template.encode(input)
    await this.#options.knownTypes.check(type)
    await template.check(payload)
    return template.build(payload)
  }

  #templateOf(type: AnyJobType | string, options: EnqueueOptions, trace: TraceContext): Template {
    const template = templateOf(this.#options, type, options, trace)
    const { env, time } = this.#options
    // An instant that the caller's own clock calls present is accepted, however far that clock is behind.
    if (options.runAt !== undefined) requireRunAt(instantOf(options.runAt, 'runAt'), Math.min(time.now(), env.now()))
    return template
  }

  /** Executions that are enqueued at the same time share a round trip. */
  async #sendShared(execution: NewExecution, options: EnqueueOptions): Promise<Enqueued> {
    const batcher = execution.body.idempotencyKey === null ? this.#batcher : this.#keyed
    const [ms, since] = [patienceOf(options), this.#options.env.monotonic()]
    let result: EnqueueResult
    try {
      result = await batcher.add(execution)
    } catch (error) {
      result = await this.#options.patience.keepAfter(error, () => batcher.add(execution), { ms, since })
    }
    return this.#enqueued(execution, result, true)
  }

  async #sendOne(execution: NewExecution, options: EnqueueOptions): Promise<Enqueued> {
    const [enqueued] = await this.#send([execution], options)
    return enqueued as Enqueued
  }

  /**
   * Stores executions in one statement. Their ids are made here, so that a statement whose result was lost can be sent again. Each call waits for
   * an unavailable store by itself and not in a batch: a call that gives up leaves nothing behind that is stored later.
   */
  async #send(
    executions: readonly NewExecution[],
    { transaction, ...options }: Pick<EnqueueOptions, 'transaction' | 'patience'>,
  ): Promise<Enqueued[]> {
    const { store, patience } = this.#options
    const results =
      transaction === undefined
        ? await patience.keep(() => store.executions.enqueue(executions), { ms: patienceOf(options) })
        : await store.executions.enqueue(executions, { transaction })
    const isCommitted = transaction === undefined
    return executions.map((execution, index) => this.#enqueued(execution, results[index], isCommitted))
  }

  #enqueued(execution: NewExecution, result: EnqueueResult | undefined, isCommitted: boolean): Enqueued {
    const { body, runAt, delayMs } = execution
    if (!result) throw new PontualError('store.answer_missing', 'The store gave no answer for an execution.')
    // Under its own id it is new, also if a first try was stored and its result lost.
    if (result.id !== body.id) {
      requireSameInput(body, result)
      return { id: result.id, isNew: false }
    }
    const { id, jobType, jobId, tenant } = body
    // The caller may still roll back.
    if (!isCommitted) return { id, isNew: true }
    const { telemetry } = this.#options
    if (telemetry.hears('execution.queued')) {
      telemetry.tell('execution.queued', { executionId: id, jobType, jobId, tenant })
    }
    const now = this.#options.time.now()
    const dueAt = delayMs === undefined ? runAt : now + delayMs
    this.#options.onEnqueued(dueAt !== null && dueAt > now ? dueAt : null)
    return { id, isNew: true }
  }
}

export interface TemplateDeps {
  readonly env: Env
  readonly time: StoreTime
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly defaultTenant: string
  readonly defaultRetry: RetryRules
}

/** The common part of the executions of one call: read and checked once, however many there are. */
export interface Template {
  /** An input as it is stored; `place` is its index in a list. */
  encode(input: unknown, place?: number): string | null
  /** Whether the job type has a schema. */
  readonly isChecked: boolean
  /** Throws if a stored input does not fit the schema, whose output the handler receives. */
  check(payload: string | null, place?: number): Promise<void>
  build(payload: string | null): NewExecution
}

/** The rules of a job type that its executions are created by. */
export type EnqueuedType = Pick<AnyJobType, 'id' | 'schema' | 'queue' | 'priority' | 'isDurable' | 'retry'>

export function templateOf(
  deps: TemplateDeps,
  type: EnqueuedType | string,
  options: EnqueueOptions,
  trace: TraceContext,
): Template {
  const { time, env, types, defaultTenant, defaultRetry } = deps
  requireOptions(options, 'Enqueue options', ENQUEUE_OPTIONS)
  const known: EnqueuedType | null = typeof type === 'string' ? (types.get(type) ?? null) : type
  const jobType = known?.id ?? requireName(type, 'Job type id')
  const thing = (place?: number) => `${place === undefined ? 'Input' : `inputs[${place}]`} of job type "${jobType}"`
  const schema = known?.schema ?? null
  const after = options.after === undefined ? undefined : predecessorsOf(options.after)
  const retry = options.retry === undefined ? null : retryRules(options.retry)
  const start = startOf(options)
  const isDurable = durabilityOf(known, options)
  if (isDurable) refuseForDurable(options, ['retry'], `Job type "${jobType}"`)
  const { queue = known?.queue ?? DEFAULT_QUEUE, priority = known?.priority ?? 'MEDIUM' } = options
  const common = {
    tenant: options.tenant === undefined ? defaultTenant : requireName(options.tenant, 'tenant'),
    queue: requireName(queue, 'queue'),
    priority: requirePriority(priority),
    maxAttempts: (retry ?? known?.retry ?? defaultRetry).retries + 1,
    idempotencyKey: options.idempotencyKey === undefined ? null : requireName(options.idempotencyKey, 'idempotencyKey'),
    options: executionOptions(options, retry, isDurable, trace),
  }
  return {
    encode: (input, place) => inputEncoder(isDurable)(input, thing(place)),
    isChecked: schema !== null,
    check: async (payload, place) => {
      // The results of predecessors are checked when they are known.
      const isGiven = payload !== null || after === undefined
      if (schema && isGiven) await validate(schema, decodeValue(payload), thing(place))
    },
    build: (payload) => {
      const now = time.now()
      const body = {
        id: env.uuid(now),
        tenant: common.tenant,
        jobId: null,
        jobType,
        queue: common.queue,
        priority: common.priority,
        origin: 'enqueue',
        payload,
        scheduledAt: null,
        maxAttempts: common.maxAttempts,
        idempotencyKey: common.idempotencyKey,
        options: common.options,
        createdAt: now,
      } as const
      return { body, runAt: start.runAt, delayMs: start.delayMs, after }
    },
  }
}

function keyOfMany(): InvalidInputError {
  const message = 'enqueueMany takes no idempotencyKey, because it would be the same for all; enqueue them one by one.'
  return new InvalidInputError('option.invalid', message, { name: 'idempotencyKey' })
}

function idOf(type: AnyJobType | string): string {
  return typeof type === 'string' ? type : String(type?.id)
}

/**
 * Rejects with an error that names the job type. Several calls may fail with one error, such as a store that cannot be opened, so each gets its own, of the
 * same class and with the same fields; `cause` is the original.
 */
export async function naming<Result>(type: AnyJobType | string, asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    const subject = `Job type ${quote(idOf(type))}`
    if (!(error instanceof Error) || error.message.toLowerCase().includes(subject.toLowerCase())) throw error
    const message = `${subject} was not enqueued: ${error.message}`
    // A DOMException that its constructor has not made throws when its name is read.
    const isReadable = !(error instanceof DOMException)
    const named = Reflect.construct(Error, [message, { cause: error }], isReadable ? error.constructor : Error) as Error
    const fields = isReadable ? Object.fromEntries(Object.entries(error)) : { name: error.name }
    throw Object.assign(named, fields, { message, cause: error })
  }
}

/** The same for a chain: its error names the job type of the first step. */
export async function namingFirst<Result>(chain: Chain, asked: Promise<Result>): Promise<Result> {
  const first = chain instanceof Chain ? chain.steps[0] : undefined
  return await (first ? naming(first.type, asked) : asked)
}

/** How long a call waits for the store; undefined: as long as the application says. A call within a transaction of the caller does not wait. */
export function patienceOf(options: Pick<EnqueueOptions, 'patience' | 'transaction'> | undefined): number | undefined {
  if (options?.transaction !== undefined) return 0
  return options?.patience === undefined ? undefined : parseDuration(options.patience, 'patience')
}
