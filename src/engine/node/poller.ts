import type { CancelTimer, Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { TenantSet } from '../../store/flags.ts'
import type { EngineStore, Hint } from '../../store/store.ts'
import { AT_ONCE, Loop, type NextStep, type Service } from './loop.ts'
import type { StoreTime } from './store-time.ts'

export interface PollerOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  readonly time: StoreTime
  /** How often the store is polled without a hint. */
  readonly pollMs: number
  onFireDue(): void
  onDelayDue(): void
  onReady(): void
  /** A poll has found something ready that no hint announced. */
  onReadyByPoll(): void
  onCancelled(): void
  /** The store did not answer. */
  onFailed(): void
  /** The tenants whose failed attempts are not retried. */
  onWithoutRetries(tenants: TenantSet): void
}

/**
 * Wakes the other loops: at the next instant that is due, for a hint of another node, and after each poll of the store, because a hint may never
 * arrive.
 */
export class Poller implements Service {
  readonly #options: PollerOptions
  readonly #loop: Loop
  readonly #fireAlarm: Alarm
  readonly #delayAlarm: Alarm
  #expectedDueAt: number | null = null
  #stops: CancelTimer[] = []
  #isRunning = false

  constructor(options: PollerOptions) {
    const { env, logger, time } = options
    this.#options = options
    this.#loop = new Loop({ name: 'poller', env, logger, step: () => this.#ask() })
    this.#fireAlarm = new Alarm(env, time, () => options.onFireDue())
    this.#delayAlarm = new Alarm(env, time, () => options.onDelayDue())
  }

  start(): void {
    this.#isRunning = true
    const { env, store, pollMs } = this.#options
    this.#stops = [store.listen((hint) => this.#heed(hint)), env.every(pollMs, () => this.#loop.wake())]
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    for (const stop of this.#stops) stop()
    await this.#loop.stop()
    this.#fireAlarm.clear()
    this.#delayAlarm.clear()
  }

  /** Polls at once: something that is due may have changed. */
  refresh(): void {
    this.#loop.wake()
  }

  /** A call in this process has made something that is due at an instant. */
  expectDelayed(dueAt: number): void {
    if (!this.#isRunning) return
    this.#expectedDueAt = Math.min(dueAt, this.#expectedDueAt ?? dueAt)
    this.#delayAlarm.setEarlier(dueAt)
  }

  #heed(hint: Hint): void {
    if (hint === 'ready') this.#options.onReady()
    if (hint === 'cancelled' || hint === 'news') this.#options.onCancelled()
    if (hint === 'jobs') this.#loop.wake()
  }

  async #ask(): Promise<NextStep> {
    const { store, time } = this.#options
    this.#expectedDueAt = null
    const pulse = await time
      .observe(() => store.pulse())
      .catch((error: unknown) => {
        this.#options.onFailed()
        throw error
      })
    const { nextFireAt, nextDueAt, hasReady, withoutRetries } = pulse
    this.#options.onWithoutRetries(withoutRetries)
    this.#fireAlarm.set(nextFireAt)
    this.#delayAlarm.set(nextDueAt)
    // What was delayed while the store was asked may not be in its answer.
    const expected = this.#expectedDueAt as number | null
    if (expected !== null) this.#delayAlarm.setEarlier(expected)
    if (hasReady) this.#options.onReadyByPoll()
    return 'whenWoken'
  }
}

/** Calls at an instant of the store's time, not a millisecond earlier. */
class Alarm {
  readonly #env: Env
  readonly #time: StoreTime
  readonly #ring: () => void
  #at: number | null = null
  #cancel: CancelTimer = () => {}

  constructor(env: Env, time: StoreTime, ring: () => void) {
    this.#env = env
    this.#time = time
    this.#ring = ring
  }

  set(at: number | null): void {
    this.clear()
    this.#at = at
    if (at === null) return
    const inMs = at - this.#time.now()
    if (inMs <= 0) this.#ring()
    else this.#cancel = this.#env.after(inMs, () => this.set(at))
  }

  setEarlier(at: number): void {
    if (this.#at === null || at < this.#at) this.set(at)
  }

  clear(): void {
    this.#cancel()
    this.#at = null
  }
}

interface PromoterOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  /** Delayed executions may be claimed now, and another instant is next. */
  readonly onPromoted: () => void
}

const BATCH = 1_000

/** Makes delayed executions ready when they are due: executions that were enqueued for later, and executions that wait for a retry. */
export class Promoter extends Loop {
  constructor({ env, logger, store, onPromoted }: PromoterOptions) {
    super({
      name: 'promoter',
      env,
      logger,
      step: async () => {
        const count = await store.leases.promote(BATCH)
        onPromoted()
        return count === BATCH ? AT_ONCE : 'whenWoken'
      },
    })
  }
}
