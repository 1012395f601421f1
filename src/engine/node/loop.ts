import type { CancelTimer, Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { type Backoff, backoffMs } from '../../store/backoff.ts'

/** A part of the engine. Once stopped it has nothing under way. */
export interface Service {
  start(): void
  stop(): Promise<void>
}

/** When the next step is wanted: in so many milliseconds, or only once somebody wakes the loop. */
export type NextStep = { readonly inMs: number } | 'whenWoken'

export const AT_ONCE: NextStep = { inMs: 0 }

export interface LoopOptions {
  readonly name: string
  readonly env: Env
  readonly logger: Logger
  readonly step: () => Promise<NextStep>
  /** Asks for a step again and again, where nobody else may. */
  readonly everyMs?: number | undefined
}

const BACKOFF: Backoff = { firstMs: 100, longestMs: 1_000 }

/**
 * Does one step after another, sleeps in between, and never two at once. A step that fails is tried again after a pause that grows up to
 * a second: a store that was unavailable for a minute is used again within a second of its return.
 */
export class Loop implements Service {
  readonly #options: LoopOptions
  #isStopped = true
  #isWoken = false
  #running: Promise<void> | null = null
  #cancelTimer: CancelTimer = () => {}
  #stopTicking: CancelTimer = () => {}
  #failures = 0
  #isPausing = false
  /** Callers of `caughtUp()` whose step has not started yet. */
  #waiting: (() => void)[] = []

  constructor(options: LoopOptions) {
    this.#options = options
  }

  start(): void {
    const { env, everyMs } = this.#options
    this.#isStopped = false
    this.#isPausing = false
    if (everyMs !== undefined) this.#stopTicking = env.every(everyMs, () => this.wake())
    this.wake()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopTicking()
    this.#cancelTimer()
    await this.#running
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Requests a step; resolves once it has left nothing to do at once, or has failed. Resolves also when the loop stops. */
  caughtUp(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.wake()
    })
  }

  /** How often the step has failed in a row. */
  get failures(): number {
    return this.#failures
  }

  /** Asks for a step: now, or right after the one under way. */
  wake(): void {
    // After a failure the pause is kept, whoever wakes.
    if (this.#isStopped || this.#isPausing) return
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
      // Woken between the last look and here.
      if (this.#isWoken) this.wake()
    })
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false
      this.#cancelTimer()
      const next = await this.#step()
      if (next === 'whenWoken' || this.#isStopped) continue
      if (next.inMs <= 0) this.#isWoken = true
      else this.#cancelTimer = this.#options.env.after(next.inMs, () => this.#alarm())
    }
  }

  #alarm(): void {
    this.#isPausing = false
    this.wake()
  }

  async #step(): Promise<NextStep> {
    const { name, logger, step } = this.#options
    const waiting = this.#waiting.splice(0)
    try {
      const next = await step()
      if (next === AT_ONCE) this.#waiting.unshift(...waiting.splice(0))
      if (this.#failures > 0) logger.info('Works again', { part: name, failures: this.#failures })
      this.#failures = 0
      return next
    } catch (error) {
      const pauseMs = backoffMs(BACKOFF, this.#failures)
      this.#failures += 1
      // Once per outage: what repeats every second drowns everything else.
      if (this.#failures === 1) logger.error('Failed and will be tried again', { part: name, error })
      this.#isPausing = true
      this.#isWoken = false
      return { inMs: pauseMs }
    } finally {
      for (const resolve of waiting) resolve()
    }
  }
}
