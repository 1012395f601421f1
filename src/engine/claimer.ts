import { eventLoopTurn } from '../clock.ts'
import type { AnyJobType } from '../job/job-type.ts'
import type { ClaimedExecution } from '../store/leases.ts'
import type { MisfireInfo } from '../time/misfire/resolution.ts'
import { Attempt, type AttemptSurroundings } from './attempt.ts'
import { type Handler, handlerOf } from './handler.ts'
import { AT_ONCE, Loop, type NextStep } from './loop.ts'
import type { Node } from './node.ts'
import { decideOverload, isLate } from './overload.ts'
import type { Punctuality } from './punctuality.ts'
import { factsOf } from './record-outcome.ts'
import type { Slots } from './slots.ts'

export interface ClaimerOptions {
  readonly around: AttemptSurroundings
  readonly node: Node
  readonly slots: Slots
  readonly punctuality: Punctuality
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly queues: readonly string[]
}

const MAX_CLAIM = 500
/** One in so many is taken by age alone, so that low priorities do not starve. */
const AGED_ONE_IN = 8

/** Fills this node's slots with work it knows how to do. */
export class Claimer extends Loop {
  readonly #options: ClaimerOptions
  readonly #jobTypes: readonly string[]
  readonly #handlers: ReadonlyMap<string, Handler>
  #sinceAged = 0
  #polls = 0

  constructor(options: ClaimerOptions) {
    const { env, logger } = options.around
    super({ name: 'claimer', env, logger, step: () => this.#claim() })
    this.#options = options
    this.#jobTypes = [...options.types.keys()]
    this.#handlers = new Map([...options.types].map(([id, type]) => [id, handlerOf(type)]))
  }

  override wake(): void {
    this.#polls = 0
    super.wake()
  }

  /** Something is ready, but nobody hinted at it: it may be of a job type that only others know, which is not worth a claim every time. */
  wakeByPoll(): void {
    this.#polls += 1
    if (this.#polls % 2 === 1) super.wake()
  }

  async #claim(): Promise<NextStep> {
    const { around, node, slots, queues } = this.#options
    // What ends in the same turn frees its slots together: one claim fills them all.
    if (slots.used > 0) await eventLoopTurn()
    const limit = Math.min(slots.free, MAX_CLAIM)
    const nodeId = node.id
    if (limit <= 0 || nodeId === null || this.#jobTypes.length === 0) return 'whenWoken'
    const aged = Math.floor((this.#sinceAged + limit) / AGED_ONE_IN)
    const request = { nodeId, limit, queues, jobTypes: this.#jobTypes, aged }
    const { isNodeAlive, executions } = await around.time.observe(() => around.store.leases.claim(request))
    // Lost meanwhile: what was claimed is not ours any more.
    if (node.id !== nodeId) return 'whenWoken'
    if (!isNodeAlive) return await this.#checkNode(nodeId)
    this.#sinceAged = executions.length === 0 ? 0 : (this.#sinceAged + executions.length) % AGED_ONE_IN
    this.#begin(executions, nodeId)
    return executions.length === limit ? AT_ONCE : 'whenWoken'
  }

  /** A lease that is over may be renewed until others have taken the node off the list. */
  async #checkNode(nodeId: string): Promise<NextStep> {
    const { around, node } = this.#options
    if (await node.renew()) return AT_ONCE
    around.logger.warn('The lease of this node was over when it claimed', { nodeId })
    node.lose(nodeId, 'it was taken off the list')
    return 'whenWoken'
  }

  #begin(executions: readonly ClaimedExecution[], nodeId: string): void {
    const now = this.#options.around.time.now()
    const late = new Map<string, ClaimedExecution[]>()
    for (const claimed of executions) {
      this.#tellClaimed(claimed, nodeId, now)
      const { jobId } = claimed.body
      if (jobId === null || !isLate(claimed, now)) this.#run(claimed)
      else late.set(jobId, [...(late.get(jobId) ?? []), claimed])
    }
    for (const [jobId, ofJob] of late) void this.#runLate(jobId, ofJob)
  }

  #run(claimed: ClaimedExecution, misfire?: MisfireInfo | null): void {
    const { around, types, slots, punctuality } = this.#options
    const type = types.get(claimed.body.jobType)
    const handler = this.#handlers.get(claimed.body.jobType)
    // Only what was asked for is claimed.
    if (!type || !handler) return
    const { scheduledAt, options } = claimed.body
    const isOnSchedule = scheduledAt !== null && claimed.epoch === 1 && !misfire && !options?.misfire
    if (isOnSchedule) punctuality.record(Math.max(0, around.time.now() - scheduledAt))
    slots.begin(new Attempt({ claimed, type, handler, misfire }, around))
  }

  /** What waited too long for a slot is decided about before it runs. */
  async #runLate(jobId: string, late: readonly ClaimedExecution[]): Promise<void> {
    const { around, slots } = this.#options
    const { store, time, telemetry, settlement, logger } = around
    try {
      await slots.reserve(late.length, async () => {
        const { runs, ended, missed } = await settlement.persist(() => decideOverload(store, jobId, late, time.now()))
        if (missed) telemetry.tell('job.misfired', { ...missed, cause: 'overload' })
        for (const executionId of ended) telemetry.tell('execution.cancelled', { executionId })
        for (const { claimed, misfire } of runs) this.#run(claimed, misfire)
      })
    } catch (error) {
      logger.error('Late occurrences could not be decided about and are given back', { jobId, error })
      await Promise.allSettled(late.map((claimed) => settlement.release(claimed)))
    }
  }

  #tellClaimed(claimed: ClaimedExecution, nodeId: string, now: number): void {
    const { scheduledAt, options } = claimed.body
    const isOnSchedule = scheduledAt !== null && claimed.epoch === 1 && !options?.misfire
    const latenessMs = isOnSchedule ? Math.max(0, now - scheduledAt) : null
    this.#options.around.telemetry.tell('execution.claimed', { ...factsOf(claimed), nodeId, latenessMs })
  }
}
