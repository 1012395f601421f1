import { Patience } from '../../store/patience.ts'
import type { ExecutionFacts } from '../telemetry/events.ts'
import { App } from './app.ts'
import type { AppOptions } from './options.ts'
import { stoppedError } from './pauses.ts'

/** An application from its start to its stop, and to the next start. Its store is opened when it is first used. */
export class Lifecycle {
  readonly #options: AppOptions
  #opening: Promise<App> | null = null
  #stopping: Promise<readonly ExecutionFacts[]> | null = null
  #isStopped = false
  /** Of calls that wait for the store to be opened. */
  #patience: Patience

  constructor(options: AppOptions) {
    this.#options = options
    this.#patience = new Patience(options.env, options.patienceMs)
  }

  async start(): Promise<void> {
    await this.#stopping
    if (this.#isStopped) this.#patience = new Patience(this.#options.env, this.#options.patienceMs)
    this.#isStopped = false
    await (await this.open()).start()
  }

  /** Returns the handlers that still run. */
  stop(): Promise<readonly ExecutionFacts[]> {
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = null
    })
    return this.#stopping
  }

  open(): Promise<App> {
    if (this.#isStopped) return Promise.reject(stoppedError())
    this.#opening ??= App.open(this.#options).catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  /** The same for a call, which waits while the store is unavailable: for `ms`, by default as long as the application's calls do. */
  openForCall(ms?: number): Promise<App> {
    return this.open().catch((error: unknown) => this.#patience.keepAfter(error, () => this.open(), { ms }))
  }

  /** Whether it has been told to stop, and has not yet. */
  get isStopping(): boolean {
    return this.#stopping !== null
  }

  async #stop(): Promise<readonly ExecutionFacts[]> {
    const opening = this.#opening
    this.#patience.end()
    try {
      // One that could not be opened has nothing to close.
      return (await (await opening?.catch(() => null))?.stop()) ?? []
    } finally {
      this.#isStopped = true
      this.#opening = null
    }
  }
}
