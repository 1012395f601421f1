import { randomWords } from '../../src/testing/manual-env.ts'

/** Chance that is the same every time: a stream of its own for each purpose, so that what one takes does not shift what another gets. */
export class Chance {
  readonly #next: () => number

  constructor(seed: number, purpose: string) {
    let mixed = seed >>> 0
    for (const unit of purpose) mixed = Math.imul(mixed ^ unit.charCodeAt(0), 0x01000193) >>> 0
    this.#next = randomWords(mixed)
  }

  /** 32 random bits. */
  word(): number {
    return this.#next()
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.#next() / 2 ** 32
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  isIn(probability: number): boolean {
    return this.fraction() < probability
  }

  /** One of several, of which there is at least one. */
  pick<Value>(values: readonly Value[]): Value {
    return values[this.between(0, values.length - 1)] as Value
  }
}
