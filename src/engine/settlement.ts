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
  readonly #finish: Batcher<Ending, boolean | Error>
  readonly #retry: Batcher<Retry, boolean | Error>
  readonly #release: Batcher<Held, boolean | Error>
  readonly #progress: Batcher<ProgressReport, boolean | Error>
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
        const refused = new Set(await this.persist(() => logs.append(lines)))
        return lines.map(({ executionId }) => !refused.has(executionId))
      },
    })
  }

  /** What cannot be stored with its end ends without it. */
  async finish(ending: Ending): Promise<boolean> {
    try {
      return await this.#add(this.#finish, ending)
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      this.#options.logger.error('An end could not be stored as it is', { executionId: ending.executionId, error })
      return await this.#add(this.#finish, { ...ending, status: 'FAILED', output: null, error: unstorable(error) })
    }
  }

  async retry(retry: Retry): Promise<boolean> {
    try {
      return await this.#add(this.#retry, retry)
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      return await this.#add(this.#retry, { ...retry, error: unstorable(error) })
    }
  }

  release(held: Held): Promise<boolean> {
    return this.#add(this.#release, held)
  }

  progress(report: ProgressReport): Promise<boolean> {
    return this.#add(this.#progress, report)
  }

  /** From now on nothing waits for a store that is away. */
  hurry(): void {
    this.#isPatient = false
  }

  async #add<Item>(batcher: Batcher<Item, boolean | Error>, item: Item): Promise<boolean> {
    const answer = await batcher.add(item)
    if (answer instanceof Error) throw answer
    return answer
  }

  #batcher<Item extends Held>(write: (items: readonly Item[]) => Promise<string[]>): Batcher<Item, boolean | Error> {
    const flush = async (items: readonly Item[]) => {
      const accepted = new Set(await this.persist(() => write(items)))
      return items.map(({ executionId }) => accepted.has(executionId))
    }
    return new Batcher({ flush: (items) => flush(items).catch((error: unknown) => oneByOne(items, flush, error)) })
  }

  /** Asks the store until it answers; what it refuses for another reason than being away, a few times. */
  async persist<Answer>(write: () => Promise<Answer>): Promise<Answer> {
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

/** Something about one of them cannot be stored: the others must not suffer from it. */
async function oneByOne<Item>(
  items: readonly Item[],
  flush: (items: readonly Item[]) => Promise<readonly boolean[]>,
  reason: unknown,
): Promise<(boolean | Error)[]> {
  if (reason instanceof StoreUnavailableError || items.length === 1) throw reason
  const answers: (boolean | Error)[] = []
  for (const item of items) {
    answers.push(
      await flush([item]).then(
        ([answer]) => answer ?? false,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      ),
    )
  }
  return answers
}

function unstorable(reason: unknown): Failure {
  return { ...failureOf(reason), name: 'UnstorableResultError', code: 'execution.unstorable' }
}
