import type { Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { AT_ONCE, Loop, type NextStep } from './loop.ts'
import type { Service } from './service.ts'

export interface PromoterOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
  /** What was delayed may be claimed, and another instant is next. */
  onPromoted(): void
}

const BATCH = 1_000

/** Makes delayed executions ready when they are due: those enqueued for later, and those that wait for a retry. */
export class Promoter implements Service {
  readonly #options: PromoterOptions
  readonly #loop: Loop

  constructor(options: PromoterOptions) {
    this.#options = options
    const { env, logger } = options
    this.#loop = new Loop({ name: 'promoter', env, logger, step: () => this.#promote() })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  wake(): void {
    this.#loop.wake()
  }

  async #promote(): Promise<NextStep> {
    const count = await this.#options.store.leases.promote(BATCH)
    this.#options.onPromoted()
    return count === BATCH ? AT_ONCE : 'whenWoken'
  }
}
