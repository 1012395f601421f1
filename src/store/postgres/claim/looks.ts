import { Budget } from './budget.ts'

/** Looks at other lanes that take longer are not taken with every poll. */
const SLOW_MS = 100

/** How far a poll may look. */
export interface Look {
  /** At everything, as if no lane were known. */
  readonly isAll: boolean
  /** How many lanes it looks for besides those that are known. */
  readonly others: number
}

/**
 * Polls ask whether anything is ready. Where that can be afforded they ask about everything; otherwise about the lanes that are known from where they begin, and about
 * others only if that does not take long: what is stepped over there may be a million rows that are gone.
 */
export class Looks {
  readonly #monotonic: () => number
  readonly #budget: Budget
  /** How many looks at other lanes were slow, one after the other: one alone may be chance. */
  #slow = 0

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
    this.#budget = new Budget(monotonic)
  }

  async take<Answer>(ask: (look: Look) => Promise<Answer>): Promise<Answer> {
    const isAll = this.#budget.allows
    const others = isAll || this.#slow < 2 ? 1 : 0
    const startedAt = this.#monotonic()
    const answer = await ask({ isAll, others })
    const tookMs = this.#monotonic() - startedAt
    if (others > 0) this.#slow = tookMs > SLOW_MS ? this.#slow + 1 : 0
    if (isAll) this.#budget.spend(tookMs)
    return answer
  }

  /** What was slow is known now, and left out. */
  forgive(): void {
    this.#slow = 0
  }
}
