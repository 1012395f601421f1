import type { CancelTimer } from '../clock.ts'
import type { AnyJobType } from '../job/job-type.ts'
import type { ClaimedExecution, Resting } from '../store/leases.ts'
import type { RateRequest } from '../store/rates.ts'
import type { AttemptSurroundings } from './attempt.ts'

export interface RateGateOptions {
  readonly around: Pick<AttemptSurroundings, 'env' | 'time' | 'store'>
  readonly types: ReadonlyMap<string, AnyJobType>
  /** More may start of something that had to wait. */
  onOpen(): void
}

/** A run that is about to start. */
interface Run {
  readonly claimed: ClaimedExecution
}

interface Admission<Each extends Run> {
  readonly admitted: readonly Each[]
  readonly refused: readonly Each[]
}

/** Runs of which as many start as one rate limit allows. */
interface Group<Each extends Run> {
  readonly request: Omit<RateRequest, 'wanted'>
  readonly runs: Each[]
}

interface Closed extends Resting {
  readonly until: number
}

/** Of a durable job type that rests something may go on at any time, and is not to wait until another may start: it is looked at so often. */
const WAKINGS_MS = 1_000

/** Lets no more attempts start than their job types' rate limits allow, and knows of which there is nothing to claim until when. */
export class RateGate {
  readonly #options: RateGateOptions
  readonly #closed = new Map<string, Closed>()
  #cancelTimer: CancelTimer = () => {}
  #isStopped = true

  constructor(options: RateGateOptions) {
    this.#options = options
  }

  /** Whether what was claimed has to ask before it starts. */
  isFor({ body }: ClaimedExecution): boolean {
    return this.#limitOf(body.jobType) !== null
  }

  /** What nobody needs to claim now. */
  get resting(): readonly Resting[] {
    const now = this.#options.around.time.now()
    for (const [key, { until }] of this.#closed) if (until <= now) this.#closed.delete(key)
    return [...this.#closed.values()].map(({ jobType, tenant }) => ({ jobType, tenant }))
  }

  /**
   * Of runs in the order of their turns, those that may start: they have to, since their starts are used. A durable one starts once, and again where its node was
   * lost; that it goes on after a wait is no start.
   */
  async admit<Each extends Run>(runs: readonly Each[]): Promise<Admission<Each>> {
    const { store, time } = this.#options.around
    const goesOn = await this.#goingOn(runs)
    const admitted = new Set(runs.filter(({ claimed }) => goesOn.has(claimed.executionId)))
    const groups = [...this.#groupsOf(runs.filter((run) => !admitted.has(run))).values()]
    const requests = groups.map(({ request, runs: ofGroup }) => ({ ...request, wanted: ofGroup.length }))
    const grants = requests.length === 0 ? [] : await store.rates.acquire(requests)
    for (const [index, { request, runs: ofGroup }] of groups.entries()) {
      const { granted = 0, nextAt = null } = grants[index] ?? {}
      for (const run of ofGroup.slice(0, granted)) admitted.add(run)
      const { jobType, tenant } = request
      if (nextAt === null) continue
      const until = this.#isDurable(jobType) ? Math.min(nextAt, time.now() + WAKINGS_MS) : nextAt
      this.#closed.set(keyOf(request), { jobType, tenant, until })
    }
    this.#openInTime()
    return {
      admitted: runs.filter((run) => admitted.has(run)),
      refused: runs.filter((run) => !admitted.has(run)),
    }
  }

  start(): void {
    this.#isStopped = false
    this.#openInTime()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
  }

  #groupsOf<Each extends Run>(runs: readonly Each[]): Map<string, Group<Each>> {
    const groups = new Map<string, Group<Each>>()
    for (const run of runs) {
      const { jobType, tenant } = run.claimed.body
      const rate = this.#limitOf(jobType)
      if (!rate) continue
      const { limit, perMs, by } = rate
      const request = { jobType, tenant: by === 'tenant' ? tenant : null, limit, perMs }
      const group = groups.get(keyOf(request)) ?? { request, runs: [] }
      groups.set(keyOf(request), group)
      group.runs.push(run)
    }
    return groups
  }

  async #goingOn(runs: readonly Run[]): Promise<ReadonlySet<string>> {
    const again = runs.filter(({ claimed }) => claimed.epoch > 1 && this.#isDurable(claimed.body.jobType))
    if (again.length === 0) return new Set()
    return new Set(await this.#options.around.store.histories.goingOn(again.map(({ claimed }) => claimed)))
  }

  #isDurable(jobType: string): boolean {
    return this.#options.types.get(jobType)?.isDurable ?? false
  }

  #limitOf(jobType: string) {
    return this.#options.types.get(jobType)?.rateLimit ?? null
  }

  /** Goes off at the earliest instant of the store's time at which something opens, and not before. */
  #openInTime(): void {
    const { env, time } = this.#options.around
    this.#cancelTimer()
    if (this.#isStopped || this.#closed.size === 0) return
    let earliest = Number.POSITIVE_INFINITY
    // There may be one for each tenant: too many for the arguments of a call.
    for (const { until } of this.#closed.values()) earliest = Math.min(earliest, until)
    this.#cancelTimer = env.after(Math.max(0, earliest - time.now()), () => {
      const before = this.#closed.size
      if (this.resting.length < before) this.#options.onOpen()
      this.#openInTime()
    })
  }
}

function keyOf({ jobType, tenant }: Resting): string {
  return JSON.stringify([jobType, tenant])
}
