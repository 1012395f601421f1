import { StoreUnavailableError } from '../../store/unavailable.ts'

/** Items that belong to one flush, and who waits for them. */
interface Waiting<Item, Answer> {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: Error) => void
}

export interface BatcherOptions<Item, Answer> {
  /** Answers in the order of the items; an error is the answer to one of them. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>
  /** Sends one item of a batch that the store has rejected, so that the others do not fail with it. Without it all fail with one error. */
  readonly one?: ((item: Item) => Promise<Answer | Error>) | undefined
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
  readonly #one: ((item: Item) => Promise<Answer | Error>) | null
  readonly #maxItems: number
  readonly #maxFlushes: number
  #waiting: Waiting<Item, Answer>[] = []
  readonly #flushes = new Set<Promise<void>>()

  constructor({ flush, one, maxItems = 1_000, maxFlushes = 1 }: BatcherOptions<Item, Answer>) {
    this.#flush = flush
    this.#one = one ?? null
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
    const items = batch.map(({ item }) => item)
    try {
      settle(batch, await this.#flush(items))
    } catch (error) {
      const one = this.#one
      if (one && batch.length > 1 && !(error instanceof StoreUnavailableError)) {
        settle(batch, await oneByOne(items, (item) => one(item).catch(errorOf), error))
        return
      }
      for (const { reject } of batch) reject(errorOf(error))
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

/** Sends the items of a failed batch one at a time, so that an item that the store rejects does not fail the others. */
export async function oneByOne<Item, Answer>(
  items: readonly Item[],
  one: (item: Item) => Promise<Answer | Error>,
  reason: unknown,
): Promise<(Answer | Error)[]> {
  if (reason instanceof StoreUnavailableError) throw reason
  const answers: (Answer | Error)[] = []
  for (const item of items) answers.push(await one(item))
  return answers
}

export function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
