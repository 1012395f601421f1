import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import type { Failure } from '../../job/execution/execution.ts'
import { failureOf } from '../../job/execution/failure.ts'
import type { Logger } from '../../logger.ts'
import { type Backoff, repeating } from '../../store/backoff.ts'
import { Batcher, errorOf } from '../../store/batcher.ts'
import type { CheckpointItem } from '../../store/histories.ts'
import type { Ending, Held, ProgressReport, Retry } from '../../store/leases.ts'
import type { NewLogLine } from '../../store/logs.ts'
import type { EngineStore } from '../../store/store.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'

export interface SettlementOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
}

/** The store takes everything but this. */
export class UnstorableResultError extends PontualError {
  constructor(reason: unknown) {
    super('execution.unstorable', failureOf(reason).message, {}, { cause: reason })
  }
}

const TRIES = 3
const BACKOFF: Backoff = { firstMs: 100, longestMs: 1_000 }

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
  readonly #checkpoint: Batcher<CheckpointItem, boolean>
  readonly logs: Batcher<NewLogLine, boolean>
  #isPatient = true

  constructor(options: SettlementOptions) {
    this.#options = options
    const { leases, logs } = options.store
    this.#finish = this.#batcher(
      (endings) => leases.finish(endings),
      (ending, error) => (ending.status === 'SUCCESS' ? null : { ...ending, error }),
    )
    this.#retry = this.#batcher(
      (retries) => leases.retry(retries),
      (retry, error) => ({ ...retry, error }),
    )
    this.#release = this.#batcher((held) => leases.release(held))
    this.#progress = this.#batcher((reports) => leases.progress(reports))
    this.#checkpoint = this.#batcher((items) => options.store.histories.checkpoint(items))
    this.logs = new Batcher({
      flush: async (lines) => {
        const isCurrent = latestOf(lines)
        const refused = new Set(await this.persist(() => logs.append(lines.filter(isCurrent))))
        return lines.map((line) => isCurrent(line) && !refused.has(line.executionId))
      },
    })
  }

  /** An error that cannot be stored is left out. Of an output that cannot, an {@link UnstorableResultError} tells: it is not the success that was meant. */
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

  checkpoint(item: CheckpointItem): Promise<boolean> {
    return this.#checkpoint.add(item)
  }

  lastCheckpoint(executionId: string): Promise<string | null> {
    return this.persist(() => this.#options.store.histories.lastCheckpoint(executionId))
  }

  /** From now on nothing waits for a store that is away. */
  hurry(): void {
    this.#isPatient = false
  }

  /** `without` makes an item that the store rejects storable, or returns null if nothing of it can be stored. */
  #batcher<Item extends Held>(
    write: (items: readonly Item[]) => Promise<string[]>,
    without?: (item: Item, error: Failure) => Item | null,
  ): Batcher<Item, boolean> {
    const flush = async (items: readonly Item[]) => {
      const isCurrent = latestOf(items)
      const current = items.filter(isCurrent)
      const accepted = await this.persist(() => write(current))
      // Most of the time all of them are.
      if (accepted.length === items.length) return items.map(() => true)
      const known = new Set(accepted)
      return items.map((item) => isCurrent(item) && known.has(item.executionId))
    }
    const onRejected = async (item: Item, error: unknown): Promise<boolean | Error> => {
      this.#options.logger.error('What became of an attempt could not be stored as it is', {
        executionId: item.executionId,
        error,
      })
      const unstorable = new UnstorableResultError(error)
      const rest = without?.(item, failureOf(unstorable))
      return rest ? await flush([rest]).then(([answer]) => answer ?? false, errorOf) : unstorable
    }
    return new Batcher({ flush, sendsAlone: true, onRejected: without && onRejected })
  }

  /** Asks the store until it answers; what it refuses for another reason than being away, a few times. */
  async persist<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    return await repeating(this.#options.env, BACKOFF, write, (error, failures) => {
      return this.#isPatient && (error instanceof StoreUnavailableError || failures < TRIES)
    })
  }
}

/** The store answers by execution: one that has a later epoch among them is no longer held under an earlier one. */
function latestOf(items: readonly Held[]): (item: Held) => boolean {
  const epochs = new Map<string, number>()
  for (const { executionId, epoch } of items) epochs.set(executionId, Math.max(epoch, epochs.get(executionId) ?? 0))
  return ({ executionId, epoch }) => epochs.get(executionId) === epoch
}
