import { createHash } from 'node:crypto'
import { decodeValue, encodeInput } from '../../durable/codec.ts'
import { UnstorableValueError } from '../../durable/errors.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { canonicalText } from '../../job/execution/payload.ts'
import { requireName } from '../../job/name.ts'
import type { CacheRules } from '../../job/type/cache.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { InvalidPayloadError, validate } from '../../job/type/standard-schema.ts'
import type { Logger } from '../../logger.ts'
import { Batcher } from '../../store/batcher.ts'
import type { CachedResult, CachePlace, NewCachedResult } from '../../store/cache.ts'
import type { EngineStore } from '../../store/store.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { requireOptions } from '../../time/require.ts'
import type { Handler } from './attempt-context.ts'
import type { Settlement } from './settlement.ts'

export interface ResultCacheOptions {
  readonly store: EngineStore
  readonly settlement: Settlement
  readonly logger: Logger
}

/** Outputs may be large: a lookup does not carry more of them than this. */
const MAX_FOUND = 100

/** What the handler of a job type with a cache gives: what was kept, or an output and where it is to be kept. */
export class CacheAnswer {
  readonly kept: CachedResult | null
  readonly output: unknown
  readonly place: Omit<NewCachedResult, 'executionId'>

  constructor(place: Omit<NewCachedResult, 'executionId'>, kept: CachedResult | null, output?: unknown) {
    this.place = place
    this.kept = kept
    this.output = output
  }
}

/** Results that stand in for runs with an equal input. Those who ask at the same time share a round trip. */
export class ResultCache {
  readonly #options: ResultCacheOptions
  readonly #find: Batcher<CachePlace, CachedResult | null>
  readonly #put: Batcher<NewCachedResult, void>
  readonly #keeping = new Set<Promise<void>>()

  constructor(options: ResultCacheOptions) {
    const { store, settlement } = options
    this.#options = options
    this.#find = new Batcher({ flush: (places) => this.#findAll(places), maxItems: MAX_FOUND })
    this.#put = new Batcher<NewCachedResult, void>({
      flush: async (results) => {
        await settlement.persist(() => store.cache.put(results))
        return []
      },
    })
  }

  /** The handler, which is called only where no result is kept; where the job type has no cache, it is the same one. */
  before(type: AnyJobType, handler: Handler): Handler {
    const { id: jobType, cache } = type
    if (cache === null) return handler
    return async (input, context, claimed) => {
      const { tenant } = context
      const place = { tenant, jobType, hash: hashOf(cache, input, jobType), ttlMs: cache.ttlMs }
      const kept = claimed.body.options?.fresh ? null : await this.#lookUp(place)
      if (kept) return new CacheAnswer(place, kept)
      // The attempt may have ended while the store was asked.
      context.signal.throwIfAborted()
      return new CacheAnswer(place, null, await handler(input, context, claimed))
    }
  }

  /** Keeps the result of an execution whose end is recorded. */
  async keep(result: NewCachedResult): Promise<void> {
    const { logger } = this.#options
    const { executionId, jobType } = result
    const keeping = this.#put.add(result).catch((error: unknown) => {
      logger.warn('A result could not be kept for equal inputs', { executionId, jobType, error })
    })
    this.#keeping.add(keeping)
    await keeping
    this.#keeping.delete(keeping)
  }

  /** A store that is away is waited for: an end could not be recorded either. Nothing else about the cache keeps work from being done. */
  async #lookUp(place: CachePlace): Promise<CachedResult | null> {
    try {
      return await this.#find.add(place)
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      this.#options.logger.warn('Kept results could not be read, and the handler runs', {
        jobType: place.jobType,
        error,
      })
      return null
    }
  }

  async #findAll(places: readonly CachePlace[]): Promise<(CachedResult | null)[]> {
    const { store, settlement } = this.#options
    // What ended here is found, also while it is on its way into the store.
    await Promise.all(this.#keeping)
    const found = await settlement.persist(() => store.cache.find(places))
    const byPlace = new Map(found.map((each) => [nameOf(each), each]))
    return places.map((place) => byPlace.get(nameOf(place)) ?? null)
  }
}

/** The same for equal inputs. */
export function hashOf(rules: CacheRules | null, input: unknown, jobType: string): string {
  return createHash('sha256')
    .update(keyText(rules ? rules.key(input) : input, jobType))
    .digest('hex')
}

/** The data that decide whether two runs are equal, as one text: the same whatever the order of fields. */
function keyText(key: unknown, jobType: string): string {
  try {
    return canonicalText(encodeInput(key, 'Input or key', Number.POSITIVE_INFINITY) ?? 'null')
  } catch (cause) {
    if (!(cause instanceof UnstorableValueError)) throw cause
    throw new InvalidPayloadError(
      'cache.key_invalid',
      `Job type ${quote(jobType)}: what decides about its cached result cannot be stored. ${cause.message} Give cache a key that makes such data of the input.`,
      { jobType },
      { cause },
    )
  }
}

function nameOf({ tenant, jobType, hash }: CachePlace): string {
  return `${hash} ${jobType}\0${tenant}`
}

/** Which kept results are removed. */
export interface ClearCacheOptions<Payload = unknown> {
  /** Default: the tenant of the application. */
  readonly tenant?: string | undefined
  /** Only the result for this input. Default: all of the job type. */
  readonly input?: Payload | undefined
}

interface ClearCacheDeps {
  readonly store: EngineStore
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly defaultTenant: string
}

const BATCH = 5_000

/** Removes results that would stand in for runs. Returns how many. */
export async function clearCache(
  { store, types, defaultTenant }: ClearCacheDeps,
  type: AnyJobType | string,
  options: ClearCacheOptions = {},
): Promise<number> {
  requireOptions(options, 'Clear cache options', ['tenant', 'input'])
  const tenant = options.tenant === undefined ? defaultTenant : requireName(options.tenant, 'tenant')
  const known = typeof type === 'string' ? (types.get(type) ?? null) : type
  const jobType = known?.id ?? requireName(type, 'Job type id')
  const hash = options.input === undefined ? undefined : await hashOfInput(known, jobType, options.input)
  for (let count = 0; ; ) {
    const cleared = await store.cache.clear({ tenant, jobType, hash }, BATCH)
    count += cleared
    if (cleared < BATCH) return count
  }
}

/** By the way an input takes from `enqueue` to its handler. */
async function hashOfInput(type: AnyJobType | null, jobType: string, input: unknown): Promise<string> {
  if (!type) {
    throw new InvalidInputError(
      'option.invalid',
      `clearCache takes an input only of a job type that this application knows; ${quote(jobType)} is none. Leave input out to clear all of it.`,
      { name: 'input', jobType },
    )
  }
  const thing = `Input of job type ${quote(jobType)}`
  const payload = decodeValue(encodeInput(input, thing))
  return hashOf(type.cache, type.schema ? await validate(type.schema, payload, thing) : payload, jobType)
}
