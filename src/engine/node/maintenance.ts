import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Store } from '../../store/store.ts'
import { Loop } from './loop.ts'

export interface MaintenanceOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
}

const INTERVAL_MS = 3_600_000

/** Keeps the store in shape, once an hour. */
export class Maintenance extends Loop {
  constructor({ env, logger, store }: MaintenanceOptions) {
    super({
      name: 'maintenance',
      env,
      logger,
      everyMs: INTERVAL_MS,
      step: async () => {
        await store.maintain()
        return 'whenWoken'
      },
    })
  }
}
