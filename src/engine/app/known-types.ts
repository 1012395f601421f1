import type { Env } from '../../clock.ts'
import { MINUTE_MS } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { nearest } from '../../nearest.ts'
import type { NodeStore } from '../../store/nodes.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'

/** What happens to an execution whose job type is given as text and that no active node knows. */
export type UnknownTypeRule = 'warn' | 'refuse'

export interface KnownTypesDeps {
  readonly env: Env
  readonly logger: Logger
  readonly nodes: Pick<NodeStore, 'declarations'>
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly rule: UnknownTypeRule
}

/** A node that has just started may know the type: an unknown one is looked up again after this time. */
const FRESH_MS = 1_000
/** Types that were warned about; more are not remembered, so that text from outside does not fill the memory. */
const MAX_WARNED = 1_000

/** The job types of active nodes, each with its declared signals; null if a node that knows the type declares none, and so accepts any. */
type Announced = ReadonlyMap<string, ReadonlySet<string> | null>

/**
 * Caches the job types and signals that active nodes announce. Finds types that none of them knows, such as one with a typo: their executions would wait without a
 * message.
 */
export class KnownTypes {
  readonly #deps: KnownTypesDeps
  readonly #warnedAt = new Map<string, number>()
  #known: { readonly types: Announced; readonly at: number } | null = null
  #reading: Promise<void> | null = null

  constructor(deps: KnownTypesDeps) {
    this.#deps = deps
  }

  /** Call it before an execution or a schedule is stored. Only the rule `refuse` waits for the answer, and throws. */
  async check(type: AnyJobType | string): Promise<void> {
    const { types, rule, logger } = this.#deps
    if (typeof type !== 'string' || types.has(type)) return
    if (rule === 'refuse') await this.#require(type)
    else void this.#warn(type).catch((error: unknown) => logger.debug('Job types could not be checked', { error }))
  }

  /** True if a job type of this process or of an active node declares signals. */
  async declareSignals(): Promise<boolean> {
    for (const { signals } of this.#deps.types.values()) if (signals !== null) return true
    const known = await this.#read(({ size }) => size > 0).catch(nothingIfUnavailable)
    return known !== null && [...known.values()].some((signals) => signals !== null)
  }

  /**
   * The signals that active nodes declare for a job type; one of them may run newer code. null: any signal is accepted, or the store is unavailable. undefined: no
   * active node knows the type. The cache is read again sooner if it lacks `wanted`.
   */
  async signalsOf(type: string, wanted: string): Promise<ReadonlySet<string> | null | undefined> {
    const isAccepted = (known: Announced) => {
      const signals = known.get(type)
      return signals === null || signals?.has(wanted) === true
    }
    try {
      return (await this.#read(isAccepted))?.get(type)
    } catch (error) {
      return nothingIfUnavailable(error)
    }
  }

  async #require(type: string): Promise<void> {
    const known = await this.#read((types) => types.has(type)).catch(nothingIfUnavailable)
    if (known === null || known.has(type)) return
    const guess = nearest(type, known.keys())
    const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
    throw new InvalidInputError('job_type.unknown', `No active node knows job type "${type}".${hint}`, {
      jobType: type,
      suggestion: guess,
    })
  }

  async #warn(type: string): Promise<void> {
    const { env, logger } = this.#deps
    const now = env.monotonic()
    const before = this.#warnedAt.get(type)
    if (before !== undefined && now - before < MINUTE_MS) return
    const known = await this.#read((types) => types.has(type))
    if (known === null || known.has(type)) return
    // Another call may have warned while this one was reading.
    if (this.#warnedAt.get(type) !== before) return
    if (this.#warnedAt.size >= MAX_WARNED) this.#warnedAt.clear()
    this.#warnedAt.set(type, now)
    logger.warn('No active node knows this job type; its executions wait', {
      jobType: type,
      nearest: nearest(type, known.keys()) ?? null,
    })
  }

  /** null if no node is active, since that tells nothing about the type. */
  async #read(isSettled: (types: Announced) => boolean): Promise<Announced | null> {
    const { env } = this.#deps
    const cached = this.#known
    const maxAgeMs = cached && isSettled(cached.types) ? MINUTE_MS : FRESH_MS
    if (cached === null || env.monotonic() - cached.at >= maxAgeMs) {
      this.#reading ??= this.#load().finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    const types = this.#known?.types
    return types === undefined || types.size === 0 ? null : types
  }

  async #load(): Promise<void> {
    const { env, nodes } = this.#deps
    const types = new Map<string, Set<string> | null>()
    for (const { jobTypes, declares } of await nodes.declarations()) {
      const declared = new Map(Object.entries(declares?.signals ?? {}))
      for (const type of jobTypes) {
        const signals = declared.get(type)
        const before = types.get(type)
        if (!signals || before === null) types.set(type, null)
        else types.set(type, new Set([...(before ?? []), ...signals]))
      }
    }
    this.#known = { types, at: env.monotonic() }
  }
}

/** A store that is unavailable refuses no type: storing the execution waits for it. */
function nothingIfUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailableError) return null
  throw error
}
