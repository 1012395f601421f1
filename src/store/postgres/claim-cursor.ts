import { firstUuidAt, instantOfUuid } from '../../uuid.ts'
import { Budget } from './budget.ts'
import { LANES_OF_TENANT, tenantOfLane } from './lanes.ts'
import { Looks } from './looks.ts'

/** Where each priority of a lane begins, as far as this process knows. */
type Beginnings = [high: string, medium: string, low: string]

interface KnownLane {
  readonly beginnings: Beginnings
  /** Whether it has given as much as it was asked for. */
  isRich: boolean
}

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
  /** The number of the tenant that was served last, in the order of their turns. */
  readonly served: number | null
  /** Tenants, and lanes of jobs, that had a limit: of these more may be left. */
  readonly limitedTenants: readonly number[]
  readonly limitedLanes: readonly number[]
  /** The store's time. */
  readonly now: number
  /** How long it looked for lanes. */
  readonly walkMs: number
  /** Whether nothing was seen and left, for want of room or because others had locked it. */
  readonly isAll: boolean
  /** Whether there was room for more. */
  readonly hasRoom: boolean
}

/** Where a claim begins. */
export interface Beginning {
  /** As the statement takes them. */
  readonly values: readonly unknown[]
  /** How many it asks for of each lane it knows. */
  readonly depths: ReadonlyMap<number, number>
  /** Lanes that it leaves out for a while. */
  readonly resting: ReadonlySet<number>
  readonly isSweep: boolean
  readonly startedAt: number
  /** How often something had been made ready behind. */
  readonly notices: number
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** How many lanes a claim is told about, and how many it looks for. The more it wants the more it looks for, so that each tenant gets little, and soon. */
const KNOWN_LANES = 256
const FOREIGN_LANES = 512
const FEWEST_LANES = 64
const MOST_LANES = 512

/** A walk over the lanes that takes no longer may be taken with every claim. */
const QUICK_WALK_MS = 10

/** What is asked of a lane that had little when it was looked at last. */
const SHALLOW = 8

/** By how much two who make ids at the same time may differ: their clocks, and how long it takes to commit. */
const MARGIN_MS = 2_000

/** For how long claims may look at one lane alone. */
const LOOK_AROUND_MS = 20

/** For how long claims may go without a sweep. */
const SWEEP_EVERY_MS = 1_000

/**
 * Where the next claim begins. What was claimed stays in the index of `ready` until it is vacuumed, and to read over it takes the longer the more it
 * is; so this process begins where it left off. That is only a hint: what commits late or is put back may lie before it, and is found by a
 * sweep, a claim that begins at the first id of every lane.
 *
 * It also knows whose turn it is: lanes are looked at from the tenant after the one that was served last, and round.
 */
export class ClaimCursor {
  readonly #monotonic: () => number
  #scope = ''
  readonly #known = new Map<number, KnownLane>()
  readonly #foreign = new Set<number>()
  #after = 0
  /** Where a walk that is under way began, and ends. */
  #until: number | null = null
  #served = 0
  #furthest = FIRST_ID
  #isSweep = true
  readonly #sweeps: Budget
  readonly #looks: Looks
  readonly #walks: Budget
  #notices = 0
  /** When everything was looked at last, and whether only the one known lane was since. */
  #lookedAroundAt = Number.NEGATIVE_INFINITY
  #hasLookedAway = false
  #isLooking = true
  #hasLimits = false

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
    this.#sweeps = new Budget(monotonic)
    this.#looks = new Looks(monotonic)
    this.#walks = new Budget(monotonic)
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
    if (this.#sweeps.sinceMs >= SWEEP_EVERY_MS && this.maySweep()) this.sweep()
  }

  /** Whether the next claim begins at the first id of every lane. */
  get isSweep(): boolean {
    return this.#isSweep
  }

  /** A sweep that is slow is rare. */
  maySweep(): boolean {
    return this.#sweeps.allows
  }

  /** Where to look for lanes goes on: with thousands of them a walk that began anew each time would never see the last. */
  sweep(): void {
    this.#isSweep = true
  }

  /** The next claims look at all lanes, from where they are and round, unless they are on their way. */
  goRound(): void {
    this.#until ??= this.#after
  }

  /** All lanes were looked at, or something was found. */
  endRound(): void {
    this.#until = null
  }

  /**
   * The one lane there is, as far as is known, and where its priorities begin: a claim may look at it alone, now and then, before everything is looked at
   * again. null where it should not.
   */
  soleLane(resting: ReadonlySet<number>): readonly [lane: number, ...beginnings: Beginnings] | null {
    const [known] = this.#known
    const isLate = this.#hasLookedAway && this.#monotonic() - this.#lookedAroundAt > LOOK_AROUND_MS
    const isDue = this.#isLooking || isLate
    if (!known || this.#known.size > 1 || isDue || this.#isSweep || this.#hasLimits || this.#until !== null) return null
    const [lane, { beginnings }] = known
    return resting.has(lane) ? null : [lane, ...beginnings]
  }

  /** A claim has looked at the one lane alone. */
  learnHead(taken: readonly Taken[], now: number, hasRoom: boolean): void {
    const ceiling = firstUuidAt(now + MARGIN_MS)
    for (const { lane, priority, id } of taken) this.#take(lane, priority - 1, id, ceiling)
    this.#hasLookedAway = true
    if (hasRoom) this.#isLooking = true
  }

  /** For a claim that wants `reach` at most, and leaves some lanes out. */
  begin(reach: number, resting: ReadonlySet<number>): Beginning {
    const known = [...this.#known].filter(([lane]) => !resting.has(lane))
    const rich = known.filter(([, { isRich }]) => isRich).length
    const deep = Math.max(Math.ceil(reach / Math.max(rich, 1)), SHALLOW)
    const depths = known.map(([, { isRich }]) => (isRich ? deep : Math.min(reach, SHALLOW)))
    const of = (priority: 0 | 1 | 2) =>
      known.map(([, { beginnings }]) => (this.#isSweep ? FIRST_ID : beginnings[priority]))
    const lanes = known.map(([lane]) => lane)
    const leftOut = [...this.#foreign, ...resting]
    const mostLanes = this.#walks.allows ? Math.min(Math.max(reach / 2, FEWEST_LANES), MOST_LANES) : 0
    return {
      values: [
        lanes,
        of(0),
        of(1),
        of(2),
        depths,
        leftOut,
        Math.floor(mostLanes),
        this.#after,
        this.#until ?? this.#after,
        this.#served,
      ],
      depths: new Map(lanes.map((lane, index) => [lane, depths[index] ?? 0])),
      resting,
      isSweep: this.#isSweep,
      startedAt: this.#monotonic(),
      notices: this.#notices,
    }
  }

  /** Asks whether anything is ready, from where known lanes begin, and what is known to be foreign left out. */
  look<Answer>(ask: (values: readonly unknown[]) => Promise<Answer>): Promise<Answer> {
    return this.#looks.take(({ isAll, others }) => {
      const known = isAll ? [] : [...this.#known]
      const of = (priority: 0 | 1 | 2) => known.map(([, { beginnings }]) => beginnings[priority])
      const lanes = known.map(([lane]) => lane)
      return ask([lanes, of(0), of(1), of(2), isAll ? [] : [...this.#foreign], others])
    })
  }

  /** Begins after what a claim has taken. Returns whether a lane gave all that it was asked for, so that it may have more. */
  learn(begun: Beginning, found: Findings): boolean {
    const { taken, foreignLanes, lastLane, served, isAll, hasRoom, walkMs } = found
    this.#lookedAroundAt = this.#monotonic()
    this.#hasLookedAway = false
    this.#isLooking = false
    this.#hasLimits = found.limitedTenants.length > 0 || found.limitedLanes.length > 0
    this.#walks.spend(walkMs > QUICK_WALK_MS ? walkMs : 0)
    // Where a sweep found what lay behind, there is more unless it has seen the end of everything.
    const isBehind = taken.some(({ id }) => id < this.#furthest)
    const counts = new Map<number, number>()
    const ceiling = firstUuidAt(found.now + MARGIN_MS)
    for (const { lane, priority, id } of taken) {
      this.#take(lane, priority - 1, id, ceiling)
      counts.set(lane, (counts.get(lane) ?? 0) + 1)
    }
    const isCut = this.#gauge(begun, counts, hasRoom)
    const isEnd = isAll && hasRoom && !isCut && lastLane === null
    if (begun.isSweep) this.#endSweep(begun, isEnd || !isBehind)
    for (const lane of foreignLanes) if (this.#foreign.size < FOREIGN_LANES) this.#foreign.add(lane)
    this.#served = served ?? this.#served
    this.#after = this.#placeAfter(found)
    if (isEnd) this.#settle(begun, found)
    return isCut
  }

  /** The walk goes on behind the last lane it saw. Where all was taken that may be, it is the turn of whoever comes after the tenant that was served last. */
  #placeAfter({ lastLane, served, hasRoom }: Findings): number {
    if (lastLane !== null && (hasRoom || served === null || tenantOfLane(lastLane) === served)) return lastLane
    return served === null ? this.#after : (served + 1) * LANES_OF_TENANT - 1
  }

  #endSweep(begun: Beginning, isDone: boolean): void {
    this.#sweeps.spend(this.#monotonic() - begun.startedAt)
    if (isDone && begun.notices === this.#notices) this.#isSweep = false
  }

  /** An id from a clock that is far ahead says nothing about where the next ones are. */
  #take(lane: number, priority: number, id: string, ceiling: string): void {
    const known = this.#known.get(lane) ?? { beginnings: [FIRST_ID, FIRST_ID, FIRST_ID], isRich: false }
    const { beginnings } = known
    if (id < ceiling && id > (beginnings[priority] ?? FIRST_ID)) beginnings[priority] = id
    if (id < ceiling && id > this.#furthest) this.#furthest = id
    // The lane that nothing was taken from for longest makes room.
    this.#known.delete(lane)
    this.#known.set(lane, known)
    if (this.#known.size > KNOWN_LANES) this.#known.delete(this.#known.keys().next().value ?? lane)
  }

  /** Which lanes are worth a deep look. */
  #gauge({ depths }: Beginning, counts: ReadonlyMap<number, number>, hasRoom: boolean): boolean {
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
  #settle({ resting }: Beginning, { limitedTenants, limitedLanes }: Findings): void {
    const beginning = firstUuidAt(Math.max(0, instantOfUuid(this.#furthest) - MARGIN_MS))
    for (const [lane, { beginnings }] of this.#known) {
      const isLimited = limitedTenants.includes(tenantOfLane(lane)) || limitedLanes.includes(lane)
      if (!isLimited && !resting.has(lane)) beginnings.fill(beginning)
    }
  }

  /** Something was made ready by this process: the next claim has to see it. */
  noticed(id: string | null | undefined, lane?: number): void {
    if (lane === undefined || !this.#known.has(lane)) this.#isLooking = true
    if (id == null || id >= this.#furthest) return
    this.#notices++
    this.sweep()
  }
}
