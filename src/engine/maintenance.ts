import type { CancelTimer, Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { Loop } from './loop.ts'
import type { Service } from './service.ts'

export interface MaintenanceOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
}

const INTERVAL_MS = 3_600_000

/** Keeps the store in shape, once an hour. */
export class Maintenance implements Service {
  readonly #env: Env
  readonly #loop: Loop
  #stopTimer: CancelTimer = () => {}

  constructor({ env, logger, store }: MaintenanceOptions) {
    this.#env = env
    this.#loop = new Loop({
      name: 'maintenance',
      env,
      logger,
      step: async () => {
        await store.maintain()
        return 'whenWoken'
      },
    })
  }

  start(): void {
    this.#stopTimer = this.#env.every(INTERVAL_MS, () => this.#loop.wake())
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#stopTimer()
    await this.#loop.stop()
  }
}
