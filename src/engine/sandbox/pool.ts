import type { CancelTimer, Env } from '../../clock.ts'
import type { Isolation } from '../../job/type/isolation.ts'
import type { JobContext } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { runAsNobody } from '../running/current-execution.ts'
import { Isolate, NotBegunError } from './isolate.ts'

/** How long an isolate without work is kept. */
const WARM_MS = 60_000
/** So many are kept for that long. What a burst has started beyond them goes sooner. */
const MAX_WARM = 4
const SURPLUS_MS = 5_000
/** How long an isolate that is to be there from the start is waited for after it has crashed. */
const RESTART_MS = 5_000

export interface PoolOptions {
  readonly env: Env
  readonly logger: Logger
  readonly jobType: string
  readonly isolation: Isolation
}

/** The isolates of one job type. Each run has one to itself, so that there are never more busy ones than the node has slots, beside those about to be killed. */
export class IsolatePool {
  readonly #options: PoolOptions
  readonly #all = new Set<Isolate>()
  /** Each with the timer after which it goes; the one that was used last is used first. */
  readonly #idle = new Map<Isolate, CancelTimer>()
  #cancelRestart: CancelTimer = () => {}
  #isStopped = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Starts those that are to be there before the first run. */
  warmUp(): void {
    const { isolation, logger, jobType } = this.#options
    try {
      while (!this.#isStopped && this.#all.size < isolation.warm) this.#keep(this.#open())
    } catch (error) {
      logger.error('An isolate could not be started ahead of time', { jobType, error })
    }
  }

  async run(input: unknown, context: JobContext): Promise<unknown> {
    const isolate = this.#take()
    try {
      return await isolate.run(input, context)
    } catch (error) {
      if (!(error instanceof NotBegunError) || context.signal.aborted) throw error
    } finally {
      if (isolate.isUsable) this.#keep(isolate)
    }
    // It died while it waited for work: that is nobody's failure.
    return await this.run(input, context)
  }

  /** Ends all of them. One whose run is over but not yet ended has the time that it was given. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelRestart()
    for (const [isolate, cancelTimer] of this.#idle) {
      cancelTimer()
      void isolate.retire()
    }
    this.#idle.clear()
    await Promise.all([...this.#all].map((isolate) => isolate.ended))
  }

  kill(): number {
    for (const isolate of this.#all) isolate.kill()
    return this.#all.size
  }

  #take(): Isolate {
    const isolate = [...this.#idle.keys()].at(-1)
    if (!isolate) return this.#open()
    this.#idle.get(isolate)?.()
    this.#idle.delete(isolate)
    return isolate
  }

  #open(): Isolate {
    // What it says is not said by the run that happened to need it first.
    const isolate = runAsNobody(() => new Isolate(this.#options))
    this.#all.add(isolate)
    void isolate.ended.then(() => this.#forget(isolate))
    return isolate
  }

  #keep(isolate: Isolate): void {
    if (this.#isStopped) {
      void isolate.retire()
      return
    }
    const { env } = this.#options
    const keptMs = this.#idle.size < MAX_WARM ? WARM_MS : SURPLUS_MS
    this.#idle.set(
      isolate,
      env.after(keptMs, () => this.#letGo(isolate)),
    )
  }

  #letGo(isolate: Isolate): void {
    this.#idle.delete(isolate)
    if (this.#all.size <= this.#options.isolation.warm) this.#keep(isolate)
    else void isolate.retire()
  }

  #forget(isolate: Isolate): void {
    this.#all.delete(isolate)
    this.#idle.get(isolate)?.()
    this.#idle.delete(isolate)
    if (this.#isStopped || this.#all.size >= this.#options.isolation.warm) return
    this.#cancelRestart()
    this.#cancelRestart = this.#options.env.after(RESTART_MS, () => this.warmUp())
  }
}
