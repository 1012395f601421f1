import type { Env } from '../clock.ts'
import type { Failure } from '../job/execution.ts'
import { failureOf } from '../job/failure.ts'
import type { Logger } from '../logger.ts'
import type { Ending, Held, ProgressReport, Retry } from '../store/leases.ts'
import type { NewLogLine } from '../store/logs.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailableError } from '../store/unavailable.ts'
import { Batcher } from './batcher.ts'

export interface SettlementOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
}

const TRIES = 3
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

/**
 * Records what became of attempts, many at a time. Each answer says whether the store accepted it: it does not when the execution has been
 * taken from this node. While the store is away what is to be recorded waits.
 */
export class Settlement {
  readonly #options: SettlementOptions
  readonly #finish: Batcher<Ending, boolean>
  readonly #retry: Batcher<Retry, boolean>
  readonly #release: Batcher<Held, boolean>
  readonly #progress: Batcher<ProgressReport, boolean>
  readonly logs: Batcher<NewLogLine, boolean>
  #isPatient = true

  constructor(options: SettlementOptions) {
    this.#options = options
    const { leases, logs } = options.store
    this.#finish = this.#batcher((endings) => leases.finish(endings))
    this.#retry = this.#batcher((retries) => leases.retry(retries))
    this.#release = this.#batcher((held) => leases.release(held))
    this.#progress = this.#batcher((reports) => leases.progress(reports))
    this.logs = new Batcher({
      flush: async (lines) => {
        const refused = new Set(await this.#persist(() => logs.append(lines)))
        return lines.map(({ executionId }) => !refused.has(executionId))
      },
    })
  }

  async finish(ending: Ending): Promise<boolean> {
    try {
      return await this.#finish.add(ending)
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      // Something about this one end cannot be stored, or about one beside it: alone, and if need be without what it brought.
      this.#options.logger.error('An end could not be stored', { executionId: ending.executionId, error })
      return await this.#finishAlone(ending, error)
    }
  }

  retry(retry: Retry): Promise<boolean> {
    return this.#retry.add(retry)
  }

  release(held: Held): Promise<boolean> {
    return this.#release.add(held)
  }

  progress(report: ProgressReport): Promise<boolean> {
    return this.#progress.add(report)
  }

  /** From now on nothing waits for a store that is away. */
  hurry(): void {
    this.#isPatient = false
  }

  async #finishAlone(ending: Ending, reason: unknown): Promise<boolean> {
    const { leases } = this.#options.store
    try {
      return (await this.#persist(() => leases.finish([ending]))).length > 0
    } catch {
      const bare: Ending = { ...ending, status: 'FAILED', output: null, error: unstorable(reason) }
      return (await this.#persist(() => leases.finish([bare]))).length > 0
    }
  }

  #batcher<Item extends Held>(write: (items: readonly Item[]) => Promise<string[]>): Batcher<Item, boolean> {
    return new Batcher({
      flush: async (items) => {
        const accepted = new Set(await this.#persist(() => write(items)))
        return items.map(({ executionId }) => accepted.has(executionId))
      },
    })
  }

  async #persist<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write()
      } catch (error) {
        const isAway = error instanceof StoreUnavailableError
        if (!this.#isPatient || (!isAway && tries >= TRIES)) throw error
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS)
        await new Promise<void>((resolve) => this.#options.env.after(pauseMs, resolve))
      }
    }
  }
}

function unstorable(reason: unknown): Failure {
  return { ...failureOf(reason), name: 'UnstorableResultError', code: 'execution.unstorable' }
}
