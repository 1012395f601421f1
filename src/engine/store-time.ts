import type { Clock, Env } from '../clock.ts'
import type { Logger } from '../logger.ts'

const NOTABLE_OFFSET_MS = 1_000

/** The store's time, which rules: this machine's clock, corrected by what the store was seen to say. */
export class StoreTime implements Clock {
  readonly #env: Env
  readonly #logger: Logger
  #offsetMs = 0
  #hasSaid = false

  constructor(env: Env, logger: Logger) {
    this.#env = env
    this.#logger = logger
  }

  now(): number {
    return Math.round(this.#env.now() + this.#offsetMs)
  }

  /** How far the store's clock is ahead of this machine's. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  /** Asks the store something whose answer carries its time, and learns the difference from it. */
  async observe<Answer extends { readonly now: number }>(ask: () => Promise<Answer>): Promise<Answer> {
    const askedAt = this.#env.now()
    const answer = await ask()
    // The store looked at its clock somewhere between question and answer.
    this.#offsetMs = answer.now - (askedAt + this.#env.now()) / 2
    this.#sayWhenNotable()
    return answer
  }

  #sayWhenNotable(): void {
    const isNotable = Math.abs(this.#offsetMs) > NOTABLE_OFFSET_MS
    if (isNotable && !this.#hasSaid) {
      this.#logger.warn('The clock of this machine differs from that of the store, which rules', {
        offsetMs: Math.round(this.#offsetMs),
      })
    }
    this.#hasSaid = isNotable
  }
}
