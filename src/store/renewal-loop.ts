import type { CancelTimer, Env } from '../clock.ts'

/** What can be asked about a node's lease; both answer whether the node is on the list, and fail where nobody knows. */
export interface NodeLease {
  /** Prolongs it. */
  renew(): Promise<boolean>
  isListed(): Promise<boolean>
}

export interface RenewalLoopOptions {
  readonly intervalMs: number
  /** Called once, when the node is no longer on the list. */
  onLost(reason: string): void
  /** Called when a try fails, unless the one before has failed as well. */
  onFailed?(error: unknown): void
  /** Called when a try succeeds after one that failed. */
  onRecovered?(): void
}

/** How long after a failed try the next one comes, at most. */
const LONGEST_RETRY_MS = 1_000

/** Renews a node's lease until it is stopped, or the node is no longer on the list. */
export class RenewalLoop {
  readonly #env: Env
  readonly #lease: NodeLease
  readonly #options: RenewalLoopOptions
  readonly #stopTicking: CancelTimer
  #cancelRetry: CancelTimer = () => {}
  #allowedUntil = Number.POSITIVE_INFINITY
  #underWay: Promise<void> | null = null
  #isFailing = false
  #isOver = false

  constructor(env: Env, lease: NodeLease, options: RenewalLoopOptions) {
    this.#env = env
    this.#lease = lease
    this.#options = options
    this.#stopTicking = env.every(options.intervalMs, () => this.renewNow())
  }

  /** Until when the lease may be prolonged, in milliseconds from now; null for ever. Beyond that it is left to lapse. */
  allowUntil(inMs: number | null): void {
    this.#allowedUntil = inMs === null ? Number.POSITIVE_INFINITY : this.#env.monotonic() + inMs
  }

  /** Does not wait for the next turn. */
  renewNow(): void {
    if (this.#isOver || this.#underWay) return
    this.#cancelRetry()
    this.#underWay = this.#try().finally(() => {
      this.#underWay = null
    })
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.#end()
    await this.#underWay
  }

  async #try(): Promise<void> {
    // Past the time that is allowed the lease may only be looked at.
    const isAllowed = this.#env.monotonic() <= this.#allowedUntil
    try {
      const isListed = isAllowed ? await this.#lease.renew() : await this.#lease.isListed()
      if (!isListed) this.#lose()
      else if (this.#isFailing) this.#recover()
    } catch (error) {
      // It says nothing about the lease, and there may be time for another try before the next turn.
      if (this.#isOver) return
      if (!this.#isFailing) this.#options.onFailed?.(error)
      this.#isFailing = true
      const waitMs = Math.min(this.#options.intervalMs / 4, LONGEST_RETRY_MS)
      this.#cancelRetry = this.#env.after(waitMs, () => this.renewNow())
    }
  }

  #recover(): void {
    this.#isFailing = false
    if (!this.#isOver) this.#options.onRecovered?.()
  }

  #lose(): void {
    if (this.#isOver) return
    this.#end()
    this.#options.onLost('The node is no longer on the list: its lease was over, and its work was taken.')
  }

  #end(): void {
    this.#isOver = true
    this.#stopTicking()
    this.#cancelRetry()
  }
}
