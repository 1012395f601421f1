import type { CancelTimer } from '../../clock.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { AGED_ONE_IN, type Claim, type ClaimedExecution, type Resting } from '../../store/leases.ts'
import type { RateRequest, RateRule } from '../../store/rates.ts'
import type { AttemptDeps } from './attempt.ts'

// A rate limit holds for starts, not for claims: no window of the length `per` contains more than `limit` starts, over all nodes.
//
//   claim sent      granted by the store           start              counts until
//       |------------------|-------------------------|--------|------------------------- + per
//       |<------------------- withinMs -------------------->|
//
// The claim grants starts and takes no more executions than it grants, in their order. Between the grant and the start lies a time that the store does not
// see, so a grant counts from `withinMs` later, and the node starts the execution only if no more than `withinMs` have passed since it sent the claim. If
// more have passed, it exchanges the grant for a new one. `withinMs` follows the time that recent claims took.

export interface RateGateOptions {
  readonly deps: Pick<AttemptDeps, 'env' | 'time' | 'store'>
  readonly types: ReadonlyMap<string, AnyJobType>
  /** More may start of a job type that had to wait. */
  onOpen(): void
}

/** An execution that is about to start. */
interface Run {
  readonly claimed: ClaimedExecution
}

interface Admission<Each extends Run> {
  readonly admitted: readonly Each[]
  readonly refused: readonly Each[]
}

/** A start that the store has granted. */
interface Grant {
  /** The instant from which it counts; null for a durable run that resumes, which needs no start. */
  readonly at: number | null
  readonly sentAt: number
  readonly withinMs: number
}

/** Runs of one rate limit whose late grants count from the same instant. */
interface Group<Each extends Run> {
  readonly request: Omit<RateRequest, 'wanted'>
  readonly runs: Each[]
}

interface Closed extends Resting {
  readonly until: number
}

/** What the next claim is told of rate limits. */
export interface RateTerms {
  /** Job types of which nothing may start now. */
  readonly resting: readonly Resting[]
  /** The rate limits that the claim keeps. */
  readonly rules: readonly RateRule[]
  /** How many responses had said that more may start when the claim was sent. */
  readonly openings: number
}

/** A durable run may resume at any time and needs no start, so its job type is claimed at least this often. */
const RESUME_MS = 1_000

/** The share of the window by which a claim may delay the next start. */
const MOST_DELAY = 1 / 8
/** How quickly a slow claim is forgotten. */
const DECAY = 0.8

/** Starts no more attempts than the rate limits of their job types allow, and knows which job types need no claim until when. */
export class RateGate {
  readonly #options: RateGateOptions
  readonly #limits: ReadonlyMap<string, Omit<RateRule, 'withinMs' | 'sinceAged'>>
  readonly #closed = new Map<string, Closed>()
  /** How many executions were taken since one was taken by age alone, by job type. */
  readonly #sinceAged = new Map<string, number>()
  /** By execution and epoch. */
  readonly #grants = new Map<string, Grant>()
  /** How long it took recently from a request to the start. */
  #delayMs = 0
  #cancelTimer: CancelTimer = () => {}
  #isStopped = true
  /** How many responses of the store have said that more may start. */
  #openings = 0

  constructor(options: RateGateOptions) {
    this.#options = options
    this.#limits = new Map(
      [...options.types].flatMap(([jobType, { rateLimit, isDurable }]) =>
        rateLimit ? [[jobType, { jobType, isDurable, ...rateLimit }]] : [],
      ),
    )
  }

  get terms(): RateTerms {
    const rules = [...this.#limits.values()].map((limit) => ({
      ...limit,
      withinMs: this.#withinMs(limit.perMs * MOST_DELAY),
      sinceAged: this.#sinceAged.get(limit.jobType) ?? 0,
    }))
    return { resting: this.resting, rules, openings: this.#openings }
  }

  /** Job types of which nothing may start now. */
  get resting(): readonly Resting[] {
    const now = this.#options.deps.time.now()
    for (const [key, { until }] of this.#closed) if (until <= now) this.#closed.delete(key)
    return [...this.#closed.values()].map(({ jobType, tenant }) => ({ jobType, tenant }))
  }

  /** Whether an execution needs a start. */
  isFor({ body }: ClaimedExecution): boolean {
    return this.#limits.has(body.jobType)
  }

  /** Takes the starts that a claim was granted. */
  learn({ starts, executions }: Claim, { rules, openings }: RateTerms, sentAt: number): void {
    if (starts.length === 0) return
    const claimedById = new Map(executions.map((claimed) => [claimed.executionId, claimed]))
    const ruleByType = new Map(rules.map((rule) => [rule.jobType, rule]))
    for (const { jobType, tenant, at, nextAt, executionIds } of starts) {
      const { withinMs = 0 } = ruleByType.get(jobType) ?? {}
      this.#learnNext({ jobType, tenant }, nextAt, openings)
      this.#sinceAged.set(jobType, ((this.#sinceAged.get(jobType) ?? 0) + executionIds.length) % AGED_ONE_IN)
      for (const id of executionIds) {
        const claimed = claimedById.get(id)
        if (claimed) this.#grants.set(grantKey(claimed), { at, sentAt, withinMs })
      }
    }
    this.#openInTime()
  }

  /** Whether a run has a start and is in time for it. Then it has to start at once. */
  mayStart({ claimed }: Run): boolean {
    const key = grantKey(claimed)
    const grant = this.#grants.get(key)
    if (!grant) return false
    const passedMs = this.#options.deps.env.monotonic() - grant.sentAt
    // The store counts in whole milliseconds.
    const isInTime = grant.at === null || passedMs <= Math.max(0, grant.withinMs - 1)
    if (grant.at !== null) this.#delayMs = Math.max(passedMs, this.#delayMs * DECAY)
    if (isInTime) this.#grants.delete(key)
    return isInTime
  }

  /**
   * Asks the store for starts of runs, in the order of their turns, that were granted none or are too late for them; late grants are returned. A durable run
   * needs a start when it begins, and when it begins again after the loss of its node, but not when it resumes after a wait.
   */
  async admit<Each extends Run>(runs: readonly Each[]): Promise<Admission<Each>> {
    const { store, env } = this.#options.deps
    const resumed = await this.#resumed(runs)
    const starting = runs.filter(({ claimed }) => !resumed.has(claimed.executionId))
    const groups = this.#groupsOf(starting)
    const sentAt = env.monotonic()
    const openings = this.#openings
    const withinMs = this.#withinMs()
    const requests = groups.map(({ request, runs: ofGroup }) => ({ ...request, wanted: ofGroup.length, withinMs }))
    const answers = requests.length === 0 ? [] : await store.rates.acquire(requests)
    const refused: Each[] = []
    for (const [index, { request, runs: ofGroup }] of groups.entries()) {
      const { granted = 0, at = null, nextAt = null } = answers[index] ?? {}
      for (const { claimed } of ofGroup.slice(0, granted)) this.#grants.set(grantKey(claimed), { at, sentAt, withinMs })
      refused.push(...ofGroup.slice(granted))
      this.#learnNext(request, nextAt, openings)
    }
    for (const { claimed } of runs) {
      if (resumed.has(claimed.executionId)) this.#grants.set(grantKey(claimed), { at: null, sentAt, withinMs })
    }
    this.#openInTime()
    return { admitted: runs.filter((run) => !refused.includes(run)), refused }
  }

  /** Returns the starts of runs that do not start. If the store does not answer they count as used. */
  async giveBack(runs: readonly Run[]): Promise<void> {
    const groups = this.#groupsOf(runs).filter(({ request }) => request.returned)
    if (groups.length === 0) return
    const openings = this.#openings
    const answers = await this.#options.deps.store.rates
      .acquire(groups.map(({ request }) => ({ ...request, wanted: 0 })))
      .catch(() => [])
    for (const [index, { nextAt }] of answers.entries()) {
      const group = groups[index]
      if (group) this.#learnNext(group.request, nextAt, openings)
    }
    this.#options.onOpen()
    this.#openInTime()
  }

  start(): void {
    this.#isStopped = false
    this.#openInTime()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
  }

  /** Takes the grants of runs with a rate limit, so that each is returned once at most. */
  #groupsOf<Each extends Run>(runs: readonly Each[]): Group<Each>[] {
    const groups = new Map<string, Group<Each>>()
    for (const run of runs) {
      const { jobType, tenant } = run.claimed.body
      const rule = this.#limits.get(jobType)
      if (!rule) continue
      const { limit, perMs, by } = rule
      const rate = { jobType, tenant: by === 'tenant' ? tenant : null }
      const at = this.#grants.get(grantKey(run.claimed))?.at ?? null
      this.#grants.delete(grantKey(run.claimed))
      const key = JSON.stringify([rate, at])
      const known = groups.get(key)
      const returned = at === null ? undefined : { at, count: (known?.request.returned?.count ?? 0) + 1 }
      const sameRuns = known?.runs ?? []
      sameRuns.push(run)
      groups.set(key, { request: { ...rate, limit, perMs, returned }, runs: sameRuns })
    }
    return [...groups.values()]
  }

  async #resumed(runs: readonly Run[]): Promise<ReadonlySet<string>> {
    const again = runs.filter(({ claimed }) => claimed.epoch > 1 && this.#limits.get(claimed.body.jobType)?.isDurable)
    if (again.length === 0) return new Set()
    return new Set(await this.#options.deps.store.histories.goingOn(again.map(({ claimed }) => claimed)))
  }

  /** How long after its request a start may happen: twice as long as it took recently. */
  #withinMs(most = Number.POSITIVE_INFINITY): number {
    return this.#delayMs === 0 ? 0 : Math.ceil(Math.min(2 * this.#delayMs, most)) + 1
  }

  /** A response may arrive after one that the store made later. So it closes nothing if another one has said since its request that more may start; the next claim finds out. */
  #learnNext(rate: Resting, nextAt: number | null, openings: number): void {
    const { jobType, tenant } = rate
    const key = rateKey(rate)
    if (nextAt === null) {
      this.#openings += 1
      this.#closed.delete(key)
      return
    }
    if (this.#openings > openings) {
      this.#options.onOpen()
      return
    }
    const { time } = this.#options.deps
    const until = this.#limits.get(jobType)?.isDurable ? Math.min(nextAt, time.now() + RESUME_MS) : nextAt
    this.#closed.set(key, { jobType, tenant, until })
  }

  /** Opens at the earliest instant of the store's time at which something may start, and not before. */
  #openInTime(): void {
    const { env, time } = this.#options.deps
    this.#cancelTimer()
    if (this.#isStopped || this.#closed.size === 0) return
    let earliest = Number.POSITIVE_INFINITY
    // One for each tenant may be too many for the arguments of a call.
    for (const { until } of this.#closed.values()) earliest = Math.min(earliest, until)
    this.#cancelTimer = env.after(Math.max(0, earliest - time.now()), () => {
      const before = this.#closed.size
      if (this.resting.length < before) this.#options.onOpen()
      this.#openInTime()
    })
  }
}

function rateKey({ jobType, tenant }: Resting): string {
  return JSON.stringify([jobType, tenant])
}

function grantKey({ executionId, epoch }: ClaimedExecution): string {
  return `${executionId}:${epoch}`
}
