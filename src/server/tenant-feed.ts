import type { Principal } from '../access/principal.ts'
import type { Env } from '../clock.ts'
import type { AuditApi } from '../service/api.ts'

interface Waiter {
  readonly position: number
  readonly wake: () => void
}

interface Feed {
  readonly principal: Principal
  readonly waiters: Set<Waiter>
}

const POLL_MS = 1_000

/** Tells streams that something has happened in their tenant: one question a second for a tenant, however many listen. */
export class TenantFeeds {
  readonly #env: Env
  readonly #audit: Pick<AuditApi, 'lastSequence'>
  readonly #feeds = new Map<string, Feed>()

  constructor(env: Env, audit: Pick<AuditApi, 'lastSequence'>) {
    this.#env = env
    this.#audit = audit
  }

  /** Waits until the tenant's chain goes further than a position, or the signal is aborted. */
  waitFor(principal: Principal, position: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    const known = this.#feeds.get(principal.tenant)
    const feed = known ?? { principal, waiters: new Set() }
    if (!known) {
      this.#feeds.set(principal.tenant, feed)
      this.#pollLater(feed)
    }
    return new Promise((resolve) => {
      const waiter = {
        position,
        wake: () => {
          feed.waiters.delete(waiter)
          signal.removeEventListener('abort', waiter.wake)
          resolve()
        },
      }
      feed.waiters.add(waiter)
      signal.addEventListener('abort', waiter.wake)
    })
  }

  #pollLater(feed: Feed): void {
    this.#env.after(POLL_MS, () => void this.#poll(feed))
  }

  async #poll(feed: Feed): Promise<void> {
    if (feed.waiters.size > 0) {
      // A store that is away for a while ends no stream: the next question may be answered.
      const last = await this.#audit.lastSequence(feed.principal).catch(() => 0)
      for (const waiter of feed.waiters) if (waiter.position < last) waiter.wake()
    }
    if (feed.waiters.size > 0) this.#pollLater(feed)
    else this.#feeds.delete(feed.principal.tenant)
  }
}
