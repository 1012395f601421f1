import type { Clock, Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'

const NOTABLE_OFFSET_MS = 1_000
/** How much two clocks drift apart at most, in milliseconds each: what was learnt is worth less as time goes by. */
const DRIFT = 500 / 1_000_000
/** Instants are told in whole milliseconds. */
const ROUNDING_MS = 1
/** What was learnt within this is new enough to decide by: nodes ask every second. */
const FRESH_MS = 2_000

/**
 * The store's time, which rules: what the store was seen to say, and the time that has passed since. This machine's clock has no part in it,
 * so that setting it changes nothing.
 */
export class StoreTime implements Clock {
  readonly #env: Env
  readonly #logger: Logger
  readonly #ask: (() => Promise<{ readonly now: number }>) | null
  /** How far the store's clock is ahead of what has passed here: at least and at most. */
  #ahead: { readonly least: number; readonly most: number } | null = null
  #observedAt = 0
  #hasSaid = false

  /** `ask`: what it learns from where nobody else has asked for a while. */
  constructor(env: Env, logger: Logger, ask: (() => Promise<{ readonly now: number }>) | null = null) {
    this.#env = env
    this.#logger = logger
    this.#ask = ask
  }

  now(): number {
    if (this.#ahead === null) return this.#env.now()
    return Math.round((this.#ahead.least + this.#ahead.most) / 2 + this.#env.monotonic())
  }

  /** By how much it may be wrong, as of the last look. */
  get uncertaintyMs(): number {
    return this.#ahead === null ? Number.POSITIVE_INFINITY : (this.#ahead.most - this.#ahead.least) / 2
  }

  /**
   * By how much what the store tells in whole milliseconds may be ahead of `now()`: what is to last so long, and not shorter, is reckoned with it. 0 until the store has
   * said something.
   */
  get marginMs(): number {
    if (this.#ahead === null) return 0
    const monotonic = this.#env.monotonic()
    const latest = this.#ahead.most - ROUNDING_MS + monotonic + (monotonic - this.#observedAt) * DRIFT
    return Math.max(0, Math.ceil(latest) - this.now())
  }

  /** How far the store's clock is ahead of this machine's. */
  get offsetMs(): number {
    return this.now() - this.#env.now()
  }

  /** Asks the store something whose answer carries its time, and learns from it. */
  async observe<Answer extends { readonly now: number }>(ask: () => Promise<Answer>): Promise<Answer> {
    const askedAt = this.#env.monotonic()
    const answer = await ask()
    this.#learn(answer.now, askedAt, this.#env.monotonic())
    return answer
  }

  /** Learns anew where what is known is old: a process that is no node asks the store for nothing that would tell, and its clock may have been set meanwhile. */
  async keepUp(): Promise<void> {
    const isFresh = this.#ahead !== null && this.#env.monotonic() - this.#observedAt <= FRESH_MS
    if (!isFresh && this.#ask) await this.observe(this.#ask)
  }

  /**
   * The store looked at its clock somewhere between question and answer. That narrows what was known; where it contradicts it the clock was set meanwhile, and
   * only the new counts. So a slow answer never makes worse what a quick one has told.
   */
  #learn(storeNow: number, askedAt: number, answeredAt: number): void {
    const seen = { least: storeNow - answeredAt - ROUNDING_MS, most: storeNow - askedAt + ROUNDING_MS }
    this.#ahead = this.#narrowed(seen, (answeredAt - this.#observedAt) * DRIFT) ?? seen
    this.#observedAt = answeredAt
    this.#sayWhenNotable()
  }

  #narrowed(seen: { readonly least: number; readonly most: number }, driftMs: number) {
    if (this.#ahead === null) return null
    const least = Math.max(seen.least, this.#ahead.least - driftMs)
    const most = Math.min(seen.most, this.#ahead.most + driftMs)
    return least <= most ? { least, most } : null
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
