import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Held } from '../../store/leases.ts'
import type { EngineStore } from '../../store/store.ts'
import type { Slots } from '../running/slots.ts'
import { Loop, type NextStep } from './loop.ts'
import type { Node } from './node.ts'

export interface LeaseCheckOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  readonly node: Node
  readonly slots: Slots
  readonly intervalMs: number
  /** Something was given back. */
  onReleased(): void
}

/**
 * Compares what the store says this node holds with what it knows of. What it knows and does not hold was cancelled, or taken by another node, and is ended. What it holds
 * and does not know comes from a claim whose answer was lost, and is given back. What something has come for is told so.
 */
export class LeaseCheck extends Loop {
  readonly #options: LeaseCheckOptions
  /**
   * Held without being known when it was looked at last, and how many claims had been sent when it was first seen. It may have just ended, so that one look is not
   * enough; and as long as one of those claims is under way, its answer may bring it.
   */
  #suspects = new Map<string, number>()

  constructor(options: LeaseCheckOptions) {
    const { env, logger, intervalMs } = options
    super({ name: 'lease check', env, logger, everyMs: intervalMs, step: () => this.#check() })
    this.#options = options
  }

  /** Looks at once, if anything is held; and again when what a claim brings is, since that may be among what was cancelled. */
  wakeIfRunning(): void {
    const { slots } = this.#options
    if (slots.used > 0) this.wake()
    slots.afterClaim(() => this.wakeIfRunning())
  }

  async #check(): Promise<NextStep> {
    const { store, node, slots } = this.#options
    const nodeId = node.id
    if (nodeId === null) return 'whenWoken'
    const before = [...slots.held.values()].map(({ claimed }) => claimed)
    const held = new Map((await store.leases.held(nodeId)).map((each) => [each.executionId, each]))
    for (const { executionId: id, epoch } of before) {
      const holding = slots.held.get(id)
      // What was decided about may run by now: that is what has to end.
      if (holding?.claimed.epoch !== epoch) continue
      const lease = held.get(id)
      if (lease?.epoch !== epoch) holding.abort('gone')
      else if (lease.hasNews) holding.hear?.()
    }
    await this.#giveBack([...held.values()].filter(({ executionId }) => !slots.held.has(executionId)))
    return 'whenWoken'
  }

  async #giveBack(strangers: readonly Held[]): Promise<void> {
    const { store, logger, slots } = this.#options
    const { sent, done } = slots.claims
    const lost = strangers.filter((each) => (this.#suspects.get(keyOf(each)) ?? Number.POSITIVE_INFINITY) <= done)
    this.#suspects = new Map(strangers.map((each) => [keyOf(each), this.#suspects.get(keyOf(each)) ?? sent]))
    if (lost.length === 0) return
    const released = await store.leases.release(lost)
    if (released.length === 0) return
    logger.warn('Gave back executions of a claim whose answer was lost', { count: released.length })
    this.#options.onReleased()
  }
}

function keyOf({ executionId, epoch }: Held): string {
  return `${executionId} ${epoch}`
}
