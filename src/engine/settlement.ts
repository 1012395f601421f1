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
    this.#finish = this.#batcher((endings) => leases.finish(endings), endingWithout)
    this.#retry = this.#batcher(
      (retries) => leases.retry(retries),
      (retry, error) => ({ ...retry, error }),
    )
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
  finish(ending: Ending): Promise<boolean> {
    return this.#finish.add(ending)
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

  /** With `without`, what cannot be stored as it is, is stored without what stands in the way. */
  #batcher<Item extends Held>(
    write: (items: readonly Item[]) => Promise<string[]>,
    without?: (item: Item, error: Failure) => Item,
  ): Batcher<Item, boolean> {
    const flush = async (items: readonly Item[]) => {
      const accepted = await this.persist(() => write(items))
      // Most of the time all of them are.
      if (accepted.length === items.length) return items.map(() => true)
      const known = new Set(accepted)
      return items.map(({ executionId }) => known.has(executionId))
    }
    const one = async (item: Item): Promise<boolean | Error> => {
      try {
        return (await flush([item]))[0] ?? false
      } catch (error) {
        if (error instanceof StoreUnavailableError || !without) return errorOf(error)
        this.#options.logger.error('What became of an attempt could not be stored as it is', {
          executionId: item.executionId,
          error,
        })
        return await flush([without(item, unstorable(error))]).then(([answer]) => answer ?? false, errorOf)
      }
    }
    return new Batcher({
      flush: (items) => flush(items).catch((error: unknown) => oneByOne(items, one, error)),
    })
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
  one: (item: Item) => Promise<boolean | Error>,
  reason: unknown,
): Promise<(boolean | Error)[]> {
  if (reason instanceof StoreUnavailableError) throw reason
  const answers: (boolean | Error)[] = []
  for (const item of items) answers.push(await one(item))
  return answers
}

function endingWithout(ending: Ending, error: Failure): Ending {
  return { ...ending, status: 'FAILED', output: null, error }
}

function unstorable(reason: unknown): Failure {
  return { ...failureOf(reason), name: 'UnstorableResultError', code: 'execution.unstorable' }
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
