import type { Clock, Env } from '../clock.ts'
import type { Logger } from '../logger.ts'

const NOTABLE_OFFSET_MS = 1_000
/** After this long a worse look at the store's clock is better than an old one. */
const STALE_MS = 30_000

/**
 * The store's time, which rules: what the store was seen to say, and the time that has passed since. This machine's clock has no part in it,
 * so that setting it changes nothing.
 */
export class StoreTime implements Clock {
  readonly #env: Env
  readonly #logger: Logger
  #base: number | null = null
  #roundTripMs = Number.POSITIVE_INFINITY
  #observedAt = Number.NEGATIVE_INFINITY
  #hasSaid = false

  constructor(env: Env, logger: Logger) {
    this.#env = env
    this.#logger = logger
  }

  now(): number {
    return this.#base === null ? this.#env.now() : Math.round(this.#base + this.#env.monotonic())
  }

  /** How far the store's clock is ahead of this machine's. */
  get offsetMs(): number {
    return this.now() - this.#env.now()
  }

  /** Asks the store something whose answer carries its time, and learns from it; the quicker the answer, the more it is worth. */
  async observe<Answer extends { readonly now: number }>(ask: () => Promise<Answer>): Promise<Answer> {
    const askedAt = this.#env.monotonic()
    const answer = await ask()
    this.#learn(answer.now, askedAt, this.#env.monotonic())
    return answer
  }

  #learn(storeNow: number, askedAt: number, answeredAt: number): void {
    const roundTripMs = answeredAt - askedAt
    // The store looked at its clock somewhere between question and answer: what contradicts that, it was set meanwhile.
    const isPlausible = storeNow >= this.now() - roundTripMs - 1 && storeNow <= this.now() + roundTripMs + 1
    const isBetter = roundTripMs <= this.#roundTripMs || answeredAt - this.#observedAt > STALE_MS
    if (isPlausible && !isBetter) return
    this.#base = storeNow - (askedAt + answeredAt) / 2
    this.#roundTripMs = roundTripMs
    this.#observedAt = answeredAt
    this.#sayWhenNotable()
  }

  #sayWhenNotable(): void {
    const isNotable = Math.abs(this.offsetMs) > NOTABLE_OFFSET_MS
    if (isNotable && !this.#hasSaid) {
      this.#logger.warn('The clock of this machine differs from that of the store, which rules', {
        offsetMs: this.offsetMs,
      })
    }
    this.#hasSaid = isNotable
  }
}
