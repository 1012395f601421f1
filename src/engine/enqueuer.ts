import type { Env } from '../clock.ts'
import { type Duration, parseDuration } from '../duration.ts'
import { InvalidInputError, PontualError } from '../errors.ts'
import type { ExecutionBody, ExecutionOptions } from '../job/execution.ts'
import { type AnyJobType, DEFAULT_QUEUE, timeoutOf } from '../job/job-type.ts'
import { requireName } from '../job/name.ts'
import { decodePayload, encodePayload, isSamePayload } from '../job/payload.ts'
import { type Priority, requirePriority } from '../job/priority.ts'
import { type RetryOptions, type RetryRules, retryRules } from '../job/retry.ts'
import { validate } from '../job/standard-schema.ts'
import type { EnqueueResult, NewExecution, TransactionClient } from '../store/executions.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailableError } from '../store/unavailable.ts'
import { type Instant, instantOf } from '../time/instant.ts'
import { requireList, requireOptions } from '../time/require.ts'
import { Batcher } from './batcher.ts'
import type { StoreTime } from './store-time.ts'
import { activeTraceparent, type Telemetry } from './telemetry.ts'
import { UnderWay } from './under-way.ts'

export interface EnqueueOptions {
  readonly tenant?: string | undefined
  readonly queue?: string | undefined
  readonly priority?: Priority | undefined
  /** Run it not before so long from now. */
  readonly delay?: Duration | undefined
  /** Run it not before this instant; an instant that is past means now. */
  readonly runAt?: Instant | undefined
  /** The same key, within tenant and job type, means the same execution: a second call gives the first one. */
  readonly idempotencyKey?: string | undefined
  readonly timeout?: Duration | undefined
  readonly retry?: RetryOptions | undefined
  /** Your own transaction: the execution exists if and only if it commits. */
  readonly transaction?: TransactionClient | undefined
}

/** An execution that was asked for. */
export interface Enqueued {
  readonly id: string
  /** False where the idempotency key had been used before: then this is that execution. */
  readonly isNew: boolean
}

/** The idempotency key was used before, with another input. */
export class IdempotencyError extends PontualError {}

export interface EnqueuerOptions {
  readonly env: Env
  readonly store: Store
  readonly time: StoreTime
  readonly telemetry: Telemetry
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly defaultTenant: string
  readonly defaultRetry: RetryRules
  /** Something was made ready (null), or is due later. */
  onEnqueued(dueAt: number | null): void
}

/** Flushes under way at once: while one waits for the disk the next is sent. */
const FLUSHES = 2
const KEYED_FLUSHES = 4
const TRIES = 4
const FIRST_PAUSE_MS = 100

/** Turns what is asked for into stored executions; many that are asked for at once share a round trip. */
export class Enqueuer {
  readonly #options: EnqueuerOptions
  readonly #batcher: Batcher<NewExecution, EnqueueResult>
  /** Those with an idempotency key, which may have to wait for somebody's open transaction: nobody else waits with them. */
  readonly #keyed: Batcher<NewExecution, EnqueueResult>
  readonly #underWay = new UnderWay()

  constructor(options: EnqueuerOptions) {
    this.#options = options
    const flush = (executions: readonly NewExecution[]) => this.#store(executions)
    this.#batcher = new Batcher({ flush, maxFlushes: FLUSHES })
    this.#keyed = new Batcher({ flush, maxFlushes: KEYED_FLUSHES })
  }

  enqueue(type: AnyJobType | string, input: unknown, options: EnqueueOptions = {}): Promise<Enqueued> {
    return this.#underWay.track(this.#enqueue(type, input, options))
  }

  async #enqueue(type: AnyJobType | string, input: unknown, options: EnqueueOptions): Promise<Enqueued> {
    const execution = await this.#executionOf(type, input, options)
    const { transaction } = options
    if (!transaction) {
      const batcher = execution.body.idempotencyKey === null ? this.#batcher : this.#keyed
      return this.#answer(execution, await batcher.add(execution))
    }
    const [result] = await this.#options.store.executions.enqueue([execution], { transaction })
    return this.#answer(execution, result, false)
  }

  enqueueMany(
    type: AnyJobType | string,
    inputs: readonly unknown[],
    options: EnqueueOptions = {},
  ): Promise<Enqueued[]> {
    return this.#underWay.track(this.#enqueueMany(type, inputs, options))
  }

  async #enqueueMany(
    type: AnyJobType | string,
    inputs: readonly unknown[],
    options: EnqueueOptions,
  ): Promise<Enqueued[]> {
    if (options.idempotencyKey !== undefined) {
      throw new InvalidInputError(
        'option.invalid',
        'enqueueMany takes no idempotencyKey, because it would be the same for all; enqueue them one by one.',
        { name: 'idempotencyKey' },
      )
    }
    const executions: NewExecution[] = []
    for (const input of requireList(inputs, 'inputs')) executions.push(await this.#executionOf(type, input, options))
    const { transaction } = options
    const results = transaction
      ? await this.#options.store.executions.enqueue(executions, { transaction })
      : await this.#store(executions)
    return executions.map((execution, index) => this.#answer(execution, results[index], !transaction))
  }

  /** Waits until everything that was asked for is stored. */
  async drain(): Promise<void> {
    await this.#underWay.settled()
  }

  async #executionOf(type: AnyJobType | string, input: unknown, options: EnqueueOptions): Promise<NewExecution> {
    const { time, env, types, defaultTenant, defaultRetry } = this.#options
    requireOptions(options, 'Enqueue options', [
      'tenant',
      'queue',
      'priority',
      'delay',
      'runAt',
      'idempotencyKey',
      'timeout',
      'retry',
      'transaction',
    ])
    const known = typeof type === 'string' ? (types.get(type) ?? null) : type
    const jobType = known?.id ?? requireName(type, 'Job type id')
    const thing = `Input of job type "${jobType}"`
    const payload = encodePayload(input, thing)
    // As it is going to be read: what JSON makes of it is what the handler gets.
    if (known?.schema) await validate(known.schema, decodePayload(payload), thing)
    const now = time.now()
    const retry = options.retry === undefined ? null : retryRules(options.retry)
    const body: ExecutionBody = {
      id: env.uuid(now),
      tenant: options.tenant === undefined ? defaultTenant : requireName(options.tenant, 'tenant'),
      jobId: null,
      jobType,
      queue: requireName(options.queue ?? known?.queue ?? DEFAULT_QUEUE, 'queue'),
      priority: requirePriority(options.priority ?? known?.priority ?? 'MEDIUM'),
      origin: 'enqueue',
      payload,
      scheduledAt: null,
      maxAttempts: (retry ?? known?.retry ?? defaultRetry).retries + 1,
      idempotencyKey:
        options.idempotencyKey === undefined ? null : requireName(options.idempotencyKey, 'idempotencyKey'),
      options: executionOptions(options, retry),
      createdAt: now,
    }
    return { body, ...startOf(options) }
  }

  #answer({ body, runAt, delayMs }: NewExecution, result: EnqueueResult | undefined, isCommitted = true): Enqueued {
    if (!result) throw new PontualError('store.answer_missing', 'The store gave no answer for an execution.')
    // Under its own id it is new, also where a first try was stored and its answer lost.
    if (result.id !== body.id) {
      if (isSamePayload(result.payload, body.payload)) return { id: result.id, isNew: false }
      throw new IdempotencyError(
        'idempotency.mismatch',
        `Idempotency key "${body.idempotencyKey}" of job type "${body.jobType}" was used before with another input.`,
        { key: body.idempotencyKey, jobType: body.jobType, executionId: result.id },
      )
    }
    const { id, jobType, jobId, tenant } = body
    // What the caller has not committed yet is nobody's business.
    if (!isCommitted) return { id, isNew: true }
    this.#options.telemetry.tell('execution.queued', { executionId: id, jobType, jobId, tenant })
    const now = this.#options.time.now()
    const dueAt = delayMs === undefined ? runAt : now + delayMs
    this.#options.onEnqueued(dueAt !== null && dueAt > now ? dueAt : null)
    return { id, isNew: true }
  }

  /** Ids are made here, so that what may have been stored can be sent again. */
  async #store(executions: readonly NewExecution[]): Promise<readonly EnqueueResult[]> {
    const { store, env } = this.#options
    for (let tries = 1; ; tries += 1) {
      try {
        return await store.executions.enqueue(executions)
      } catch (error) {
        if (tries === TRIES || !(error instanceof StoreUnavailableError)) throw error
        await new Promise<void>((resolve) => env.after(FIRST_PAUSE_MS * 2 ** tries, resolve))
      }
    }
  }
}

function startOf({ delay, runAt }: EnqueueOptions): Pick<NewExecution, 'runAt' | 'delayMs'> {
  if (delay !== undefined && runAt !== undefined) {
    throw new InvalidInputError('option.invalid', 'Enqueue takes either delay or runAt; got both.', { name: 'runAt' })
  }
  if (delay !== undefined) return { runAt: null, delayMs: parseDuration(delay, 'delay') }
  return { runAt: runAt === undefined ? null : instantOf(runAt, 'runAt') }
}

function executionOptions({ timeout }: EnqueueOptions, retry: RetryRules | null): ExecutionOptions | null {
  const traceparent = activeTraceparent()
  const options: ExecutionOptions = {
    ...(timeout === undefined ? {} : { timeoutMs: timeoutOf(timeout) }),
    ...(retry === null ? {} : { retry }),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
  return Object.keys(options).length > 0 ? options : null
}
