import type { CancelTimer, Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { AbortReason, Attempt } from './attempt.ts'
import type { Node } from './node.ts'

const ALLOW_MS = 500

export interface SlotsOptions {
  readonly env: Env
  readonly count: number
  readonly node: Node
  readonly logger: Logger
  /** A slot is free again. */
  onFree(): void
}

/** What runs on this node: at most one attempt in each slot. */
export class Slots {
  readonly #options: SlotsOptions
  readonly #running = new Map<string, Attempt>()
  /** Those that have a timeout. */
  readonly #timed = new Set<Attempt>()
  #reserved = 0
  #isAllowing = false
  #cancelTimer: CancelTimer = () => {}
  #whenIdle: (() => void)[] = []

  constructor(options: SlotsOptions) {
    this.#options = options
  }

  get free(): number {
    return this.#options.count - this.used
  }

  get used(): number {
    return this.#running.size + this.#reserved
  }

  /** Execution by execution, the attempt that runs it. */
  get running(): ReadonlyMap<string, Attempt> {
    return this.#running
  }

  /** Keeps slots for executions about which something is decided first. */
  async reserve<Result>(count: number, decide: () => Promise<Result>): Promise<Result> {
    this.#reserved += count
    try {
      return await decide()
    } finally {
      this.#reserved -= count
      this.#freed()
    }
  }

  begin(attempt: Attempt): void {
    const id = attempt.claimed.executionId
    this.#running.set(id, attempt)
    if (attempt.timeoutMs !== null) {
      this.#timed.add(attempt)
      this.#allowSoon()
    }
    void this.#follow(id, attempt)
  }

  async #follow(id: string, attempt: Attempt): Promise<void> {
    try {
      await attempt.run()
    } catch (error) {
      this.#options.logger.error('An attempt could not be recorded', { executionId: id, error })
    } finally {
      this.#end(id, attempt)
    }
  }

  abortAll(reason: AbortReason): void {
    for (const attempt of this.#running.values()) attempt.abort(reason)
  }

  /** Waits until nothing runs. */
  async idle(): Promise<void> {
    while (this.used > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
    this.#cancelTimer()
    this.#isAllowing = false
  }

  #end(id: string, attempt: Attempt): void {
    // The same execution may run here again already, under another epoch.
    if (this.#running.get(id) === attempt) this.#running.delete(id)
    if (this.#timed.delete(attempt)) this.#allowSoon()
    this.#freed()
  }

  #freed(): void {
    if (this.used === 0) {
      const waiting = this.#whenIdle
      this.#whenIdle = []
      for (const resolve of waiting) resolve()
    }
    this.#options.onFree()
  }

  /** Told twice a second and not at every start and end: to look through all of them costs time. */
  #allowSoon(): void {
    if (this.#isAllowing) return
    this.#isAllowing = true
    this.#allowLease()
    this.#cancelTimer = this.#options.env.after(ALLOW_MS, () => {
      this.#isAllowing = false
      this.#allowLease()
    })
  }

  /** A handler that blocks the event loop past its timeout must not keep the node alive. */
  #allowLease(): void {
    let soonest: number | null = null
    for (const { mustEndInMs } of this.#timed) {
      if (mustEndInMs !== null && (soonest === null || mustEndInMs < soonest)) soonest = mustEndInMs
    }
    // Looked at again before long, as long as the event loop turns.
    this.#options.node.allowUntil(soonest === null ? null : Math.max(soonest, ALLOW_MS * 2))
  }
}
