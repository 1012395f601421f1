import { parseDuration } from '../../duration.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import type { SignalSchemas } from '../../job/activity/signals.ts'
import { Chain } from '../../job/execution/chain.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { Batcher } from '../../store/batcher.ts'
import type { EnqueueResult, NewExecution } from '../../store/executions.ts'
import { requireSameInput } from '../../store/idempotency.ts'
import type { Patience } from '../../store/patience.ts'
import type { Store } from '../../store/store.ts'
import { instantOf } from '../../time/instant.ts'
import { invalidOption, requireList, requireOptions } from '../../time/require.ts'
import { InFlight } from '../running/in-flight.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { inEnqueueSpan, type OpenSpan, type TraceContext } from '../telemetry/tracing.ts'
import { type EnqueueOptions, type Mould, mouldOf, requireRunAt, type TemplateDeps } from './execution-template.ts'
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
  readonly store: Store
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
  readonly #underWay = new InFlight()

  constructor(options: EnqueuerOptions) {
    this.#options = options
    const flush = (executions: readonly NewExecution[]) => options.store.executions.enqueue(executions)
    this.#batcher = new Batcher({ flush, sendsAlone: true, maxFlushes: FLUSHES })
    this.#keyed = new Batcher({ flush, sendsAlone: true, maxFlushes: KEYED_FLUSHES })
  }

  enqueue(type: AnyJobType | string, input: unknown, options: EnqueueOptions = {}): Promise<Enqueued> {
    const send = async (span: OpenSpan) => {
      const enqueued = await this.#enqueue(type, input, options, span.trace)
      span.setId(enqueued.id)
      return enqueued
    }
    return this.#underWay.track(naming(type, inEnqueueSpan({ jobType: idOf(type) }, send)))
  }

  async #enqueue(
    type: AnyJobType | string,
    input: unknown,
    options: EnqueueOptions,
    trace: TraceContext,
  ): Promise<Enqueued> {
    const execution = await this.#executionOf(type, input, options, trace)
    const { transaction } = options
    // One behind others may be refused, and locks them for a moment: nobody else waits or fails with it.
    if (transaction === undefined && execution.after) {
      return this.#answer(execution, (await this.#store([execution], options))[0])
    }
    if (transaction === undefined) {
      const batcher = execution.body.idempotencyKey === null ? this.#batcher : this.#keyed
      const [ms, since] = [patienceOf(options), this.#options.env.monotonic()]
      let result: EnqueueResult
      try {
        result = await batcher.add(execution)
      } catch (error) {
        result = await this.#options.patience.keepAfter(error, () => batcher.add(execution), { ms, since })
      }
      return this.#answer(execution, result)
    }
    const [result] = await this.#options.store.executions.enqueue([execution], { transaction })
    return this.#answer(execution, result, false)
  }

  enqueueMany(
    type: AnyJobType | string,
    inputs: readonly unknown[],
    options: EnqueueOptions = {},
  ): Promise<Enqueued[]> {
    const sent = { jobType: idOf(type), count: Array.isArray(inputs) ? inputs.length : 0 }
    const send = ({ trace }: OpenSpan) => this.#enqueueMany(type, inputs, options, trace)
    return this.#underWay.track(naming(type, inEnqueueSpan(sent, send)))
  }

  async #enqueueMany(
    type: AnyJobType | string,
    inputs: readonly unknown[],
    options: EnqueueOptions,
    trace: TraceContext,
  ): Promise<Enqueued[]> {
    const mould = this.#mouldOf(type, options, trace)
    if (options.idempotencyKey !== undefined) {
      throw new InvalidInputError(
        'option.invalid',
        'enqueueMany takes no idempotencyKey, because it would be the same for all; enqueue them one by one.',
        { name: 'idempotencyKey' },
      )
    }
    // A hole is an input of nothing.
    await this.#options.knownTypes.check(type)
    const payloads = Array.from(requireList(inputs, 'inputs'), (input, place) => mould.encode(input, place))
    if (mould.isChecked) for (const [place, payload] of payloads.entries()) await mould.check(payload, place)
    const executions = payloads.map((payload) => mould.cast(payload))
    const { transaction } = options
    const results =
      transaction === undefined
        ? await this.#store(executions, options)
        : await this.#options.store.executions.enqueue(executions, { transaction })
    return executions.map((execution, index) => this.#answer(execution, results[index], transaction === undefined))
  }

  /** Stores all steps of a chain, or none. The answers stand in the order in which the steps were written. */
  enqueueChain(chain: Chain, options: EnqueueChainOptions = {}): Promise<EnqueuedStep[]> {
    if (!(chain instanceof Chain)) return Promise.reject(invalidOption(chain, 'chain', 'what chain(…) gives'))
    const [first] = chain.steps
    const sent = { jobType: first ? idOf(first.type) : '', count: chain.steps.length }
    const send = ({ trace }: OpenSpan) => this.#enqueueChain(chain, options, trace)
    return this.#underWay.track(namingFirst(chain, inEnqueueSpan(sent, send)))
  }

  async #enqueueChain(chain: Chain, options: EnqueueChainOptions, trace: TraceContext): Promise<EnqueuedStep[]> {
    const { tenant, transaction, after } = requireOptions(options, 'Chain options', CHAIN_OPTIONS)
    const executions: NewExecution[] = []
    for (const step of chain.steps) {
      const before = step.after.map(({ place, on }) => ({ id: executions[place]?.body.id ?? '', on }))
      const stepOptions = { ...step.options, tenant, after: before.length > 0 ? before : after }
      executions.push(await this.#executionOf(step.type, step.input, stepOptions, trace))
    }
    const results =
      transaction === undefined
        ? await this.#store(executions, options)
        : await this.#options.store.executions.enqueue(executions, { transaction })
    return executions.map((execution, index) => ({
      ...this.#answer(execution, results[index], transaction === undefined),
      jobType: execution.body.jobType,
    }))
  }

  /** Waits until everything that was asked for is stored. */
  async drain(): Promise<void> {
    await this.#underWay.settled()
  }

  async #executionOf(
    type: AnyJobType | string,
    input: unknown,
    options: EnqueueOptions,
    trace: TraceContext,
  ): Promise<NewExecution> {
    const mould = this.#mouldOf(type, options, trace)
    const payload = mould.encode(input)
    await this.#options.knownTypes.check(type)
    await mould.check(payload)
    return mould.cast(payload)
  }

  #mouldOf(type: AnyJobType | string, options: EnqueueOptions, trace: TraceContext): Mould {
    const mould = mouldOf(this.#options, type, options, trace)
    const { env, time } = this.#options
    // An instant that the caller's own clock calls present is accepted, however far that clock is behind.
    if (options.runAt !== undefined) requireRunAt(instantOf(options.runAt, 'runAt'), Math.min(time.now(), env.now()))
    return mould
  }

  #answer({ body, runAt, delayMs }: NewExecution, result: EnqueueResult | undefined, isCommitted = true): Enqueued {
    if (!result) throw answerMissing()
    // Under its own id it is new, also where a first try was stored and its answer lost.
    if (result.id !== body.id) {
      requireSameInput(body, result)
      return { id: result.id, isNew: false }
    }
    const { id, jobType, jobId, tenant } = body
    // What the caller has not committed yet is nobody's business.
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

  /**
   * Ids are made here, so that what may have been stored can be sent again. Each call waits by itself and not in a batch: one that gives up leaves nothing
   * behind that is stored later.
   */
  async #store(executions: readonly NewExecution[], options: EnqueueOptions): Promise<readonly EnqueueResult[]> {
    const { store, patience } = this.#options
    return await patience.keep(() => store.executions.enqueue(executions), { ms: patienceOf(options) })
  }
}

function answerMissing(): PontualError {
  return new PontualError('store.answer_missing', 'The store gave no answer for an execution.')
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
