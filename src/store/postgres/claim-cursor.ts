/** Where each priority of a lane begins, as far as this process knows. */
type Beginnings = [high: string, medium: string, low: string]

interface Taken {
  readonly id: string
  readonly lane: number
  /** 1 to 3. */
  readonly priority: number
}

/** What a claim has found. */
export interface Findings {
  readonly taken: readonly Taken[]
  readonly foreignLanes: readonly number[]
  /** Set where there may be more lanes than were looked at. */
  readonly lastLane: number | null
  /** Whether all was taken that it looked at, and more had been welcome. */
  readonly isAll: boolean
}

/** Where a claim begins. */
export interface Beginning {
  /** Lanes with their beginnings, lanes to leave out, and the lane after which to look for others; as the statement takes them. */
  readonly values: readonly unknown[]
  readonly isSweep: boolean
  readonly startedAt: number
  /** How often something had been made ready behind. */
  readonly notices: number
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** How many lanes a claim is told about. */
const KNOWN_LANES = 64
const FOREIGN_LANES = 512

/** For how long claims may go without a sweep. */
const SWEEP_EVERY_MS = 1_000

/** The part of the time that may be spent on sweeps. */
const SWEEP_SHARE = 0.1

/**
 * Where the next claim begins. What was claimed stays in the index of `ready` until it is vacuumed, and to read over it takes the longer the more it
 * is; so this process begins where it left off. That is only a hint: what commits late or is put back may lie before it, and is found by a
 * sweep, a claim that begins at the first id of every lane.
 */
export class ClaimCursor {
  readonly #monotonic: () => number
  #scope = ''
  readonly #known = new Map<number, Beginnings>()
  readonly #foreign = new Set<number>()
  #after = 0
  #furthest = FIRST_ID
  #isSweep = true
  #sweptAt = Number.NEGATIVE_INFINITY
  #sweepMs = 0
  #notices = 0

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Lanes are one's own or foreign for a set of queues and job types; for another everything is forgotten. */
  serve(queues: readonly string[], jobTypes: readonly string[]): void {
    const scope = JSON.stringify([queues, jobTypes])
    if (scope !== this.#scope) {
      this.#scope = scope
      this.#known.clear()
      this.#foreign.clear()
      this.sweep()
    }
    if (this.#monotonic() - this.#sweptAt >= SWEEP_EVERY_MS && this.maySweep()) this.sweep()
  }

  /** Whether the next claim begins at the first id of every lane. */
  get isSweep(): boolean {
    return this.#isSweep
  }

  /** A sweep that is slow is rare. */
  maySweep(): boolean {
    return (this.#monotonic() - this.#sweptAt) * SWEEP_SHARE >= this.#sweepMs
  }

  /** Where to look for lanes goes on: with thousands of them a walk that began anew each time would never see the last. */
  sweep(): void {
    this.#isSweep = true
  }

  /** Whether the next claim looks for lanes from the first one on. */
  get isAtFirstLane(): boolean {
    return this.#after === 0
  }

  begin(): Beginning {
    const beginnings = [...this.#known.values()]
    const of = (priority: 0 | 1 | 2) => beginnings.map((each) => (this.#isSweep ? FIRST_ID : each[priority]))
    return {
      values: [[...this.#known.keys()], of(0), of(1), of(2), [...this.#foreign], this.#after],
      isSweep: this.#isSweep,
      startedAt: this.#monotonic(),
      notices: this.#notices,
    }
  }

  /** Begins after what a claim has taken. */
  learn(begun: Beginning, { taken, foreignLanes, lastLane, isAll }: Findings): void {
    if (begun.isSweep) {
      this.#sweptAt = this.#monotonic()
      this.#sweepMs = this.#sweptAt - begun.startedAt
      // Where a sweep found what lay behind, and had no room for all of it, there is more.
      const isDone = isAll || !taken.some(({ id }) => id < this.#furthest)
      if (isDone && begun.notices === this.#notices) this.#isSweep = false
    }
    for (const { lane, priority, id } of taken) this.#take(lane, priority - 1, id)
    for (const lane of foreignLanes) if (this.#foreign.size < FOREIGN_LANES) this.#foreign.add(lane)
    this.#after = lastLane ?? 0
    if (isAll) this.#settle()
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

  /** Ids grow with time: where nothing is left, what comes next comes after all that was seen. */
  #settle(): void {
    for (const lane of this.#known.keys()) this.#known.set(lane, [this.#furthest, this.#furthest, this.#furthest])
  }

  /** Something was made ready by this process: the next claim has to see it. */
  noticed(id: string | null | undefined): void {
    if (id == null || id >= this.#furthest) return
    this.#notices++
    this.sweep()
  }
}
