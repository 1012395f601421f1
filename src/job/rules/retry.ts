import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import { invalidFields, requireInteger, requireList, requireOneOf, requireOptions } from '../../time/require.ts'

/** Chance spread over a wait, so that what failed together does not come back together. */
export type RetryJitter = 'none' | 'full'

/** How often what failed is tried again, and how long it waits between. */
export interface RetryOptions {
  /** How often it is tried again after the first failure. Default 3. */
  readonly retries?: number | undefined
  /** The wait before the first retry. Default 1 minute. */
  readonly initial?: Duration | undefined
  /** By what each wait is longer than the one before. Default 2. */
  readonly factor?: number | undefined
  /** The longest wait. Default 1 day. */
  readonly max?: Duration | undefined
  /** The waits one by one, in place of the three above; the last one repeats. */
  readonly intervals?: readonly Duration[] | undefined
  /** Default `none`; `full`: any wait from zero up to the one that is due. */
  readonly jitter?: RetryJitter | undefined
  /** Errors after which no retry makes sense: classes, or names of classes or `code`s. */
  readonly nonRetryable?: readonly (ErrorClass | string)[] | undefined
}

type ErrorClass = abstract new (...args: never[]) => Error

/** The options of a retry, checked, complete, and safe to store as JSON. */
export interface RetryRules {
  readonly retries: number
  /** The waits before the first, second … retry; the last one repeats. */
  readonly intervalsMs: readonly number[]
  readonly jitter: RetryJitter
  /** Names of error classes, or `code`s. */
  readonly nonRetryable: readonly string[]
}

const MAX_RETRIES = 10_000
const DEFAULT_INITIAL_MS = 60_000
const DEFAULT_MAX_MS = 86_400_000
const LONGEST_WAIT_MS = 100 * 365 * 86_400_000

const RETRY_OPTIONS = ['retries', 'initial', 'factor', 'max', 'intervals', 'jitter', 'nonRetryable'] as const

export function retryRules(options: RetryOptions = {}): RetryRules {
  requireRetryOptions(options, 'Retry', RETRY_OPTIONS)
  const { intervals, nonRetryable = [] } = options
  const retries = requireInteger(options.retries ?? intervals?.length ?? 3, 'retries', 0, MAX_RETRIES)
  return {
    retries,
    intervalsMs: intervals ? ownIntervals(options) : growingIntervals(options, retries),
    jitter: requireOneOf(options.jitter ?? 'none', 'retry jitter', ['none', 'full']),
    nonRetryable: requireList(nonRetryable, 'nonRetryable').map((each) =>
      typeof each === 'string' ? each : each.name,
    ),
  }
}

/** Other libraries count attempts, of which the first is no retry. */
export function requireRetryOptions<Options extends object>(
  options: Options,
  thing: string,
  keys: readonly (keyof Options & string)[],
): Options {
  const attempts: unknown = (options as { readonly attempts?: unknown } | null)?.attempts
  if (attempts === undefined) return requireOptions(options, thing, keys)
  const isCount = typeof attempts === 'number' && Number.isSafeInteger(attempts) && attempts >= 1
  const remedy = isCount ? `write retries: ${attempts - 1} instead of attempts: ${attempts}` : 'it takes retries'
  const details = { case: 'unknown', thing, received: 'attempts', accepted: keys, suggestion: 'retries' }
  throw invalidFields(`${thing} has no field "attempts"; ${remedy}: the first attempt is not a retry.`, details)
}

function ownIntervals({ intervals = [], initial, factor, max }: RetryOptions): number[] {
  if (initial !== undefined || factor !== undefined || max !== undefined) {
    throw new InvalidInputError(
      'option.invalid',
      'Retry takes either intervals, or initial, factor and max; got both.',
      { name: 'intervals' },
    )
  }
  return requireList(intervals, 'retry intervals').map((each) => parseDuration(each, 'retry interval'))
}

function growingIntervals({ initial, factor = 2, max }: RetryOptions, retries: number): number[] {
  if (typeof factor !== 'number' || !(factor >= 1 && factor <= 1_000)) {
    throw new InvalidInputError('option.invalid', `retry factor must be a number of 1-1000, got ${String(factor)}.`, {
      name: 'factor',
      received: factor,
    })
  }
  const longest = Math.min(parseDuration(max ?? DEFAULT_MAX_MS, 'retry max'), LONGEST_WAIT_MS)
  const waits: number[] = []
  let wait = parseDuration(initial ?? DEFAULT_INITIAL_MS, 'retry initial')
  while (waits.length < retries) {
    waits.push(Math.min(Math.round(wait), longest))
    // The last one repeats: nothing is gained by storing it a thousand times.
    if (wait >= longest || factor === 1) break
    wait *= factor
  }
  return waits
}

/** The wait after a failed attempt (the first is 1), or null when it was the last. */
export function retryDelay(rules: RetryRules, attempt: number, random: () => number): number | null {
  if (attempt > rules.retries) return null
  const wait = rules.intervalsMs[Math.min(attempt, rules.intervalsMs.length) - 1] ?? 0
  return rules.jitter === 'full' ? Math.floor(random() * (wait + 1)) : wait
}

/** The delay that an error itself asks for in `retryAfter`: a duration, or an instant. */
export function retryAfterOf(error: Error, now: number): number | null {
  const after: unknown = Reflect.get(error, 'retryAfter')
  if (after instanceof Date) return Math.max(0, after.getTime() - now)
  if (typeof after !== 'number' && typeof after !== 'string') return null
  try {
    return parseDuration(after, 'retryAfter')
  } catch {
    return null
  }
}

/** Whether an error says that trying again makes no sense. */
export function isRetryable(rules: RetryRules, error: unknown): boolean {
  return rules.nonRetryable.length === 0 || !namesOf(error).some((name) => rules.nonRetryable.includes(name))
}

/** By what an error may be called: its code, its name, and its class and those above it. */
function namesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const names: unknown[] = []
  try {
    names.push(Reflect.get(error, 'code'), Reflect.get(error, 'name'))
    for (let prototype: unknown = error; prototype instanceof Error; prototype = Object.getPrototypeOf(prototype)) {
      names.push((prototype.constructor as { name?: unknown } | undefined)?.name)
    }
  } catch {
    // What cannot be looked at is called nothing.
  }
  return names.filter((name) => typeof name === 'string')
}
