import { createHash } from 'node:crypto'
import { decodeValue } from '../../durable/codec.ts'
import type { ExecutionBody, PredecessorResult } from '../../job/execution/execution.ts'
import type { DeclaredFollower } from '../../job/execution/follower.ts'
import type { RetryRules } from '../../job/rules/retry.ts'
import { type AnyJobType, DEFAULT_QUEUE } from '../../job/type/job-type.ts'
import { Batcher } from '../../store/batcher.ts'
import { type NewExecution, UnknownPredecessorError } from '../../store/executions.ts'
import type { ClaimedExecution, Recovered } from '../../store/leases.ts'
import type { EngineStore } from '../../store/store.ts'
import type { StoreTime } from '../node/store-time.ts'
import { traceOf } from '../telemetry/tracing.ts'
import type { Settlement } from './settlement.ts'

export interface ChainsOptions {
  readonly store: EngineStore
  readonly time: StoreTime
  readonly settlement: Settlement
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly defaultRetry: RetryRules
}

/** Of a batch, as many have to be sent one by one where one of them is refused. */
const MAX_TOGETHER = 100

const NOBODY: readonly PredecessorResult[] = Object.freeze([])

/** What a node does for chains: everything else about them is the store's. */
export class Chains {
  readonly #options: ChainsOptions
  /** Followers of executions that begin together share a round trip. */
  readonly #followers: Batcher<readonly NewExecution[], null>

  constructor(options: ChainsOptions) {
    this.#options = options
    this.#followers = new Batcher({
      flush: (lists) => this.#putAll(lists),
      // A predecessor may have been removed meanwhile, with its job: the followers of others do not depend on it.
      sendsAlone: true,
      maxItems: MAX_TOGETHER,
    })
  }

  /** Before a handler runs: puts those behind it that its job type declares, and reads what those before it gave. A store that is away is waited for. */
  async begin({ body }: ClaimedExecution, { followers }: AnyJobType): Promise<readonly PredecessorResult[]> {
    const { store, settlement } = this.#options
    if (followers.length > 0) await this.#put(body, followers)
    if (!body.options?.isFollower) return NOBODY
    const records = await settlement.persist(() => store.executions.predecessors(body.id))
    return records.map((record) => ({ ...record, output: decodeValue(record.output) }))
  }

  /** A node may have died between its claim and the first thing it did: then nobody stands behind what it ran, and it has failed for good. */
  async recover({ executionId, tenant, jobType }: Recovered): Promise<void> {
    const followers = this.#options.types.get(jobType)?.followers.filter(({ on }) => on === 'failure') ?? []
    if (followers.length > 0) await this.#put({ id: executionId, tenant, options: null }, followers)
  }

  /** Whoever does it again, here or elsewhere, makes the same ones, and those that are there are left alone. */
  async #put(
    predecessor: Pick<ExecutionBody, 'id' | 'tenant' | 'options'>,
    followers: readonly DeclaredFollower[],
  ): Promise<void> {
    await this.#followers.add(followers.map((follower) => this.#executionOf(predecessor, follower)))
  }

  async #putAll(lists: readonly (readonly NewExecution[])[]): Promise<null[]> {
    const refusal = await this.#options.settlement.persist(() => this.#enqueue(lists.flat()))
    if (refusal) throw refusal
    return lists.map(() => null)
  }

  /** What is refused for good is not asked for again. */
  async #enqueue(executions: readonly NewExecution[]): Promise<UnknownPredecessorError | null> {
    try {
      await this.#options.store.executions.enqueue(executions)
      return null
    } catch (error) {
      if (error instanceof UnknownPredecessorError) return error
      throw error
    }
  }

  #executionOf(
    { id, tenant, options }: Pick<ExecutionBody, 'id' | 'tenant' | 'options'>,
    { jobType, on, queue, priority, retry }: DeclaredFollower,
  ): NewExecution {
    const { types, time, defaultRetry } = this.#options
    const known = types.get(jobType)
    const body: ExecutionBody = {
      id: followerId(id, jobType, on),
      tenant,
      jobId: null,
      jobType,
      queue: queue ?? known?.queue ?? DEFAULT_QUEUE,
      priority: priority ?? known?.priority ?? 'MEDIUM',
      origin: 'enqueue',
      payload: null,
      scheduledAt: null,
      maxAttempts: (retry ?? known?.retry ?? defaultRetry).retries + 1,
      idempotencyKey: null,
      options: {
        isFollower: true,
        ...(known?.isDurable ? { durable: true } : {}),
        ...traceOf(options),
      },
      createdAt: time.now(),
    }
    return { body, runAt: null, after: [{ id, on }], isDeclared: true }
  }
}

const VARIANTS = ['8', '9', 'a', 'b'] as const

/** The same for the same predecessor, job type and condition: a UUID of version 7 with the time of the predecessor. */
export function followerId(predecessorId: string, jobType: string, on: string): string {
  const hash = createHash('sha256').update(`${predecessorId} ${on} ${jobType}`).digest('hex')
  const variant = VARIANTS[Number.parseInt(hash.slice(3, 4), 16) % VARIANTS.length]
  const [high, low] = predecessorId.split('-')
  return `${high}-${low}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
