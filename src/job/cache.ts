import { type Duration, parseDuration } from '../duration.ts'
import { quote } from '../errors.ts'
import { invalidOption, requireOptions } from '../time/require.ts'
import { InvalidPayloadError } from './standard-schema.ts'

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
const MAX_DEPTH = 1_000

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

/** The data that decide whether two runs are equal, as one text: the same whatever the order of fields. */
export function cacheKeyText(rules: CacheRules | null, input: unknown, jobType: string): string {
  return canonical((rules?.key ?? whole)(input), jobType)
}

/** As JSON, fields in order. What JSON would write as something else is refused: two that differ would be taken for equal. */
function canonical(value: unknown, jobType: string, depth = 0): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value)
  if (typeof value !== 'object') throw notAKey(quote(value), jobType)
  if (depth > MAX_DEPTH) throw notAKey(`data that holds itself, or is nested more than ${MAX_DEPTH} deep`, jobType)
  const inside = (each: unknown) => canonical(each, jobType, depth + 1)
  if (hasJson(value)) return inside(value.toJSON())
  if (Array.isArray(value)) return `[${value.map(inside).join(',')}]`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw notAKey(classOf(value), jobType)
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  const inOrder = fields.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${inOrder.map(([name, each]) => `${JSON.stringify(name)}:${inside(each)}`).join(',')}}`
}

/** Dates, URLs and the like say themselves what they are as JSON. */
function hasJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

function classOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

function notAKey(what: string, jobType: string): InvalidPayloadError {
  return new InvalidPayloadError(
    'cache.key_invalid',
    `Job type ${quote(jobType)}: what decides about its cached result must be data that JSON can hold, got ${what}. Give cache a key that makes such data of the input.`,
    { jobType },
  )
}
