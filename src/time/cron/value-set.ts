/** What {@link ValueSet.atOrAfter} answers where no value is left. */
export const NO_VALUE = -1

/** The values of one cron field as tables, so that next, previous and rank are one lookup each. */
export class ValueSet {
  readonly first: number
  readonly last: number
  readonly #next: Int8Array
  readonly #previous: Int8Array
  readonly #below: Uint8Array

  /** `size` is one more than the largest value the field can have. */
  constructor(values: ReadonlySet<number>, size: number) {
    this.#next = new Int8Array(size + 1).fill(NO_VALUE)
    this.#previous = new Int8Array(size + 1).fill(NO_VALUE)
    this.#below = new Uint8Array(size + 1)
    for (let value = size - 1; value >= 0; value--) {
      this.#next[value] = values.has(value) ? value : (this.#next[value + 1] ?? NO_VALUE)
    }
    for (let value = 0; value < size; value++) {
      this.#previous[value] = values.has(value) ? value : (this.#previous[value - 1] ?? NO_VALUE)
      this.#below[value + 1] = (this.#below[value] ?? 0) + (values.has(value) ? 1 : 0)
    }
    this.first = this.atOrAfter(0)
    this.last = this.atOrBefore(size - 1)
  }

  get count(): number {
    return this.below(this.#below.length - 1)
  }

  has(value: number): boolean {
    return this.#next[value] === value
  }

  /** The smallest value that is at least `value`; `value` may be one past the largest of the field. */
  atOrAfter(value: number): number {
    return this.#next[value] as number
  }

  /** The largest value that is at most `value`; `value` may be -1. */
  atOrBefore(value: number): number {
    return value < 0 ? NO_VALUE : (this.#previous[value] as number)
  }

  /** How many values are smaller than `value`. */
  below(value: number): number {
    return this.#below[value] as number
  }
}
