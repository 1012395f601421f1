import type { Env } from '../../clock.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import type { EngineStore } from '../../store/store.ts'
import { Loop, type NextStep } from '../node/loop.ts'

export interface ResumptionOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  readonly types: ReadonlyMap<string, AnyJobType>
  /** Something is ready again. */
  readonly onResumed: () => void
}

const BATCH = 1_000
/** As long as nodes with the old code live they may take up what was resumed, and park it again. */
const AGAIN_AFTER_MS: readonly number[] = [60_000, 300_000, 1_800_000]

/** Code that did not fit a history may have been corrected: whoever starts tries runs again that are DIVERGED for that reason. */
export class Resumption extends Loop {
  readonly #options: ResumptionOptions
  #times = 0

  constructor(options: ResumptionOptions) {
    const { env, logger } = options
    super({ name: 'resumption', env, logger, step: () => this.#resume() })
    this.#options = options
  }

  async #resume(): Promise<NextStep> {
    const { types, store, logger } = this.#options
    const jobTypes = [...types.values()].filter(({ isDurable }) => isDurable).map(({ id }) => id)
    if (jobTypes.length === 0) return 'whenWoken'
    let count = 0
    for (let batch = BATCH; batch === BATCH; count += batch) {
      batch = (await store.histories.resume({ jobTypes, limit: BATCH })).length
    }
    if (count > 0) {
      logger.info('Resumed diverged executions', { count })
      this.#options.onResumed()
    }
    const inMs = AGAIN_AFTER_MS[this.#times]
    this.#times += 1
    return inMs === undefined ? 'whenWoken' : { inMs }
  }
}
