/** The part of the time that may be spent on what is quick, and on what is slow. */
const SHARE = 0.1
export const SLOW_MS = 50
const SLOW_SHARE = 0.02
/** However slow it is, it is not put off for longer, unless that would be more than a fifth of the time. */
const LONGEST_MS = 3_000
const LARGEST_SHARE = 0.2

/** Lets something that may be slow have a part of the time: the slower it was, the longer until it may be done again. */
export class Budget {
  readonly #monotonic: () => number
  #lastAt = Number.NEGATIVE_INFINITY
  #lastMs = 0

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** How long ago it was done last. */
  get sinceMs(): number {
    return this.#monotonic() - this.#lastAt
  }

  get allows(): boolean {
    const waitMs = this.#lastMs / (this.#lastMs > SLOW_MS ? SLOW_SHARE : SHARE)
    return this.sinceMs >= Math.min(waitMs, Math.max(LONGEST_MS, this.#lastMs / LARGEST_SHARE))
  }

  /** It was done just now, and took so long. */
  spend(milliseconds: number): void {
    this.#lastAt = this.#monotonic()
    this.#lastMs = milliseconds
  }
}
