import { eventLoopTurn } from '../../clock.ts'
import { activityOf } from '../../job/activity/activity-type.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { AGED_ONE_IN, type ClaimedExecution, type ClaimRequest } from '../../store/leases.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import { activityHandler } from '../durable/activity-handler.ts'
import type { Runs } from '../durable/runs.ts'
import {
  type Activity,
  awaitsFiring,
  decideLate,
  isLate,
  judgeLate,
  type LateJob,
  mayJoin,
} from '../firing/overload.ts'
import { AT_ONCE, Loop, type NextStep } from '../node/loop.ts'
import type { Node } from '../node/node.ts'
import type { Isolates } from '../sandbox/isolates.ts'
import { Attempt, type AttemptDeps } from './attempt.ts'
import type { Handler } from './attempt-context.ts'
import { BatchCalls } from './batch-calls.ts'
import { factsOf } from './outcome.ts'
import type { Punctuality } from './punctuality.ts'
import { RateGate, type RateTerms } from './rate-gate.ts'
import type { Slots } from './slots.ts'

export interface ClaimerOptions {
  readonly deps: AttemptDeps
  readonly node: Node
  readonly slots: Slots
  readonly punctuality: Punctuality
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly queues: readonly string[]
  readonly isolates: Isolates
  readonly runs: Runs
  readonly activity: Activity
  /** Resolves once the scheduler has fired all that is due. */
  allFired(): Promise<void>
}

const MAX_CLAIM = 1_000
/** How long others may take to finish a claim that this one met. */
const SOON_MS = 5
/** A store that takes longer to answer may have let the lease run out meanwhile. */
const SLOW_MS = 1_000
/** How often a start is asked for that came too late. */
const MOST_GRANTS = 10

/** What is to run, and what it stands for where that is decided. */
interface Run {
  readonly claimed: ClaimedExecution
  readonly misfire?: MisfireInfo | null
}

/** Fills this node's slots with work it knows how to do. */
export class Claimer extends Loop {
  readonly #options: ClaimerOptions
  readonly #jobTypes: readonly string[]
  readonly #handlers: ReadonlyMap<string, Handler>
  readonly #gate: RateGate
  #sinceAged = 0
  /** Whether a poll has asked for the next claim, and whether the last that one asked for found nothing. */
  #isByPoll = false
  #isVain = false
  /** Whether the last claim may have left something that could have been run here. */
  #leftSome = true
  /** Late occurrences by their job, as long as more may join the decision about them. */
  readonly #late = new Map<string, { readonly claimed: ClaimedExecution[]; readonly decided: Promise<void> }>()

  constructor(options: ClaimerOptions) {
    const { env, logger } = options.deps
    super({ name: 'claimer', env, logger, step: () => this.#claim() })
    this.#options = options
    this.#gate = new RateGate({ ...options, onOpen: () => this.wake() })
    this.#jobTypes = [...options.types.keys()]
    const { deps, isolates } = options
    const handler = (type: AnyJobType) => {
      const activity = activityOf(type)
      if (activity) return activityHandler(activity, deps)
      const run: Handler = type.isolation
        ? isolates.runnerOf(type, type.isolation)
        : (input, context) => type.run(input, context)
      return deps.cache.before(type, run)
    }
    this.#handlers = new Map([...options.types].map(([id, type]) => [id, handler(type)]))
  }

  override start(): void {
    this.#gate.start()
    super.start()
  }

  override async stop(): Promise<void> {
    this.#gate.stop()
    await super.stop()
  }

  /** A slot is free. Where the last claim left nothing behind there is nothing to fill it with: whoever makes something wakes this. */
  wakeForSlot(): void {
    if (this.#leftSome) this.wake()
  }

  /**
   * Something is ready, but nobody hinted at it. Where the last look in vain was for the same reason it may be of a job type that only others know, which is
   * not worth a claim every time.
   */
  wakeByPoll(): void {
    if (this.#isVain) {
      this.#isVain = false
      return
    }
    this.#isByPoll = true
    this.wake()
  }

  async #claim(): Promise<NextStep> {
    const { node, slots, queues } = this.#options
    // What ends in the same turn frees its slots together: one claim fills them all.
    if (slots.used > 0) await eventLoopTurn()
    const limit = Math.min(slots.free, MAX_CLAIM)
    const nodeId = node.id
    this.#leftSome = true
    if (limit <= 0 || nodeId === null || this.#jobTypes.length === 0) return 'whenWoken'
    const terms = this.#gate.terms
    const { resting, rules } = terms
    const sinceAged = Math.max(this.#sinceAged, ...rules.map((rule) => rule.sinceAged))
    const aged = Math.floor((sinceAged + limit) / AGED_ONE_IN)
    const { reserve } = slots
    const request = { nodeId, limit, queues, jobTypes: this.#jobTypes, aged, resting, reserve, rates: rules }
    slots.claimSent()
    try {
      return await this.#take(request, terms)
    } finally {
      slots.claimDone()
    }
  }

  async #take(request: ClaimRequest, terms: RateTerms): Promise<NextStep> {
    const { deps, node } = this.#options
    const { nodeId } = request
    const askedAt = deps.env.monotonic()
    const claim = await deps.time.observe(() => deps.store.leases.claim(request))
    const { isNodeAlive, executions, isLimited, again } = claim
    if (!isNodeAlive) return (await this.#isListed(nodeId)) ? AT_ONCE : 'whenWoken'
    const isSlow = executions.length > 0 && (await this.#makeSure(nodeId, askedAt))
    // Lost meanwhile: what was claimed is not ours any more.
    if (node.id !== nodeId) return 'whenWoken'
    const ours = isSlow ? await this.#stillHeld(executions, nodeId) : executions
    this.#sinceAged = executions.length === 0 ? 0 : (this.#sinceAged + executions.length) % AGED_ONE_IN
    this.#leftSome = isLimited || again !== null
    this.#isVain = this.#isByPoll && executions.length === 0
    this.#isByPoll = false
    this.#gate.learn({ ...claim, executions: ours }, terms, askedAt)
    this.#begin(ours, nodeId)
    if (again === 'soon') return { inMs: SOON_MS * (1 + deps.env.random()) }
    return again === 'now' ? AT_ONCE : 'whenWoken'
  }

  /** A lease that is over may be renewed until others have taken the node off the list. */
  async #isListed(nodeId: string): Promise<boolean> {
    const { deps, node } = this.#options
    if (node.id !== nodeId) return false
    if (await node.renew()) return true
    deps.logger.warn('The lease of this node was over when it claimed', { nodeId })
    node.lose(nodeId, 'it was taken off the list')
    return false
  }

  /** Where the store was slow others may have taken the work of this node, and it may not know yet. Once it does, nothing of it may begin. Returns whether it was slow. */
  async #makeSure(nodeId: string, askedAt: number): Promise<boolean> {
    const { env, settlement } = this.#options.deps
    const isSlow = env.monotonic() - askedAt > SLOW_MS
    if (isSlow) await settlement.persist(() => this.#isListed(nodeId))
    return isSlow
  }

  /** What was cancelled while the answer was under way does not begin. */
  async #stillHeld(executions: readonly ClaimedExecution[], nodeId: string): Promise<readonly ClaimedExecution[]> {
    const { store, settlement } = this.#options.deps
    const held = await settlement.persist(() => store.leases.held(nodeId))
    const epochs = new Map(held.map(({ executionId, epoch }) => [executionId, epoch]))
    return executions.filter(({ executionId, epoch }) => epochs.get(executionId) === epoch)
  }

  #begin(executions: readonly ClaimedExecution[], nodeId: string): void {
    const { time, telemetry } = this.#options.deps
    const now = time.now()
    const isHeard = telemetry.hears('execution.claimed')
    const onTime: Run[] = []
    const late = new Map<string, ClaimedExecution[]>()
    for (const claimed of executions) {
      // What may have to be given back at once is told of when it starts.
      if (isHeard && !this.#gate.isFor(claimed)) this.#tellClaimed(claimed, nodeId, now)
      const { jobId } = claimed.body
      if (jobId === null || !isLate(claimed, now)) onTime.push({ claimed })
      else late.set(jobId, [...(late.get(jobId) ?? []), claimed])
    }
    const hasLate = late.size + this.#late.size > 0
    this.#start(hasLate ? onTime.filter(({ claimed }) => !this.#joinLate(claimed, late)) : onTime, nodeId)
    for (const [jobId, ofJob] of late) this.#runLate(jobId, ofJob, nodeId)
  }

  /** Returns whether an execution is decided about together with late occurrences of its job. */
  #joinLate(claimed: ClaimedExecution, late: Map<string, ClaimedExecution[]>): boolean {
    const { jobId } = claimed.body
    if (jobId === null || !mayJoin(claimed) || !(late.has(jobId) || this.#late.has(jobId))) return false
    late.set(jobId, [...(late.get(jobId) ?? []), claimed])
    return true
  }

  #start(runs: readonly Run[], nodeId: string): void {
    const ready: Run[] = []
    const waiting: Run[] = []
    for (const run of runs) {
      const isLimited = this.#gate.isFor(run.claimed)
      if (isLimited && !this.#gate.mayStart(run)) {
        waiting.push(run)
        continue
      }
      if (isLimited) this.#tellClaimed(run.claimed, nodeId, this.#options.deps.time.now())
      ready.push(run)
    }
    if (waiting.length > 0) void this.#startInTime(waiting, nodeId)
    this.#runAll(ready)
  }

  #runAll(runs: readonly Run[]): void {
    const calls = new BatchCalls()
    for (const { claimed, misfire } of runs) this.#run(claimed, calls, misfire)
    calls.seal()
  }

  #run(claimed: ClaimedExecution, calls: BatchCalls, misfire?: MisfireInfo | null): void {
    const { deps, types, slots, punctuality, runs } = this.#options
    const type = types.get(claimed.body.jobType)
    const handler = this.#handlers.get(claimed.body.jobType)
    // Only what was asked for is claimed.
    if (!type || !handler) return
    const { scheduledAt, options } = claimed.body
    const isOnSchedule = scheduledAt !== null && claimed.epoch === 1 && !misfire && !options?.misfire
    if (isOnSchedule) punctuality.record(Math.max(0, deps.time.now() - scheduledAt))
    if (type.isDurable) {
      slots.begin(runs.attempt({ claimed, type, misfire }))
      return
    }
    const member = calls.member(type, claimed)
    const plan = member
      ? { claimed, type, misfire, handler: deps.cache.before(type, member.handler), onDecided: member.leave }
      : { claimed, type, misfire, handler }
    slots.begin(new Attempt(plan, deps))
  }

  /** Late occurrences are decided about before they run, together with those of their job that are claimed until then. */
  #runLate(jobId: string, late: readonly ClaimedExecution[], nodeId: string): void {
    const { slots } = this.#options
    const open = this.#late.get(jobId)
    if (open) {
      open.claimed.push(...late)
      void slots.hold(late, () => open.decided)
      return
    }
    const claimed = [...late]
    void slots.hold(late, () => {
      const decided = this.#decideLate(jobId, claimed, nodeId)
      this.#late.set(jobId, { claimed, decided })
      return decided
    })
  }

  async #decideLate(jobId: string, late: readonly ClaimedExecution[], nodeId: string): Promise<void> {
    const { deps, slots } = this.#options
    const { store, time, telemetry, settlement, logger } = deps
    const askedAt = deps.env.monotonic()
    try {
      const judged = await settlement.persist(() => this.#judgeLate(jobId, late))
      this.#late.delete(jobId)
      const { runs, ended, missed } = await settlement.persist(() => decideLate(store, judged, late, time.now()))
      if (missed) telemetry.tell('job.misfired', missed)
      for (const executionId of ended) telemetry.tell('execution.cancelled', { executionId })
      await this.#makeSure(nodeId, askedAt)
      const ours = runs.filter(({ claimed }) => slots.mayBegin(claimed))
      const starting = new Set(ours.map(({ claimed }) => claimed.executionId))
      void this.#gate.giveBack(late.flatMap((claimed) => (starting.has(claimed.executionId) ? [] : { claimed })))
      this.#start(ours, nodeId)
    } catch (error) {
      this.#late.delete(jobId)
      logger.error('Late occurrences could not be decided about and are given back', { jobId, error })
      await this.#giveBack(late)
    }
  }

  async #judgeLate(jobId: string, late: readonly ClaimedExecution[]): Promise<LateJob | null> {
    const { deps, activity } = this.#options
    const { store, time } = deps
    const judged = await judgeLate({ store, activity }, jobId, late, time.now())
    if (!judged || !awaitsFiring(judged, time.now())) return judged
    await this.#options.allFired()
    return await judgeLate({ store, activity }, jobId, late, time.now())
  }

  /** Starts executions that were granted no start, or too late, once the store grants them one. The others are handed back and keep their place. */
  async #startInTime(runs: readonly Run[], nodeId: string): Promise<void> {
    const { deps, slots } = this.#options
    const { settlement, logger } = deps
    const unstarted = new Map(runs.map((run) => [run.claimed.executionId, run.claimed]))
    await slots.hold([...unstarted.values()], async () => {
      try {
        let waiting = runs
        for (let tries = 0; waiting.length > 0 && tries < MOST_GRANTS; tries += 1) {
          const askedAt = deps.env.monotonic()
          const asked = waiting
          const { admitted } = await settlement.persist(() => this.#gate.admit(asked))
          await this.#makeSure(nodeId, askedAt)
          const ours = admitted.filter(({ claimed }) => slots.mayBegin(claimed))
          const ready = ours.filter((run) => this.#gate.mayStart(run))
          for (const { claimed } of ready) {
            unstarted.delete(claimed.executionId)
            this.#tellClaimed(claimed, nodeId, deps.time.now())
          }
          this.#runAll(ready)
          waiting = ours.filter(({ claimed }) => unstarted.has(claimed.executionId))
        }
      } catch (error) {
        logger.error('Rate limit could not be checked; executions are handed back', { error })
      }
      await this.#giveBack([...unstarted.values()])
    })
  }

  /** Unspent, except for executions that are no longer leased to this node. */
  async #giveBack(refused: readonly ClaimedExecution[]): Promise<void> {
    const { deps, slots } = this.#options
    const ours = refused.filter((claimed) => slots.mayBegin(claimed))
    void this.#gate.giveBack(refused.map((claimed) => ({ claimed })))
    await Promise.allSettled(ours.map((claimed) => deps.settlement.release(claimed)))
  }

  #tellClaimed(claimed: ClaimedExecution, nodeId: string, now: number): void {
    const { scheduledAt, options } = claimed.body
    const isOnSchedule = scheduledAt !== null && claimed.epoch === 1 && !options?.misfire
    const latenessMs = isOnSchedule ? Math.max(0, now - scheduledAt) : null
    this.#options.deps.telemetry.tell('execution.claimed', { ...factsOf(claimed), nodeId, latenessMs })
  }
}
