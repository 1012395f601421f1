/** Items that belong to one flush, and who waits for them. */
interface Waiting<Item, Answer> {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: Error) => void
}

export interface BatcherOptions<Item, Answer> {
  /** Answers in the order of the items; an error is the answer to one of them. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>
  /** The most that one flush takes. Default 1,000. */
  readonly maxItems?: number | undefined
  /** How many flushes may be under way at once. Default 1. */
  readonly maxFlushes?: number | undefined
}

/**
 * Group commit: what arrives while a flush is under way goes with the next one. Idle it adds no wait; busy it sends hundreds of items per
 * round trip. A promise is kept only after its flush is.
 */
export class Batcher<Item, Answer> {
  readonly #flush: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>
  readonly #maxItems: number
  readonly #maxFlushes: number
  #waiting: Waiting<Item, Answer>[] = []
  readonly #flushes = new Set<Promise<void>>()

  constructor({ flush, maxItems = 1_000, maxFlushes = 1 }: BatcherOptions<Item, Answer>) {
    this.#flush = flush
    this.#maxItems = maxItems
    this.#maxFlushes = maxFlushes
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
    try {
      const answers = await this.#flush(batch.map(({ item }) => item))
      for (let index = 0; index < batch.length; index += 1) {
        const answer = answers[index]
        if (answer instanceof Error) batch[index]?.reject(answer)
        else batch[index]?.resolve(answer as Answer)
      }
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of batch) reject(reason)
    }
  }
}
