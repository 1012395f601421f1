import type { Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { Loop } from './loop.ts'

export interface MinuteMarksOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
  /** Whether this node is on the list. */
  readonly isListed: () => boolean
}

/** Twice a minute, so that none is passed over. */
const INTERVAL_MS = 30_000

/** Notes the minutes in which this node lives, so that it can be told afterwards how much of the time somebody did. */
export class MinuteMarks extends Loop {
  constructor({ env, logger, store, isListed }: MinuteMarksOptions) {
    super({
      name: 'minute marks',
      env,
      logger,
      everyMs: INTERVAL_MS,
      step: async () => {
        if (isListed()) await store.minutes.mark()
        return 'whenWoken'
      },
    })
  }
}
