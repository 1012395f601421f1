import { Budget, SLOW_MS } from './budget.ts'
import { type DeadLane, KnownLanes, type LaneBeginnings, type Taken } from './known-lanes.ts'
import { LANES_OF_TENANT, tenantOfLane } from './lanes.ts'
import { Looks } from './looks.ts'

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
  /** Lanes with a rate limit: more may be left in them. */
  readonly ratedLanes?: readonly number[]
  readonly hasSeveralTenants: boolean
  /** The store's time. */
  readonly now: number
  /** How long it looked for lanes. */
  readonly walkMs: number
  /** Whether nothing was seen and left, for want of room or because others had locked it. */
  readonly isAll: boolean
  /** Whether there was room for more. */
  readonly hasRoom: boolean
}

/** Lanes, and where each of their three priorities begins. */
interface LaneFields {
  readonly lanes: readonly number[]
  readonly firstHigh: readonly string[]
  readonly firstMedium: readonly string[]
  readonly firstLow: readonly string[]
}

/** Where a claim begins, as fields of its statement. */
export interface BeginningFields extends LaneFields {
  readonly depths: readonly number[]
  readonly leftOut: readonly number[]
  readonly mostLanes: number
  readonly after: number
  readonly until: number
  readonly served: number
}

/** One lane, and where each of its three priorities begins. */
export interface SoleLane {
  readonly lane: number
  readonly firstHigh: string
  readonly firstMedium: string
  readonly firstLow: string
}

/** Where to look whether anything is ready: which lanes are foreign, and how many others to look at. */
export interface LookFields extends LaneFields {
  readonly foreign: readonly number[]
  readonly others: number
}

/** Where a claim begins. */
export interface Beginning {
  readonly fields: BeginningFields
  /** How many it asks for of each lane it knows. */
  readonly depths: ReadonlyMap<number, number>
  /** Lanes that it leaves out for a while. */
  readonly resting: ReadonlySet<number>
  readonly isSweep: boolean
  /** Whether it looks for lanes it does not know. */
  readonly isWalk: boolean
  readonly startedAt: number
  /** How often something had been made ready behind. */
  readonly notices: number
}

/** How many lanes a claim looks for. The more it wants the more it looks for, so that each tenant gets little, and soon. */
const FEWEST_LANES = 64
const MOST_LANES = 512

/** A walk over the lanes that takes no longer may be taken with every claim. */
const QUICK_WALK_MS = 10

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
  #scope: Scope = { queues: [], jobTypes: [] }
  readonly #known = new KnownLanes()
  #after = 0
  /** Where a walk that is under way began, and ends. */
  #until: number | null = null
  #served = 0
  #isSweep = true
  readonly #sweeps: Budget
  readonly #looks: Looks
  readonly #walks: Budget
  /** For looks at what makes walks slow, and whether one was since. */
  readonly #searches: Budget
  #isWalkSlow = false
  #isSearching = false
  #notices = 0
  /** When everything was looked at last, and whether only the one known lane was since. */
  #lookedAroundAt = Number.NEGATIVE_INFINITY
  #hasLookedAway = false
  #isLooking = true
  #hasLimits = false
  #hasSeveralTenants = false

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
    this.#sweeps = new Budget(monotonic)
    this.#looks = new Looks(monotonic)
    this.#walks = new Budget(monotonic)
    this.#searches = new Budget(monotonic)
  }

  /** Lanes are one's own or foreign for a set of queues and job types; for another everything is forgotten. */
  serve(queues: readonly string[], jobTypes: readonly string[]): void {
    if (!isSame(queues, this.#scope.queues) || !isSame(jobTypes, this.#scope.jobTypes)) {
      this.#scope = { queues, jobTypes }
      this.#known.clear()
      this.sweep()
    }
    if (this.#sweeps.sinceMs >= SWEEP_EVERY_MS && this.maySweep()) this.sweep()
  }

  /** As the last claim found that looked at everything. */
  get hasSeveralTenants(): boolean {
    return this.#hasSeveralTenants
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
  soleLane(resting: ReadonlySet<number>): SoleLane | null {
    const isLate = this.#hasLookedAway && this.#monotonic() - this.#lookedAroundAt > LOOK_AROUND_MS
    const isDue = this.#isLooking || isLate
    const sole = this.#known.sole
    if (!sole || isDue || this.#isSweep || this.#hasLimits || this.#until !== null) return null
    const [lane, firstHigh, firstMedium, firstLow] = sole
    return resting.has(lane) ? null : { lane, firstHigh, firstMedium, firstLow }
  }

  /** A claim has looked at the one lane alone. */
  learnHead(taken: readonly Taken[], now: number, hasRoom: boolean): void {
    this.#known.take(taken, now)
    this.#hasLookedAway = true
    if (hasRoom) this.#isLooking = true
  }

  /** For a claim that wants `reach` at most, and leaves some lanes out. */
  begin(reach: number, resting: ReadonlySet<number>): Beginning {
    const { lanes, depths, beginnings } = this.#known.begin(reach, resting, this.#isSweep)
    const leftOut = [...this.#known.foreign, ...resting]
    const mostLanes = this.#walks.allows ? Math.min(Math.max(reach / 2, FEWEST_LANES), MOST_LANES) : 0
    return {
      fields: {
        ...fieldsOf(lanes, beginnings),
        depths,
        leftOut,
        mostLanes: Math.floor(mostLanes),
        after: this.#after,
        until: this.#until ?? this.#after,
        served: this.#served,
      },
      depths: new Map(lanes.map((lane, index) => [lane, depths[index] ?? 0])),
      resting,
      isSweep: this.#isSweep,
      isWalk: mostLanes > 0,
      startedAt: this.#monotonic(),
      notices: this.#notices,
    }
  }

  /** Asks whether anything is ready, from where known lanes begin, and what is known to be foreign left out. */
  look<Answer>(ask: (fields: LookFields) => Promise<Answer>): Promise<Answer> {
    return this.#looks.take(({ isAll, others }) => {
      const { lanes, beginnings } = isAll ? NO_LANES : this.#known.begin(0)
      return ask({ ...fieldsOf(lanes, beginnings), foreign: isAll ? [] : [...this.#known.foreign], others })
    })
  }

  /** Where walks are slow, asks which lanes are dead, and knows them from now on. */
  async lookForDead(ask: (scope: Scope & { readonly known: readonly number[] }) => Promise<readonly DeadLane[]>) {
    if (!this.#isWalkSlow || this.#isSearching || !this.#searches.allows) return
    const scope = this.#scope
    const startedAt = this.#monotonic()
    this.#isWalkSlow = false
    this.#isSearching = true
    try {
      const dead = await ask({ ...scope, known: [...this.#known.lanes, ...this.#known.foreign] })
      if (scope === this.#scope) this.#learnDead(dead)
    } finally {
      this.#isSearching = false
      this.#searches.spend(this.#monotonic() - startedAt)
    }
  }

  #learnDead(dead: readonly DeadLane[]): void {
    this.#known.learnDead(dead)
    // The next walk and the next look go round them; where there are none, it was chance.
    this.#walks.spend(0)
    this.#looks.forgive()
  }

  /** Begins after what a claim has taken. Returns whether a lane gave all that it was asked for, so that it may have more. */
  learn(begun: Beginning, found: Findings): boolean {
    const { taken, foreignLanes, lastLane, served, isAll, hasRoom } = found
    this.#lookedAroundAt = this.#monotonic()
    this.#hasLookedAway = false
    this.#isLooking = false
    this.#hasSeveralTenants = found.hasSeveralTenants
    this.#hasLimits = found.limitedTenants.length > 0 || found.limitedLanes.length > 0
    if (begun.isWalk) this.#endWalk(found.walkMs)
    // Where a sweep found what lay behind, there is more unless it has seen the end of everything.
    const isBehind = this.#known.isBehind(taken)
    this.#known.take(taken, found.now)
    const isCut = this.#known.gauge(begun.depths, taken, hasRoom)
    const isEnd = isAll && hasRoom && !isCut && lastLane === null
    if (begun.isSweep) this.#endSweep(begun, isEnd || !isBehind)
    this.#known.addForeign(foreignLanes)
    this.#served = served ?? this.#served
    this.#after = this.#placeAfter(found)
    if (isEnd) this.#known.settle(begun.resting, found)
    return isCut
  }

  /** The walk goes on behind the last lane it saw. Where all was taken that may be, it is the turn of whoever comes after the tenant that was served last. */
  #placeAfter({ lastLane, served, hasRoom }: Findings): number {
    if (lastLane !== null && (hasRoom || served === null || tenantOfLane(lastLane) === served)) return lastLane
    return served === null ? this.#after : (served + 1) * LANES_OF_TENANT - 1
  }

  #endWalk(walkMs: number): void {
    this.#walks.spend(walkMs > QUICK_WALK_MS ? walkMs : 0)
    if (walkMs > SLOW_MS) this.#isWalkSlow = true
  }

  #endSweep(begun: Beginning, isDone: boolean): void {
    this.#sweeps.spend(this.#monotonic() - begun.startedAt)
    if (isDone && begun.notices === this.#notices) this.#isSweep = false
  }

  /** Something was made ready by this process: the next claim has to see it. */
  noticed(id: string | null | undefined, lane?: number): void {
    if (lane === undefined || !this.#known.has(lane)) this.#isLooking = true
    if (id == null || !this.#known.isBefore(id)) return
    this.#notices++
    this.sweep()
  }
}

function fieldsOf(
  lanes: LaneBeginnings['lanes'],
  [firstHigh, firstMedium, firstLow]: LaneBeginnings['beginnings'],
): LaneFields {
  return { lanes, firstHigh, firstMedium, firstLow }
}

/** What is looked for. */
interface Scope {
  readonly queues: readonly string[]
  readonly jobTypes: readonly string[]
}

const NO_LANES: LaneBeginnings = { lanes: [], depths: [], beginnings: [[], [], []] }

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}
