import type { CancelTimer, Env } from '../../clock.ts'
import type { KeepAliveRequest, LeaseKeeper } from '../nodes.ts'

/** What can be asked about a node's lease; both answer whether the node is on the list. */
export interface NodeLease {
  renew(): Promise<boolean>
  isListed(): Promise<boolean>
}

/** Renews a node's lease from this process, until it is stopped or the node is no longer on the list; that is said once. */
export class LeaseRenewal implements LeaseKeeper {
  readonly #env: Env
  readonly #lease: NodeLease
  readonly #onLost: (reason: string) => void
  readonly #cancelTimer: CancelTimer
  /** By the monotonic clock. */
  #allowedUntil = Number.POSITIVE_INFINITY
  #underWay: Promise<void> | null = null
  #isOver = false

  constructor(env: Env, { intervalMs, onLost }: KeepAliveRequest, lease: NodeLease) {
    this.#env = env
    this.#lease = lease
    this.#onLost = onLost
    this.#cancelTimer = env.every(intervalMs, () => this.#tick())
  }

  allowUntil(inMs: number | null): void {
    this.#allowedUntil = inMs === null ? Number.POSITIVE_INFINITY : this.#env.monotonic() + inMs
  }

  async stop(): Promise<void> {
    this.#end()
    await this.#underWay
  }

  #tick(): void {
    if (this.#isOver || this.#underWay) return
    this.#underWay = this.#perform().finally(() => {
      this.#underWay = null
    })
  }

  async #perform(): Promise<void> {
    // Past the time that is allowed the lease may only be looked at.
    const isAllowed = this.#env.monotonic() <= this.#allowedUntil
    const answer = isAllowed ? this.#lease.renew() : this.#lease.isListed()
    // One that failed says nothing about the lease: the next tick asks again.
    if (!(await answer.catch(() => true))) this.#lose()
  }

  #lose(): void {
    if (this.#isOver) return
    this.#end()
    this.#onLost('The node is no longer on the list: its lease was over, and its work was taken.')
  }

  #end(): void {
    this.#isOver = true
    this.#cancelTimer()
  }
}
