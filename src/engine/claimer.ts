import type { CancelTimer } from '../clock.ts'
import type { AnyJobType } from '../job/job-type.ts'
import type { ClaimedExecution } from '../store/leases.ts'
import { Attempt, type AttemptSurroundings } from './attempt.ts'
import { AT_ONCE, Loop, type NextStep } from './loop.ts'
import type { Node } from './node.ts'
import type { Punctuality } from './punctuality.ts'
import { factsOf } from './record-outcome.ts'
import type { Service } from './service.ts'

export interface ClaimerOptions {
  readonly around: AttemptSurroundings
  readonly node: Node
  readonly punctuality: Punctuality
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly queues: readonly string[]
  readonly slots: number
  /** How often the node looks whether what it runs is still its own. */
  readonly checkMs: number
}

const MAX_CLAIM = 500
/** One in so many is taken by age alone, so that low priorities do not starve. */
const AGED_ONE_IN = 8

/** Fills this node's slots with work it knows how to do, and lets go of what is no longer its own. */
export class Claimer implements Service {
  readonly #options: ClaimerOptions
  readonly #claiming: Loop
  readonly #checking: Loop
  readonly #running = new Map<string, Attempt>()
  /** Those that have a timeout. */
  readonly #timed = new Set<Attempt>()
  readonly #jobTypes: readonly string[]
  #stopTimer: CancelTimer = () => {}
  #sinceAged = 0
  #isUnsure = false
  #whenIdle: (() => void) | null = null

  constructor(options: ClaimerOptions) {
    this.#options = options
    this.#jobTypes = [...options.types.keys()]
    const { env, logger } = options.around
    this.#claiming = new Loop({ name: 'claimer', env, logger, step: () => this.#claim() })
    this.#checking = new Loop({ name: 'lease check', env, logger, step: () => this.#checkHeld() })
  }

  start(): void {
    const { around, checkMs } = this.#options
    this.#stopTimer = around.env.every(checkMs, () => this.#checkSoon())
    this.#checking.start()
    this.#claiming.start()
  }

  /** Claims nothing more. What runs goes on. */
  async stop(): Promise<void> {
    this.#stopTimer()
    await Promise.all([this.#claiming.stop(), this.#checking.stop()])
  }

  wake(): void {
    if (this.#running.size < this.#options.slots) this.#claiming.wake()
  }

  /** Looks at once whether what runs is still this node's. */
  check(): void {
    this.#checkSoon()
  }

  get running(): number {
    return this.#running.size
  }

  /** Tells every running attempt to end. */
  abortAll(reason: 'gone' | 'shutdown'): void {
    for (const attempt of this.#running.values()) attempt.abort(reason)
  }

  /** Waits until nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
  }

  async #claim(): Promise<NextStep> {
    const { around, node, slots, queues } = this.#options
    const limit = Math.min(slots - this.#running.size, MAX_CLAIM)
    const nodeId = node.id
    if (limit <= 0 || nodeId === null || this.#jobTypes.length === 0) return 'whenWoken'
    const aged = Math.floor((this.#sinceAged + limit) / AGED_ONE_IN)
    const request = { nodeId, limit, queues, jobTypes: this.#jobTypes, aged }
    // Whether a claim whose answer is lost was granted is found out by the check.
    this.#isUnsure = true
    const claim = await around.time.observe(() => around.store.leases.claim(request))
    this.#isUnsure = false
    // Lost meanwhile: what was claimed is not ours any more.
    if (node.id !== nodeId) return 'whenWoken'
    if (!claim.isNodeAlive) {
      node.lose(nodeId, 'its lease was over when it claimed')
      return 'whenWoken'
    }
    this.#sinceAged = claim.executions.length === 0 ? 0 : (this.#sinceAged + claim.executions.length) % AGED_ONE_IN
    for (const claimed of claim.executions) this.#begin(claimed, nodeId)
    return claim.executions.length === limit ? AT_ONCE : 'whenWoken'
  }

  #begin(claimed: ClaimedExecution, nodeId: string): void {
    const { around, types, punctuality } = this.#options
    const type = types.get(claimed.body.jobType)
    if (!type) throw new Error(`Job type "${claimed.body.jobType}" was claimed but not asked for.`)
    const { id, scheduledAt, options } = claimed.body
    const isOnSchedule = scheduledAt !== null && claimed.attempt === 1 && !options?.misfire
    const latenessMs = isOnSchedule ? Math.max(0, around.time.now() - scheduledAt) : null
    if (latenessMs !== null) punctuality.record(latenessMs)
    around.telemetry.tell('execution.claimed', { ...factsOf(claimed), nodeId, latenessMs })
    const attempt = new Attempt(claimed, type, around)
    this.#running.set(id, attempt)
    if (attempt.timeoutMs !== null) {
      this.#timed.add(attempt)
      this.#allowLease()
    }
    void attempt
      .run()
      .catch((error: unknown) => around.logger.error('An attempt could not be recorded', { executionId: id, error }))
      .finally(() => this.#end(id, attempt))
  }

  #end(id: string, attempt: Attempt): void {
    // The same execution may run here again already, under another epoch.
    if (this.#running.get(id) === attempt) this.#running.delete(id)
    if (this.#timed.delete(attempt)) this.#allowLease()
    if (this.#running.size === 0) this.#whenIdle?.()
    this.wake()
  }

  /** A handler that blocks the event loop past its timeout must not keep the node alive. */
  #allowLease(): void {
    let soonest: number | null = null
    for (const { mustEndInMs } of this.#timed) {
      if (mustEndInMs !== null && (soonest === null || mustEndInMs < soonest)) soonest = mustEndInMs
    }
    this.#options.node.allowUntil(soonest)
  }

  #checkSoon(): void {
    if (this.#running.size > 0 || this.#isUnsure) this.#checking.wake()
  }

  /** Compares what the store says this node holds with what runs here. */
  async #checkHeld(): Promise<NextStep> {
    const { around, node } = this.#options
    const nodeId = node.id
    if (nodeId === null || (this.#running.size === 0 && !this.#isUnsure)) return 'whenWoken'
    const before = new Map(this.#running)
    const wasUnsure = this.#isUnsure && this.#claiming.failures > 0
    const held = new Map((await around.store.leases.held(nodeId)).map((each) => [each.executionId, each]))
    for (const [id, attempt] of before) {
      if (held.get(id)?.epoch !== attempt.claimed.epoch) attempt.abort('gone')
    }
    if (!wasUnsure) return 'whenWoken'
    const unknown = [...held.values()].filter(({ executionId }) => !this.#running.has(executionId))
    if (unknown.length > 0) {
      around.logger.warn('Gave back executions of a claim whose answer was lost', { count: unknown.length })
      await around.store.leases.release(unknown)
    }
    this.#isUnsure = false
    return 'whenWoken'
  }
}
