import { randomWords } from '../../src/testing/manual-env.ts'

/** Chance that is the same every time: a stream of its own for each purpose, so that what one takes does not shift what another gets. */
export class Chance {
  readonly #next: () => number

  constructor(seed: number, purpose = '') {
    this.#next = randomWords(mixed(seed, purpose))
  }

  /** One draw for the how-manieth of something, whatever the others got: from 0 up to, but not including, 1. */
  static fractionOf(seed: number, purpose: string, number: number): number {
    let bits = Math.imul(mixed(seed, purpose) ^ number, 0x9e3779b1)
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
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

  /** The same in another order. */
  shuffled<Value>(values: readonly Value[]): Value[] {
    return values
      .map((value) => [this.fraction(), value] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, value]) => value)
  }
}

function mixed(seed: number, purpose: string): number {
  let bits = seed >>> 0
  for (let place = 0; place < purpose.length; place += 1) {
    bits = Math.imul(bits ^ purpose.charCodeAt(place), 0x01000193) >>> 0
  }
  return bits
}
