import { StoreUnavailableError } from './unavailable.ts'

/** Items that belong to one flush, and who waits for them. */
interface Waiting<Item, Answer> {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: Error) => void
}

export interface BatcherOptions<Item, Answer> {
  /** Answers in the order of the items; an error is the answer to one of them. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>
  /** Sends the items of a batch that the store has rejected one at a time, so that a bad item does not fail the others. Default false: all fail. */
  readonly sendsAlone?: boolean | undefined
  /** The answer to an item that the store rejects also if it is sent alone. Default: the error. */
  readonly onRejected?: ((item: Item, error: unknown) => Promise<Answer | Error>) | undefined
  /** The most that one flush takes. Default 1,000. */
  readonly maxItems?: number | undefined
  /** How many flushes may be under way at once. Default 1. */
  readonly maxFlushes?: number | undefined
}

/**
 * Group commit: items that arrive during a flush go with the next one. Idle it adds no wait; busy it sends hundreds of items per
 * round trip. A promise is fulfilled only after its flush has succeeded.
 */
export class Batcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer>
  readonly #maxItems: number
  readonly #maxFlushes: number
  #waiting: Waiting<Item, Answer>[] = []
  readonly #flushes = new Set<Promise<void>>()

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = options
    this.#maxItems = options.maxItems ?? 1_000
    this.#maxFlushes = options.maxFlushes ?? 1
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      // A microtask later everything that one turn adds is here.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#next())
    })
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#flushes.size < this.#maxFlushes) {
      const batch = this.#waiting.slice(0, this.#maxItems)
      this.#waiting = this.#waiting.slice(this.#maxItems)
      const flush = this.#send(batch).finally(() => {
        this.#flushes.delete(flush)
        this.#next()
      })
      this.#flushes.add(flush)
    }
  }

  async #send(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const items = batch.map(({ item }) => item)
    try {
      settle(batch, await this.#options.flush(items))
    } catch (error) {
      settle(batch, await this.#answersAfter(items, error))
    }
  }

  /** The answers to a batch that the store has rejected as a whole. An unavailable store has not rejected it. */
  async #answersAfter(items: readonly Item[], error: unknown): Promise<readonly (Answer | Error)[]> {
    const { sendsAlone, onRejected } = this.#options
    const isAlone = items.length === 1 && !onRejected
    if (!sendsAlone || isAlone || error instanceof StoreUnavailableError) return items.map(() => errorOf(error))
    const answers: (Answer | Error)[] = []
    for (const item of items) answers.push(await this.#sendAlone(item))
    return answers
  }

  async #sendAlone(item: Item): Promise<Answer | Error> {
    const { flush, onRejected } = this.#options
    try {
      return (await flush([item]))[0] as Answer | Error
    } catch (error) {
      if (error instanceof StoreUnavailableError || !onRejected) return errorOf(error)
      return await onRejected(item, error).catch(errorOf)
    }
  }
}

function settle<Item, Answer>(batch: readonly Waiting<Item, Answer>[], answers: readonly (Answer | Error)[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const answer = answers[index]
    if (answer instanceof Error) reject(answer)
    else resolve(answer as Answer)
  }
}

export function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
