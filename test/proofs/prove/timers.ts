import { DAY_MS, HOUR_MS } from '../../../src/duration.ts'
import { job } from '../../../src/index.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { Chance } from '../../harness/chance.ts'
import { Cluster } from '../../suites/scenarios/cluster.ts'
import type { Proof } from './proof.ts'

const START_AT = Date.UTC(2026, 0, 1)
const LONGEST_MS = 400 * DAY_MS
const LATE_MS = 2_000
const LOOK_MS = 500
const NODES = 2
/** How many timers one run waits for, in a row. */
const TIMERS_OF_RUN = 20
const RUNS_AT_ONCE = 250

export interface TimerReport {
  readonly fired: number
  readonly latestMs: number
  readonly longestMs: number
  readonly jumps: number
  readonly restarts: number
}

/** Runs that sleep from a millisecond to 400 days, on virtual time, while the clock of the store jumps and nodes are restarted. */
export async function fireTimers(timers: number, proof: Proof): Promise<TimerReport> {
  const total = { fired: 0, latestMs: 0, longestMs: 0, jumps: 0, restarts: 0 }
  for (let round = 1; total.fired < timers; round += 1) {
    const runs = Math.min(RUNS_AT_ONCE, Math.ceil((timers - total.fired) / TIMERS_OF_RUN))
    const world = new TimerWorld(round, proof)
    const report = await world.run(runs)
    total.fired += report.fired
    total.latestMs = Math.max(total.latestMs, report.latestMs)
    total.longestMs = Math.max(total.longestMs, report.longestMs)
    total.jumps += report.jumps
    total.restarts += report.restarts
  }
  return total
}

/** One store, its nodes, and runs on them. */
class TimerWorld {
  readonly #proof: Proof
  readonly #chance: Chance
  readonly #cluster: Cluster
  /** Until when each timer is to last, and those behind which the code has gone on: what is replayed later does not count. */
  readonly #asked = new Map<string, { readonly dueAt: number; readonly ms: number }>()
  readonly #fired = new Set<string>()
  /** Where the store's clock landed when it last jumped ahead: nobody could have woken in between. */
  #landedAt = 0
  #latestMs = 0
  #longestMs = 0
  #ended = 0

  constructor(seed: number, proof: Proof) {
    this.#proof = proof
    this.#chance = new Chance(seed)
    this.#cluster = new Cluster(START_AT, { store: memory(), seed })
  }

  async run(runs: number): Promise<TimerReport> {
    const sleeper = job('sleeper', {
      durable: true,
      run: async (waits: readonly number[], ctx) => {
        for (const [index, ms] of waits.entries()) {
          const key = `${ctx.executionId} ${index}`
          // A sleep counts from the run's own time: the instant of what it waited for before, however late that was noticed.
          if (!this.#asked.has(key)) this.#asked.set(key, { dueAt: ctx.now() + ms, ms })
          await ctx.sleep(ms)
          this.#wake(key)
        }
        this.#ended += 1
      },
    })
    const setups = Array.from({ length: NODES }, () => ({ jobs: [sleeper], node: { slots: runs } }))
    let nodes = await this.#cluster.startAll(setups)
    await nodes[0]?.enqueueMany(
      sleeper,
      Array.from({ length: runs }, () => Array.from({ length: TIMERS_OF_RUN }, () => this.#duration())),
    )
    let jumps = 0
    let restarts = 0
    // Most timers are short and come in the first days; the long ones take years one after the other.
    for (let step = 0; this.#ended < runs && step < 20_000; step += 1) {
      await this.#cluster.advance(this.#chance.pick([1, 50, 1_000, HOUR_MS, DAY_MS, 20 * DAY_MS]))
      if (step % 4 === 0) {
        await this.#jump()
        jumps += 1
      }
      if (step % 7 === 0) {
        await this.#cluster.stop()
        // What falls due while nobody is there is late by as much.
        await this.#cluster.advance(this.#chance.pick([0, 500, HOUR_MS]))
        this.#landedAt = this.#cluster.now()
        nodes = await this.#cluster.startAll(setups)
        restarts += 1
      }
    }
    this.#proof.require(this.#ended === runs, () => `${this.#ended} of ${runs} runs have ended.`)
    await this.#cluster.stop()
    return { fired: this.#fired.size, latestMs: this.#latestMs, longestMs: this.#longestMs, jumps, restarts }
  }

  /** As many of each order of magnitude. */
  #duration(): number {
    return Math.max(1, Math.min(LONGEST_MS, Math.round(LONGEST_MS ** this.#chance.fraction())))
  }

  /** Then time passes second by second for a while: a clock that is moved by hand leaves out the looks in between, and a node notices by one of them. */
  async #jump(): Promise<void> {
    this.#cluster.storeSkewMs += this.#chance.pick([HOUR_MS, -HOUR_MS])
    this.#landedAt = this.#cluster.now()
    for (let passed = 0; passed < LATE_MS; passed += LOOK_MS) await this.#cluster.advance(LOOK_MS)
  }

  #wake(key: string): void {
    if (this.#fired.has(key)) return
    this.#fired.add(key)
    const { dueAt, ms } = this.#asked.get(key) ?? { dueAt: Number.NaN, ms: 0 }
    const now = this.#cluster.now()
    const lateMs = now - Math.max(dueAt, this.#landedAt)
    this.#longestMs = Math.max(this.#longestMs, ms)
    this.#latestMs = Math.max(this.#latestMs, lateMs)
    this.#proof.require(now >= dueAt, () => `A timer of ${ms} ms fired ${dueAt - now} ms early.`)
    this.#proof.require(lateMs <= LATE_MS, () => `A timer of ${ms} ms fired ${lateMs} ms late.`)
  }
}
