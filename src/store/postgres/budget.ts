/** Lets something that may be slow have a part of the time: the slower it was, the longer until it may be done again. */
export class Budget {
  readonly #monotonic: () => number
  readonly #share: number
  #lastAt = Number.NEGATIVE_INFINITY
  #lastMs = 0

  constructor(monotonic: () => number, share: number) {
    this.#monotonic = monotonic
    this.#share = share
  }

  /** How long ago it was done last. */
  get sinceMs(): number {
    return this.#monotonic() - this.#lastAt
  }

  get allows(): boolean {
    return this.sinceMs * this.#share >= this.#lastMs
  }

  /** It was done just now. */
  spend(startedAt: number): void {
    this.#lastAt = this.#monotonic()
    this.#lastMs = this.#lastAt - startedAt
  }
}
