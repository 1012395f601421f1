import type { CancelTimer, Env } from '../clock.ts'
import { type Backoff, repeating } from './backoff.ts'
import type { EngineStore, TenantStore } from './store.ts'
import { REFUSED, StoreUnavailableError } from './unavailable.ts'

/** After these nothing was sent, or nothing was applied. */
const UNAPPLIED: ReadonlySet<string> = new Set([
  'store.unreachable',
  'store.read_only',
  'store.exhausted',
  'store.busy',
  'store.unprepared',
])

/**
 * Verbs that may be sent again although the first time may have been applied: they read, or say the same about the same ids. Any other verb is
 * repeated only after a failure that left nothing behind.
 */
const REPEATABLE = {
  executions: [
    'enqueue',
    'cancel',
    'find',
    'list',
    'search',
    'ran',
    'recent',
    'predecessors',
    'chain',
    'count',
    'queues',
    'statistics',
    'measure',
    'series',
    'failures',
    'oldestQueuedAt',
  ],
  jobs: ['find', 'findByName', 'list', 'search', 'select', 'schedules', 'count', 'countTypes'],
  calendars: ['find', 'list'],
  occurrences: ['ledger', 'standing', 'waiting'],
  histories: ['read'],
  nodes: ['list', 'declarations', 'countStale'],
  minutes: ['count', 'active'],
  logs: ['read', 'size'],
  tenants: ['limit', 'limitOthers', 'largestLimit', 'list'],
  audit: ['isEnabled', 'list', 'heads', 'anchor'],
  settings: ['find'],
  flags: ['read'],
  credentials: ['findKey', 'listKeys', 'touchKeys', 'findSession', 'removeSessions'],
  notifications: ['list', 'summary'],
  alerts: ['list', 'rules', 'recoveries'],
} as const satisfies { readonly [Noun in keyof EngineStore]?: readonly (keyof EngineStore[Noun])[] }

/** Not requests: they return something at once, or hold on to a connection. */
const NO_REQUESTS: ReadonlySet<PropertyKey> = new Set(['keepAlive'])

const BACKOFF: Backoff = { firstMs: 50, longestMs: 1_000 }

type Verb = (...values: unknown[]) => Promise<unknown>

export interface KeepOptions {
  /** For how long; default: as long as this patience lasts. */
  readonly ms?: number | undefined
  /** When the call began, in the time of `monotonic`; default: now. */
  readonly since?: number | undefined
  /** Whether it may be sent again although it may have been applied; default true. */
  readonly isRepeatable?: boolean | undefined
}

interface Waits {
  readonly cancels: Set<() => void>
  isOver: boolean
}

/** How long a call waits for a store that is unavailable, such as during a switchover. A store that refuses a login is not waited for. */
export class Patience {
  readonly #env: Env
  readonly #ms: number
  readonly #waits: Waits

  constructor(env: Env, ms: number, waits: Waits = { cancels: new Set(), isOver: false }) {
    this.#env = env
    this.#ms = ms
    this.#waits = waits
  }

  /** The same, for calls that cannot wait longer. */
  upTo(ms: number): Patience {
    return new Patience(this.#env, Math.min(this.#ms, ms), this.#waits)
  }

  /** From now on no call waits: the application stops. */
  end(): void {
    this.#waits.isOver = true
    for (const cancel of this.#waits.cancels) cancel()
  }

  /** Sends until it succeeds or the time is up; then the last error is thrown. */
  async keep<Result>(send: () => Promise<Result>, options: KeepOptions = {}): Promise<Result> {
    const { ms = this.#ms, since = this.#env.monotonic(), isRepeatable = true } = options
    const leftMs = () => since + ms - this.#env.monotonic()
    const mayRepeat = (error: unknown) => !this.#waits.isOver && leftMs() > 0 && mayWait(error, isRepeatable)
    const pause = (pauseMs: number) => this.#pause(Math.min(pauseMs, leftMs()))
    return await repeating(this.#env, BACKOFF, send, mayRepeat, pause)
  }

  /** The same after a first try of the caller's own, so that a call that succeeds at once takes no detour. */
  async keepAfter<Result>(error: unknown, send: () => Promise<Result>, options: KeepOptions): Promise<Result> {
    let isFirst = true
    const resend = async () => {
      if (!isFirst) return await send()
      isFirst = false
      throw error
    }
    return await this.keep(resend, options)
  }

  /** The store as callers see it: each of its verbs waits. */
  over<Store extends TenantStore>(store: Store): Store {
    return new Proxy(store, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        if (key === 'forTenant') return (tenant: string) => this.over((value as EngineStore['forTenant'])(tenant))
        if (key === 'exists') return this.#waiting(target, value as Verb, true)
        if (typeof value !== 'object' || value === null || !(key in NOUNS)) return value
        return this.#noun(value, NOUNS[key as string]!)
      },
    })
  }

  #noun<Noun extends object>(noun: Noun, repeatable: ReadonlySet<PropertyKey>): Noun {
    return new Proxy(noun, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value !== 'function' || NO_REQUESTS.has(key)) return value
        return this.#waiting(target, value as Verb, repeatable.has(key))
      },
    })
  }

  #waiting(target: object, verb: Verb, isRepeatable: boolean): Verb {
    return (...values) => this.keep(() => Reflect.apply(verb, target, values), { isRepeatable })
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancelTimer()
        this.#waits.cancels.delete(end)
        resolve()
      }
      const cancelTimer: CancelTimer = this.#env.after(ms, end)
      this.#waits.cancels.add(end)
    })
  }
}

const NOUNS: Readonly<Record<string, ReadonlySet<PropertyKey>>> = {
  ...Object.fromEntries(['cache', 'contents', 'requests', 'rates', 'archive'].map((noun) => [noun, new Set()])),
  ...Object.fromEntries(Object.entries(REPEATABLE).map(([noun, verbs]) => [noun, new Set<PropertyKey>(verbs)])),
}

function mayWait(error: unknown, isRepeatable: boolean): boolean {
  if (!(error instanceof StoreUnavailableError) || error.code === REFUSED) return false
  return isRepeatable || UNAPPLIED.has(error.code)
}
