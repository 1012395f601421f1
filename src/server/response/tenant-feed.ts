import type { Principal } from '../../access/principal.ts'
import type { Env } from '../../clock.ts'
import type { AuditApi, CountersView, OverviewApi } from '../../service/api.ts'

/** What a stream has told: the last event, and what counted then. */
export interface Told {
  readonly position: number
  readonly counters: CountersView | null
}

interface Waiter {
  readonly told: Told
  readonly wake: () => void
}

interface Feed {
  readonly principal: Principal
  readonly waiters: Set<Waiter>
  /** What was said within this second, so that nobody needs to ask again. */
  counted: Promise<CountersView | null> | null
}

interface Questions {
  readonly audit: Pick<AuditApi, 'lastSequence'>
  readonly overview: Pick<OverviewApi, 'counters'>
}

const POLL_MS = 1_000

/** Tells streams that something has happened in their tenant: each question is put once a second for a tenant, however many listen, and never while nobody does. */
export class TenantFeeds {
  readonly #env: Env
  readonly #questions: Questions
  readonly #feeds = new Map<string, Feed>()

  constructor(env: Env, questions: Questions) {
    this.#env = env
    this.#questions = questions
  }

  /** What counts in the tenant, as of the last second; null where the store did not say. */
  async counters(principal: Principal): Promise<CountersView | null> {
    const feed = this.#feedOf(principal)
    return await (feed.counted ?? this.#count(feed))
  }

  /** Waits until the tenant's chain goes further than was told, or other numbers count, or the signal is aborted. */
  waitFor(principal: Principal, told: Told, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    const feed = this.#feedOf(principal)
    return new Promise((resolve) => {
      const waiter = {
        told,
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

  #feedOf(principal: Principal): Feed {
    const known = this.#feeds.get(principal.tenant)
    if (known) return known
    const feed: Feed = { principal, waiters: new Set(), counted: null }
    this.#feeds.set(principal.tenant, feed)
    this.#pollLater(feed)
    return feed
  }

  #pollLater(feed: Feed): void {
    this.#env.after(POLL_MS, () => void this.#poll(feed))
  }

  async #poll(feed: Feed): Promise<void> {
    feed.counted = null
    if (feed.waiters.size === 0) {
      this.#feeds.delete(feed.principal.tenant)
      return
    }
    // A store that is away for a while ends no stream: the next question may be answered.
    const asked = this.#questions.audit.lastSequence(feed.principal).catch(() => 0)
    const [last, counters] = await Promise.all([asked, this.#count(feed)])
    for (const { told, wake } of feed.waiters) {
      if (told.position < last || (counters && !isSame(counters, told.counters))) wake()
    }
    // Whoever was woken comes back for what was counted.
    this.#pollLater(feed)
  }

  /** Whoever asks before the next second gets the same answer. */
  async #count(feed: Feed): Promise<CountersView | null> {
    feed.counted = this.#questions.overview.counters(feed.principal).catch(() => null)
    return await feed.counted
  }
}

export function isSame(one: CountersView, other: CountersView | null): boolean {
  return (
    one.running === other?.running &&
    one.queued === other.queued &&
    one.waiting === other.waiting &&
    one.workersUsed === other.workersUsed
  )
}
