/** Where each priority of a lane begins, as far as this process knows. */
type Beginnings = [high: string, medium: string, low: string]

interface Taken {
  readonly id: string
  readonly lane: number
  /** 1 to 3. */
  readonly priority: number
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** How many lanes a claim is told about. */
const KNOWN_LANES = 64
const FOREIGN_LANES = 512

/** For how long claims that find enough may go without a look at what was put back before where they begin. */
const SWEEP_EVERY_MS = 1_000

/** The part of the time that may be spent on such looks. */
const SWEEP_SHARE = 0.1

/**
 * Where the next claim begins. What was claimed stays in the index of `ready` until it is vacuumed, and to read over it takes the longer the more it
 * is; so this process begins where it left off. That is only a hint: what commits late or is put back may lie before it, and is found by a
 * sweep, a claim that begins at the first id.
 */
export class ClaimCursor {
  readonly #monotonic: () => number
  #scope = ''
  readonly #known = new Map<number, Beginnings>()
  readonly #foreign = new Set<number>()
  #after = 0
  #furthest = FIRST_ID
  #sweptAt = Number.NEGATIVE_INFINITY
  #sweepMs = 0

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Lanes are known to be one's own or foreign for a set of queues and job types; for another everything is forgotten. */
  serve(queues: readonly string[], jobTypes: readonly string[]): void {
    const scope = JSON.stringify([queues, jobTypes])
    if (scope !== this.#scope) {
      this.#known.clear()
      this.#foreign.clear()
      this.sweep()
    }
    this.#scope = scope
    if (this.#monotonic() - this.#sweptAt >= SWEEP_EVERY_MS && this.maySweep()) this.sweep()
  }

  /** Lanes with their beginnings, lanes to leave out, and the lane after which to look for others; as the statement takes them. */
  values(): unknown[] {
    const beginnings = [...this.#known.values()]
    return [
      [...this.#known.keys()],
      beginnings.map(([high]) => high),
      beginnings.map(([, medium]) => medium),
      beginnings.map(([, , low]) => low),
      [...this.#foreign],
      this.#after,
    ]
  }

  /** Whether the next claim looks at everything that there is. */
  get isAtStart(): boolean {
    return this.#after === 0 && this.#furthest === FIRST_ID
  }

  /** A sweep that is slow is rare. */
  maySweep(): boolean {
    return (this.#monotonic() - this.#sweptAt) * SWEEP_SHARE >= this.#sweepMs
  }

  /** Lets the next claim begin at the first id of every lane. */
  sweep(): void {
    this.#after = 0
    this.#furthest = FIRST_ID
    for (const lane of this.#known.keys()) this.#known.set(lane, [FIRST_ID, FIRST_ID, FIRST_ID])
  }

  /** A claim from the start is done. */
  swept(startedAt: number): void {
    this.#sweptAt = this.#monotonic()
    this.#sweepMs = this.#sweptAt - startedAt
  }

  /** Begins after what was taken. */
  learn(taken: readonly Taken[], foreignLanes: readonly number[], lastLane: number | null): void {
    for (const { lane, priority, id } of taken) this.#take(lane, priority - 1, id)
    for (const lane of foreignLanes) if (this.#foreign.size < FOREIGN_LANES) this.#foreign.add(lane)
    this.#after = lastLane ?? 0
  }

  #take(lane: number, priority: number, id: string): void {
    const beginnings = this.#known.get(lane) ?? [FIRST_ID, FIRST_ID, FIRST_ID]
    if (id > (beginnings[priority] ?? FIRST_ID)) beginnings[priority] = id
    if (id > this.#furthest) this.#furthest = id
    // The lane that nothing was taken from for longest makes room.
    this.#known.delete(lane)
    this.#known.set(lane, beginnings)
    if (this.#known.size > KNOWN_LANES) this.#known.delete(this.#known.keys().next().value ?? lane)
  }

  /** Something was made ready by this process: the next claim has to see it. */
  noticed(id: string | null | undefined): void {
    if (id != null && id < this.#furthest) this.sweep()
  }
}
