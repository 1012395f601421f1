import type { VirtualTime } from './virtual-time.ts'

/**
 * The clock of the database, which rules. It may be set while all goes on. What is promised then (I23): nothing fires twice, whatever was due is fired or told why not, and nothing that waits for
 * an instant is over before this clock shows it, in that moment. A jump forward makes early what lies in between, and a jump back makes late what is next: that is what a clock is.
 */
export class StoreClock {
  readonly #time: VirtualTime
  #aheadMs = 0
  #furthest = Number.NEGATIVE_INFINITY
  #jumps = 0
  #setAt = Number.NEGATIVE_INFINITY

  constructor(time: VirtualTime) {
    this.#time = time
  }

  get now(): number {
    return this.#time.now + this.#aheadMs
  }

  /** The latest instant that it has ever shown. */
  get furthest(): number {
    return Math.max(this.#furthest, this.now)
  }

  /** How often it was set. */
  get jumps(): number {
    return this.#jumps
  }

  /** Whether it was set within the last so many milliseconds of true time. */
  wasSetWithin(ms: number): boolean {
    return this.#time.now - this.#setAt <= ms
  }

  jump(byMs: number): void {
    this.#furthest = this.furthest
    this.#jumps += 1
    this.#aheadMs += byMs
    this.#setAt = this.#time.now
  }
}
