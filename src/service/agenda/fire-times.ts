import type { JobSchedule } from '../../job/job.ts'
import { SearchTooLongError, stepsTaken } from '../../time/search.ts'
import type { Trigger } from '../../time/triggers/trigger.ts'
import { searched } from '../search-limits.ts'
import { type NamedCalendar, type Rule, ruleOf, type Turns } from './rules.ts'

/** A minute's rule has 64,800 in 45 days. What fires more often is told of as far as this goes. */
const MOST_FIRES = 100_000
/** Some tenths of a second; what takes longer can be asked about a shorter time. */
const MOST_STEPS_IN_ALL = 1_000_000
/** What a rule may still cost once that is spent: what fires once a day is told of as a whole. */
const FEWEST_STEPS = 500
const STEPS_A_TURN = 5_000
const YEAR_MS = 366 * 86_400_000
/** To count a year's fires takes no steps, but the time of as many: some days of it are counted one by one. */
const STEPS_A_YEAR = 5_000
/** Jobs that are later by as many of these share what is found. */
const REACH_MS = 3_600_000

/** When something fires within a stretch of time. Jobs that fire at the same instants have the same one. */
export interface Fires {
  readonly count: number
  /** The first is 0. */
  at(index: number): number
}

const NEVER: Fires = { count: 0, at: () => Number.NaN }

/** Finds out when jobs fire within a stretch of time, once for all jobs that have the same rule. */
export class FireTimes {
  readonly #from: number
  readonly #to: number
  readonly #turns: Turns
  readonly #ruled = new Map<string, readonly number[]>()
  readonly #fires = new Map<string, Fires>()
  #stepsLeft = MOST_STEPS_IN_ALL
  #isPartial = false

  constructor(stretch: { readonly from: number; readonly to: number }, turns: Turns) {
    this.#from = stretch.from
    this.#to = stretch.to
    this.#turns = turns
  }

  /** Whether some fires were not found, since it would have taken too long. */
  get isPartial(): boolean {
    return this.#isPartial
  }

  /** As a job stands: from its stored next fire time on, which may be none that its rule has. */
  async ofJob(schedule: JobSchedule, calendar: NamedCalendar | null): Promise<Fires> {
    const { nextFireAt } = schedule
    if (nextFireAt === null || nextFireAt >= this.#to) return NEVER
    return await this.#firesOf(ruleOf(schedule, calendar), nextFireAt)
  }

  /** As the rule has it, whatever is stored. */
  async ofRule(schedule: JobSchedule, calendar: NamedCalendar | null): Promise<Fires> {
    return await this.#firesOf(ruleOf(schedule, calendar), null)
  }

  async #firesOf(rule: Rule, nextFireAt: number | null): Promise<Fires> {
    const key = JSON.stringify([rule.key, rule.shiftMs, nextFireAt, rule.firesLeft])
    const known = this.#fires.get(key)
    if (known) return known
    const times = await this.#timesOf(rule)
    const fires = this.#within(rule, times, nextFireAt, await this.#firedBefore(rule, nextFireAt))
    this.#fires.set(key, fires)
    return fires
  }

  /** What of a rule's times comes after the stored one, and that one before them. */
  #within({ shiftMs, firesLeft }: Rule, times: readonly number[], nextFireAt: number | null, passed: number): Fires {
    const first = nextFireAt !== null && nextFireAt >= this.#from ? nextFireAt : null
    const begin = placeIn(times, Math.max(this.#from, (nextFireAt ?? Number.NEGATIVE_INFINITY) + 1) - shiftMs)
    const ahead = first === null ? 0 : 1
    const inTime = ahead + placeIn(times, this.#to - shiftMs) - begin
    const at = (index: number) => (index < ahead ? (first ?? 0) : (times[begin + index - ahead] ?? 0) + shiftMs)
    return { count: Math.max(0, Math.min(inTime, firesLeft - passed)), at }
  }

  /** How often it fires before the stretch, where that is counted: as often as it may, where it takes too long to count. */
  async #firedBefore({ trigger, firesLeft }: Rule, nextFireAt: number | null): Promise<number> {
    if (!Number.isFinite(firesLeft) || nextFireAt === null || nextFireAt >= this.#from) return 0
    let passed = 0
    for (let at = nextFireAt; at < this.#from && passed < firesLeft; at += YEAR_MS) {
      const end = Math.min(at + YEAR_MS, this.#from)
      passed += await this.#worked(() => trigger.count(at, end), firesLeft, STEPS_A_YEAR)
      if (this.#stepsLeft > 0) continue
      this.#isPartial = true
      return firesLeft
    }
    return passed
  }

  async #timesOf({ key, trigger, shiftMs }: Rule): Promise<readonly number[]> {
    // What fires later than the rule says may do so for a time before the stretch.
    const reachMs = Math.ceil(shiftMs / REACH_MS) * REACH_MS
    const own = `${reachMs} ${key}`
    const known = this.#ruled.get(own)
    if (known) return known
    const times = await this.#search(trigger, this.#from - reachMs)
    this.#ruled.set(own, times)
    return times
  }

  async #search(trigger: Trigger, from: number): Promise<number[]> {
    const times: number[] = []
    for (let after = from - 1; ; after = times.at(-1) ?? after) {
      const isDone = await this.#worked(() => this.#take(trigger, after, times), true)
      if (isDone) return times
      if (times.length >= MOST_FIRES || this.#stepsLeft <= 0) {
        this.#isPartial = true
        return times
      }
    }
  }

  /** Adds the next few times; true where there are no more. */
  #take(trigger: Trigger, after: number, times: number[]): boolean {
    const before = stepsTaken()
    for (const at of trigger.between(after + 1, this.#to)) {
      times.push(at)
      if (stepsTaken() - before >= STEPS_A_TURN) return false
    }
    return true
  }

  /** Does some work, and says something else where that would take too long: what was found by then is true. */
  async #worked<Result>(work: () => Result, otherwise: Result, fewestSteps = 1): Promise<Result> {
    const before = stepsTaken()
    let result = otherwise
    try {
      result = this.#stepsLeft > 0 ? searched(work) : searched(work, FEWEST_STEPS)
    } catch (error) {
      if (!(error instanceof SearchTooLongError)) throw error
      this.#isPartial = true
    }
    const steps = Math.max(fewestSteps, stepsTaken() - before)
    this.#stepsLeft -= steps
    await this.#turns.worked(steps)
    return result
  }
}

/** How many of the times come before an instant. */
function placeIn(ascending: readonly number[], instant: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < instant) low = middle + 1
    else high = middle
  }
  return low
}
