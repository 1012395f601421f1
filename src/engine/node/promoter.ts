import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Store } from '../../store/store.ts'
import { AT_ONCE, Loop } from './loop.ts'

export interface PromoterOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
  /** What was delayed may be claimed, and another instant is next. */
  readonly onPromoted: () => void
}

const BATCH = 1_000

/** Makes delayed executions ready when they are due: those enqueued for later, and those that wait for a retry. */
export class Promoter extends Loop {
  constructor({ env, logger, store, onPromoted }: PromoterOptions) {
    super({
      name: 'promoter',
      env,
      logger,
      step: async () => {
        const count = await store.leases.promote(BATCH)
        onPromoted()
        return count === BATCH ? AT_ONCE : 'whenWoken'
      },
    })
  }
}
