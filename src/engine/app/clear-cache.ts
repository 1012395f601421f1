import { decodeValue, encodeInput } from '../../durable/codec.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { requireName } from '../../job/name.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { validate } from '../../job/type/standard-schema.ts'
import type { Store } from '../../store/store.ts'
import { requireOptions } from '../../time/require.ts'
import { hashOf } from '../running/result-cache.ts'

/** Which kept results are removed. */
export interface ClearCacheOptions<Payload = unknown> {
  /** Default: the tenant of the application. */
  readonly tenant?: string | undefined
  /** Only the result for this input. Default: all of the job type. */
  readonly input?: Payload | undefined
}

export interface ClearCacheSurroundings {
  readonly store: Store
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly defaultTenant: string
}

const BATCH = 5_000

/** Removes results that would stand in for runs. Returns how many. */
export async function clearCache(
  { store, types, defaultTenant }: ClearCacheSurroundings,
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
