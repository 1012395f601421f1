import type { Env } from '../clock.ts'
import { InvalidInputError } from '../errors.ts'
import type { AnyJobType } from '../job/job-type.ts'
import type { Logger } from '../logger.ts'
import { nearest } from '../nearest.ts'
import type { NodeStore } from '../store/nodes.ts'
import { StoreUnavailableError } from '../store/unavailable.ts'

/** What happens to an execution whose job type is given as text and that no active node knows. */
export type UnknownTypeRule = 'warn' | 'refuse'

export interface KnownTypesDeps {
  readonly env: Env
  readonly logger: Logger
  readonly nodes: Pick<NodeStore, 'list'>
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly rule: UnknownTypeRule
}

const MINUTE_MS = 60_000
/** A node that has just started may know the type: an unknown one is looked up again after this time. */
const FRESH_MS = 1_000
/** Types that were warned about; more are not remembered, so that text from outside does not fill the memory. */
const MAX_WARNED = 1_000

/** Finds job types that no active node knows, such as one with a typo: their executions would wait without a message. */
export class KnownTypes {
  readonly #deps: KnownTypesDeps
  readonly #warnedAt = new Map<string, number>()
  #types: { readonly ids: ReadonlySet<string>; readonly at: number } | null = null
  #reading: Promise<ReadonlySet<string>> | null = null

  constructor(deps: KnownTypesDeps) {
    this.#deps = deps
  }

  /** Call it before an execution is stored. Only the rule `refuse` waits for the answer, and throws. */
  async check(type: AnyJobType | string): Promise<void> {
    const { types, rule, logger } = this.#deps
    if (typeof type !== 'string' || types.has(type)) return
    if (rule === 'refuse') await this.#require(type)
    else void this.#warn(type).catch((error: unknown) => logger.debug('Job types could not be checked', { error }))
  }

  async #require(type: string): Promise<void> {
    const known = await this.#read(type).catch(nothingIfUnavailable)
    if (known === null || known.has(type)) return
    const guess = nearest(type, known)
    const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
    throw new InvalidInputError('job_type.unknown', `No active node knows job type "${type}".${hint}`, {
      jobType: type,
      nearest: guess ?? null,
    })
  }

  async #warn(type: string): Promise<void> {
    const { env, logger } = this.#deps
    const now = env.monotonic()
    const before = this.#warnedAt.get(type)
    if (before !== undefined && now - before < MINUTE_MS) return
    const known = await this.#read(type)
    if (known === null || known.has(type)) return
    // Another call may have warned while this one was reading.
    if (this.#warnedAt.get(type) !== before) return
    if (this.#warnedAt.size >= MAX_WARNED) this.#warnedAt.clear()
    this.#warnedAt.set(type, now)
    logger.warn('No active node knows this job type; its executions wait', {
      jobType: type,
      nearest: nearest(type, known) ?? null,
    })
  }

  /** The job types of active nodes; null if no node is active, since that tells nothing about the type. */
  async #read(wanted: string): Promise<ReadonlySet<string> | null> {
    const { env } = this.#deps
    const cached = this.#types
    const maxAgeMs = cached?.ids.has(wanted) ? MINUTE_MS : FRESH_MS
    if (cached === null || env.monotonic() - cached.at >= maxAgeMs) {
      this.#reading ??= this.#load().finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    const ids = this.#types?.ids
    return ids === undefined || ids.size === 0 ? null : ids
  }

  async #load(): Promise<ReadonlySet<string>> {
    const { env, nodes } = this.#deps
    const active = (await nodes.list()).filter(({ isAlive }) => isAlive)
    const ids = new Set(active.flatMap(({ jobTypes }) => jobTypes))
    this.#types = { ids, at: env.monotonic() }
    return ids
  }
}

/** A store that is unavailable refuses no type: storing the execution waits for it. */
function nothingIfUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailableError) return null
  throw error
}
