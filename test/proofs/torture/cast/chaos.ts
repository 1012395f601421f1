import { Chance } from '../../../harness/chance.ts'
import type { Fault } from '../faults/fault.ts'
import type { Stage } from '../stage.ts'

/** What one fault has done so far. */
export interface Struck {
  readonly times: number
  /** What its strikes have counted, summed. */
  readonly counts: Readonly<Record<string, number>>
}

export interface ChaosReport {
  readonly struck: ReadonlyMap<string, Struck>
  /** Faults that this machine does not allow, and why. */
  readonly obstacles: ReadonlyMap<string, string>
  /** Strikes that did not end as they should: then it is not Pontual that is shown to fail. */
  readonly errors: readonly string[]
}

const MOST_AT_ONCE = 3
const LEAST_PAUSE_MS = 200
const MOST_PAUSE_MS = 1_200
/** What begins later has no time to do anything. */
const LAST_BEGIN_MS = 3_000

/** Lets faults strike until the time is over: each once in an order of chance, then again and again by their weights. */
export class Chaos {
  readonly #stage: Stage
  readonly #chance: Chance
  readonly #seed: number
  readonly #struck = new Map<string, Struck>()
  readonly #obstacles = new Map<string, string>()
  readonly #errors: string[] = []
  readonly #underWay = new Set<Promise<void>>()
  #strikes = 0

  constructor(stage: Stage, seed: number) {
    this.#stage = stage
    this.#seed = seed
    this.#chance = new Chance(seed, 'chaos')
  }

  /** `signal` says that the time is over. Returns when all has healed that was struck. */
  async reign(faults: readonly Fault[], forMs: number, signal: AbortSignal): Promise<ChaosReport> {
    const possible = await this.#possible(faults)
    const lastBeginAt = performance.now() + forMs - LAST_BEGIN_MS
    const deck = this.#chance.shuffled(possible)
    while (possible.length > 0 && !signal.aborted && performance.now() < lastBeginAt) {
      const fault = deck.shift() ?? this.#byWeight(possible)
      if (!fault.canOverlap) await Promise.all(this.#underWay)
      else while (this.#underWay.size >= MOST_AT_ONCE) await Promise.race(this.#underWay)
      if (signal.aborted || performance.now() >= lastBeginAt) break
      const strike = this.#strike(fault, signal)
      this.#underWay.add(strike)
      void strike.finally(() => this.#underWay.delete(strike))
      if (!fault.canOverlap) await strike
      await this.#stage.wait(this.#chance.between(LEAST_PAUSE_MS, MOST_PAUSE_MS))
    }
    if (!signal.aborted) await this.#stage.wait(lastBeginAt + LAST_BEGIN_MS - performance.now())
    await Promise.all(this.#underWay)
    return { struck: this.#struck, obstacles: this.#obstacles, errors: this.#errors }
  }

  async #possible(faults: readonly Fault[]): Promise<Fault[]> {
    const possible: Fault[] = []
    for (const fault of faults) {
      const obstacle = (await fault.obstacle?.(this.#stage)) ?? null
      if (obstacle === null) possible.push(fault)
      else {
        this.#obstacles.set(fault.name, obstacle)
        this.#stage.history.write({ kind: 'strike', fault: fault.name, phase: 'skipped', detail: { obstacle } })
      }
    }
    return possible
  }

  async #strike(fault: Fault, signal: AbortSignal): Promise<void> {
    const { name } = fault
    this.#strikes += 1
    const { history } = this.#stage
    history.write({ kind: 'strike', fault: name, phase: 'begun' })
    try {
      const counts = await fault.strike(this.#stage, new Chance(this.#seed, `strike ${this.#strikes}`), signal)
      history.write({ kind: 'strike', fault: name, phase: 'healed', detail: counts })
      this.#count(name, counts)
    } catch (error) {
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
      history.write({ kind: 'strike', fault: name, phase: 'healed', detail: { error: told } })
      this.#errors.push(`"${name}" did not heal: ${told}`)
    }
  }

  #count(name: string, counts: Readonly<Record<string, number>>): void {
    const before = this.#struck.get(name) ?? { times: 0, counts: {} }
    const sums: Record<string, number> = { ...before.counts }
    for (const [what, count] of Object.entries(counts)) sums[what] = (sums[what] ?? 0) + count
    this.#struck.set(name, { times: before.times + 1, counts: sums })
  }

  #byWeight(faults: readonly Fault[]): Fault {
    const total = faults.reduce((sum, { weight = 1 }) => sum + weight, 0)
    let place = this.#chance.fraction() * total
    for (const fault of faults) {
      place -= fault.weight ?? 1
      if (place < 0) return fault
    }
    return this.#chance.pick(faults)
  }
}
