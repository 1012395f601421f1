import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { inactiveMs } from '../../store/minutes.ts'
import type { EngineStore } from '../../store/store.ts'
import { Loop, type NextStep } from './loop.ts'
import type { StoreTime } from './store-time.ts'

export interface MinuteMarksOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  readonly time: StoreTime
  /** A node that has recorded nothing for longer than its lease was not active. */
  readonly leaseMs: number
  /** Whether this node is on the list. */
  readonly isListed: () => boolean
}

/** How much longer than an outage the time may seem in which no node was active. */
const INTERVAL_MS = 10_000

/** A time in which this node was active without interruption. */
interface Period {
  readonly id: string
  /** By the clock of the store. */
  readonly since: number
  /** By the monotonic clock. */
  readonly markedAt: number
}

/** Records when this node is active: the minutes for the figures, the periods to tell an outage from overload. */
export class MinuteMarks extends Loop {
  readonly #options: MinuteMarksOptions
  #period: Period | null = null

  constructor(options: MinuteMarksOptions) {
    const { env, logger } = options
    super({ name: 'minute marks', env, logger, everyMs: INTERVAL_MS, step: () => this.#mark() })
    this.#options = options
  }

  /** The store did not answer: this node is not active until it answers again. */
  interrupt(): void {
    this.#period = null
    this.wake()
  }

  /** For how much of the time between two instants no node was active, in milliseconds. The second is now. */
  async inactiveMs(from: number, now: number): Promise<number> {
    const periods = await this.#options.store.minutes.active(from)
    const own = this.#current()
    return inactiveMs(own ? [...periods, { from: own.since, to: now }] : periods, from, now)
  }

  async #mark(): Promise<NextStep> {
    const { env, store, time, isListed } = this.#options
    if (!isListed()) {
      this.#period = null
      return 'whenWoken'
    }
    const now = time.now()
    const { id, since } = this.#current() ?? { id: env.uuid(now), since: now }
    const period = { id, since, markedAt: env.monotonic() }
    this.#period = period
    try {
      await store.minutes.mark(id)
    } catch (error) {
      if (this.#period === period) this.#period = null
      throw error
    }
    return 'whenWoken'
  }

  #current(): Period | null {
    const { env, leaseMs } = this.#options
    const period = this.#period
    return period !== null && env.monotonic() - period.markedAt <= leaseMs ? period : null
  }
}
