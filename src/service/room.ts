/** For how long a count is taken to hold, with what was made here since; others may make something as well. */
const COUNTED_MS = 5_000
/** From this share of what there may be on, it is counted every time. */
const CLOSE = 0.8
const MOST_TENANTS = 10_000

interface Counted {
  readonly countedAt: number
  count: number
}

export interface RoomRequest {
  readonly tenant: string
  readonly maximum: number
  /** Milliseconds of a clock that nobody sets. */
  readonly now: number
  readonly count: () => Promise<number>
}

/** Knows how many of something tenants have, roughly while that is far from too many: to count thousands for each one that is made would take longer than to make it. */
export class Room {
  readonly #counted = new Map<string, Counted>()

  /** How many there are before another one is made, which is not made where these are too many. */
  async take({ tenant, maximum, now, count }: RoomRequest): Promise<number> {
    const known = this.#counted.get(tenant)
    if (known && now - known.countedAt < COUNTED_MS && known.count < maximum * CLOSE) {
      known.count += 1
      return known.count - 1
    }
    const found = await count()
    this.#counted.delete(tenant)
    this.#counted.set(tenant, { countedAt: now, count: found + 1 })
    if (this.#counted.size > MOST_TENANTS) this.#dropOldest()
    return found
  }

  #dropOldest(): void {
    const [oldest] = this.#counted.keys()
    if (oldest !== undefined) this.#counted.delete(oldest)
  }
}
