import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CancelTimer, Env } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import type { Isolation } from '../../job/type/isolation.ts'
import type { AnyJobType, JobContext } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { runAsNobody } from '../running/current-execution.ts'
import { urlOf } from './inside/load-handler.ts'
import { Isolate, NotBegunError } from './isolate.ts'
import { isolatedType } from './isolate-mark.ts'

/** How long the last isolates may take to end: a thread inside of a native call cannot be killed. */
const STOP_MS = 2_000

export interface IsolatesOptions {
  readonly env: Env
  readonly logger: Logger
}

type IsolatedRun = (input: unknown, context: JobContext) => Promise<unknown>

/** The isolates of a node. */
export class Isolates {
  readonly #options: IsolatesOptions
  readonly #pools = new Map<string, IsolatePool>()
  readonly #modules: { readonly jobType: string; readonly url: string }[] = []

  constructor(options: IsolatesOptions) {
    this.#options = options
  }

  /** Runs the handler of a job type outside of this event loop. */
  runnerOf({ id }: AnyJobType, isolation: Isolation): IsolatedRun {
    const pool = new IsolatePool({ ...this.#options, jobType: id, isolation })
    this.#pools.set(id, pool)
    if (isolation.handler.from === 'module') this.#modules.push({ jobType: id, url: urlOf(isolation.handler.file) })
    return (input, context) => pool.run(input, context)
  }

  /** Refuses what cannot work: better now than at three in the morning. */
  check(): void {
    requireOutside()
    for (const { jobType, url } of this.#modules) requireFile(jobType, url)
  }

  /** Starts those that are to be there before the first run. */
  warmUp(): void {
    for (const pool of this.#pools.values()) pool.warmUp()
  }

  /** Afterwards none is left. */
  async stop(): Promise<void> {
    const pools = [...this.#pools.values()]
    await new Promise<void>((resolve) => {
      const cancel = this.#options.env.after(STOP_MS, () => {
        const left = pools.reduce((sum, pool) => sum + pool.kill(), 0)
        this.#options.logger.error('Isolates do not end, and are left behind', { left })
        resolve()
      })
      void Promise.all(pools.map((pool) => pool.stop())).then(() => {
        cancel()
        resolve()
      })
    })
  }
}

/** A module that starts its application when it is imported would do so in each isolate, which would have isolates again. */
function requireOutside(): void {
  const jobType = isolatedType()
  if (jobType === null) return
  const message = `Job type ${quote(jobType)}: a node cannot be started inside of its isolate. Put the handler into a module that does not start the application.`
  throw new InvalidInputError('isolate.nested', message, { jobType })
}

function requireFile(jobType: string, url: string): void {
  if (existsSync(fileURLToPath(url))) return
  const message = `Job type ${quote(jobType)}: isolate.module ${url} does not exist.`
  throw new InvalidInputError('isolate.module_missing', message, { jobType, url })
}

/** How long an isolate without work is kept. */
const WARM_MS = 60_000

/** So many are kept for that long. What a burst has started beyond them goes sooner. */
const MAX_WARM = 4

const SURPLUS_MS = 5_000

/** How long an isolate that is to be there from the start is waited for after it has crashed. */
const RESTART_MS = 5_000

interface PoolOptions {
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
      env.after(keptMs, () => this.#retireIdle(isolate)),
    )
  }

  #retireIdle(isolate: Isolate): void {
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
