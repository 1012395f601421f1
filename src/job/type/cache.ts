import { type Duration, parseDuration } from '../../duration.ts'
import { quote } from '../../errors.ts'
import { invalidOption, requireOptions } from '../../time/require.ts'

/** How long results of a job type stand in for runs with an equal input. */
export interface CacheOptions<Input = unknown> {
  /** How long a result counts, from the end of the run that made it. */
  readonly ttl: Duration
  /** What of the input counts: runs with equal keys have equal results. Default: all of it, as the schema gives it out. */
  readonly key?: ((input: Input) => unknown) | undefined
}

/** The options of a cache, checked and complete. */
export interface CacheRules {
  readonly ttlMs: number
  readonly key: (input: unknown) => unknown
}

const LONGEST_TTL_MS = 100 * 365 * 86_400_000

const whole = (input: unknown): unknown => input

export function cacheRules<Input>(options: Duration | CacheOptions<Input>, jobType: string): CacheRules {
  const thing = `Job type ${quote(jobType)}: cache`
  const given: CacheOptions<Input> = typeof options === 'object' ? options : { ttl: options }
  requireOptions(given, thing, ['ttl', 'key'])
  const { ttl, key } = given
  if (key !== undefined && typeof key !== 'function') throw invalidOption(key, `${thing}: key`, 'a function')
  const ttlMs = parseDuration(ttl, `${thing}: ttl`)
  if (ttlMs === 0) throw invalidOption(ttl, `${thing}: ttl`, 'longer than zero; leave cache out for none')
  return { ttlMs: Math.min(ttlMs, LONGEST_TTL_MS), key: key ? (input) => key(input as Input) : whole }
}
