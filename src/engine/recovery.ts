import type { CancelTimer, Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { Loop, type NextStep } from './loop.ts'
import type { Service } from './service.ts'
import type { Telemetry } from './telemetry.ts'

export interface RecoveryOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
  readonly telemetry: Telemetry
  readonly checkMs: number
  /** How long nodes may take to renew their leases once a store that was away is back. */
  readonly renewalMs: number
  onRecovered(): void
}

const BATCH = 500

/** Takes work from nodes that are gone and gives it to those that live. */
export class Recovery implements Service {
  readonly #options: RecoveryOptions
  readonly #loop: Loop
  #stopTimer: CancelTimer = () => {}
  #patientUntil = 0

  constructor(options: RecoveryOptions) {
    this.#options = options
    const { env, logger } = options
    this.#loop = new Loop({ name: 'recovery', env, logger, step: () => this.#check() })
  }

  start(): void {
    const { env, checkMs } = this.#options
    this.#stopTimer = env.every(checkMs, () => this.#loop.wake())
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#stopTimer()
    await this.#loop.stop()
  }

  async #check(): Promise<NextStep> {
    const { store, env, renewalMs } = this.#options
    if (this.#loop.failures > 0) {
      await store.nodes.countStale()
      // While the store was away no node could renew its lease. Those that live do so first.
      this.#patientUntil = env.monotonic() + 2 * renewalMs
    }
    const inMs = this.#patientUntil - env.monotonic()
    if (inMs > 0) return { inMs }
    if ((await releaseStale(this.#options, null)) > 0) this.#options.onRecovered()
    return 'whenWoken'
  }
}

/** Takes what nodes hold that are gone. Returns how many executions. */
export async function releaseStale(
  { store, logger, telemetry }: Pick<RecoveryOptions, 'store' | 'logger' | 'telemetry'>,
  silentForMs: number | null,
): Promise<number> {
  let count = 0
  for (;;) {
    const recovered = await store.leases.recover({ silentForMs, limit: BATCH })
    for (const { executionId, jobType, jobId, attempt, nodeId, hasEnded } of recovered) {
      telemetry.tell('execution.recovered', { executionId, jobType, jobId, attempt, nodeId, hasEnded })
    }
    count += recovered.length
    if (recovered.length < BATCH) break
  }
  if (count > 0) logger.warn('Released stale executions', { count })
  return count
}
