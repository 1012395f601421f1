import type { Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Held } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import { Loop, type NextStep } from './loop.ts'
import type { Node } from './node.ts'
import type { Slots } from './slots.ts'

export interface LeaseCheckOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
  readonly node: Node
  readonly slots: Slots
  readonly intervalMs: number
  /** Something was given back. */
  onReleased(): void
}

/**
 * Compares what the store says this node holds with what runs here. What runs and is not held was cancelled, or taken by another node, and is ended. What is held and does
 * not run comes from a claim whose answer was lost, and is given back.
 */
export class LeaseCheck extends Loop {
  readonly #options: LeaseCheckOptions
  /** Held without running when it was looked at last. A claim may be under way, so that one look is not enough. */
  #suspects = new Set<string>()

  constructor(options: LeaseCheckOptions) {
    const { env, logger, intervalMs } = options
    super({ name: 'lease check', env, logger, everyMs: intervalMs, step: () => this.#check() })
    this.#options = options
  }

  /** Looks at once, if anything runs. */
  wakeIfRunning(): void {
    if (this.#options.slots.used > 0) this.wake()
  }

  async #check(): Promise<NextStep> {
    const { store, node, slots } = this.#options
    const nodeId = node.id
    if (nodeId === null) return 'whenWoken'
    const before = new Map(slots.running)
    const held = new Map((await store.leases.held(nodeId)).map((each) => [each.executionId, each]))
    for (const [id, attempt] of before) {
      if (held.get(id)?.epoch !== attempt.claimed.epoch) attempt.abort('gone')
    }
    await this.#giveBack([...held.values()].filter(({ executionId }) => !slots.running.has(executionId)))
    return 'whenWoken'
  }

  async #giveBack(strangers: readonly Held[]): Promise<void> {
    const { store, logger } = this.#options
    const lost = strangers.filter((each) => this.#suspects.has(keyOf(each)))
    this.#suspects = new Set(strangers.map(keyOf))
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
