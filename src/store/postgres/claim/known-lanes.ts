import { firstUuidAt, instantOfUuid } from '../../../uuid.ts'
import { tenantOfLane } from './lanes.ts'

/** Where each priority of a lane begins, as far as this process knows. */
export type Beginnings = [high: string, medium: string, low: string]

export interface Taken {
  readonly id: string
  readonly lane: number
  /** 1 to 3. */
  readonly priority: number
}

/** Lanes, how many are asked for of each, and where each priority of them begins, as statements take them. */
export interface LaneBeginnings {
  readonly lanes: readonly number[]
  readonly depths: readonly number[]
  readonly beginnings: readonly [high: readonly string[], medium: readonly string[], low: readonly string[]]
}

/** A lane that is empty, and yet takes long to look at: rows that are gone lie in it, and cannot be cleared away because somebody's transaction began before they went. */
export interface DeadLane {
  readonly lane: number
  readonly isOurs: boolean
  /** The store's time when it was looked at. */
  readonly now: number
}

interface KnownLane {
  readonly beginnings: Beginnings
  /** Whether it has given as much as it was asked for. */
  isRich: boolean
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const NONE: ReadonlySet<number> = new Set()

/** How many lanes a claim is told about. */
const MOST_KNOWN = 256
const MOST_FOREIGN = 512

/** What is asked of a lane that had little when it was looked at last. */
const SHALLOW = 8

/** By how much two who make ids at the same time may differ: their clocks, and how long it takes to commit. */
const MARGIN_MS = 2_000

/** The lanes that this process has taken from, or has found out about, and where what waits in them begins. */
export class KnownLanes {
  readonly #known = new Map<number, KnownLane>()
  readonly #foreign = new Set<number>()
  #furthest = FIRST_ID

  get lanes(): Iterable<number> {
    return this.#known.keys()
  }

  /** Lanes of others' queues and job types. */
  get foreign(): Iterable<number> {
    return this.#foreign
  }

  /** The one lane that is known, and where it begins; null where there is another, or none. */
  get sole(): readonly [lane: number, ...beginnings: Beginnings] | null {
    const [first] = this.#known
    return first && this.#known.size === 1 ? [first[0], ...first[1].beginnings] : null
  }

  has(lane: number): boolean {
    return this.#known.has(lane)
  }

  clear(): void {
    this.#known.clear()
    this.#foreign.clear()
  }

  /** For a claim that wants `reach` at most, and leaves some lanes out; a sweep begins at the first id. */
  begin(reach: number, leftOut = NONE, isSweep = false): LaneBeginnings {
    const known = [...this.#known].filter(([lane]) => !leftOut.has(lane))
    const rich = known.filter(([, { isRich }]) => isRich).length
    const deep = Math.max(Math.ceil(reach / Math.max(rich, 1)), SHALLOW)
    const of = (priority: 0 | 1 | 2) => known.map(([, { beginnings }]) => (isSweep ? FIRST_ID : beginnings[priority]))
    return {
      lanes: known.map(([lane]) => lane),
      depths: known.map(([, { isRich }]) => (isRich ? deep : Math.min(reach, SHALLOW))),
      beginnings: [of(0), of(1), of(2)],
    }
  }

  /** Whether something lay before what was taken already. */
  isBehind(taken: readonly Taken[]): boolean {
    return taken.some(({ id }) => this.isBefore(id))
  }

  isBefore(id: string): boolean {
    return id < this.#furthest
  }

  /** Lanes begin after what was taken from them. An id from a clock that is far ahead says nothing about where the next ones are. */
  take(taken: readonly Taken[], now: number): void {
    const ceiling = firstUuidAt(now + MARGIN_MS)
    for (const { lane, priority, id } of taken) {
      const known = this.#known.get(lane) ?? knownFrom(FIRST_ID)
      const { beginnings } = known
      if (id < ceiling && id > (beginnings[priority - 1] ?? FIRST_ID)) beginnings[priority - 1] = id
      if (id < ceiling && id > this.#furthest) this.#furthest = id
      this.#know(lane, known)
    }
  }

  /** Which lanes are worth a deep look. Returns whether one gave all that it was asked for, so that it may have more. */
  gauge(depths: ReadonlyMap<number, number>, taken: readonly Taken[], hasRoom: boolean): boolean {
    const counts = new Map<number, number>()
    for (const { lane } of taken) counts.set(lane, (counts.get(lane) ?? 0) + 1)
    let isCut = false
    for (const [lane, known] of this.#known) {
      const count = counts.get(lane) ?? 0
      if (count >= (depths.get(lane) ?? SHALLOW)) {
        known.isRich = true
        isCut = true
      } else if (hasRoom) {
        known.isRich = false
      }
    }
    return isCut
  }

  /** Ids grow with time: where nothing is left, what comes next comes after all that was seen, or was made at about the same time. */
  settle(
    resting: ReadonlySet<number>,
    limited: {
      readonly limitedTenants: readonly number[]
      readonly limitedLanes: readonly number[]
      readonly ratedLanes?: readonly number[]
    },
  ): void {
    const { limitedTenants, limitedLanes, ratedLanes = [] } = limited
    const beginning = firstUuidAt(Math.max(0, instantOfUuid(this.#furthest) - MARGIN_MS))
    for (const [lane, { beginnings }] of this.#known) {
      const isLimited =
        limitedTenants.includes(tenantOfLane(lane)) || limitedLanes.includes(lane) || ratedLanes.includes(lane)
      if (!isLimited && !resting.has(lane)) beginnings.fill(beginning)
    }
  }

  addForeign(lanes: readonly number[]): void {
    for (const lane of lanes) if (this.#foreign.size < MOST_FOREIGN) this.#foreign.add(lane)
  }

  /** They are empty: what comes next was made at about that time, or later. All that is older has been seen, as if it had been taken. */
  learnDead(dead: readonly DeadLane[]): void {
    this.addForeign(dead.filter(({ isOurs }) => !isOurs).map(({ lane }) => lane))
    for (const { lane, isOurs, now } of dead) {
      if (!isOurs) continue
      this.#know(lane, knownFrom(firstUuidAt(Math.max(0, now - MARGIN_MS))))
      const seen = firstUuidAt(now)
      if (seen > this.#furthest) this.#furthest = seen
    }
  }

  /** The lane that nothing was taken from for longest makes room. */
  #know(lane: number, known: KnownLane): void {
    this.#known.delete(lane)
    this.#known.set(lane, known)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value ?? lane)
  }
}

function knownFrom(beginning: string): KnownLane {
  return { beginnings: [beginning, beginning, beginning], isRich: false }
}
