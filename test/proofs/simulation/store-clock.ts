import type { VirtualTime } from './virtual-time.ts'

/** That it was set: when, in true time, what it showed right before, and how far it was ahead of true time before and after. */
interface Setting {
  readonly trueAt: number
  readonly before: number
  readonly aheadBefore: number
  readonly aheadAfter: number
}

/**
 * The clock of the database, which rules. It may be set while all goes on. What is promised then (I23): nothing fires twice, whatever was due is fired or told why not, and nothing that waits for
 * an instant is over before this clock shows it, in that moment. A jump forward makes early what lies in between, and a jump back makes late what is next: that is what a clock is.
 */
export class StoreClock {
  readonly #time: VirtualTime
  readonly #settings: Setting[] = []
  #aheadMs = 0

  constructor(time: VirtualTime) {
    this.#time = time
  }

  get now(): number {
    return this.#time.now + this.#aheadMs
  }

  /** The latest instant that it has shown since an instant of true time. */
  furthestSince(trueAt: number): number {
    return Math.max(this.now, ...this.#settingsSince(trueAt).map(({ before }) => before))
  }

  /** How far it was ahead of true time since an instant of that: at least and at most. */
  aheadSince(trueAt: number): { readonly least: number; readonly most: number } {
    const all = [this.#aheadMs, ...this.#settingsSince(trueAt).map(({ aheadBefore }) => aheadBefore)]
    return { least: Math.min(...all), most: Math.max(...all) }
  }

  /** Whether it was ever set ahead. */
  get wasSetAhead(): boolean {
    return this.#settings.some(({ aheadBefore, aheadAfter }) => aheadAfter > aheadBefore)
  }

  jump(byMs: number): void {
    const [before, aheadBefore] = [this.now, this.#aheadMs]
    this.#aheadMs += byMs
    this.#settings.push({ trueAt: this.#time.now, before, aheadBefore, aheadAfter: this.#aheadMs })
  }

  #settingsSince(trueAt: number): readonly Setting[] {
    return this.#settings.filter((each) => each.trueAt >= trueAt)
  }
}
