import { randomWords } from '../../src/testing/manual-env.ts'

/** Chance that is the same in every run. */
export class Chance {
  readonly #word: () => number

  constructor(seed: number) {
    this.#word = randomWords(seed)
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.#word() / 2 ** 32
  }

  /** A whole number from one up to and including another. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  /** One of a list. */
  of<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new Error('There is nothing to choose from.')
    return item
  }

  /** The same in another order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => [this.fraction(), item] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, item]) => item)
  }
}
