import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Recovered } from '../../store/leases.ts'
import type { EngineStore } from '../../store/store.ts'
import type { Chains } from '../running/chains.ts'
import { emitFaulted } from '../running/outcome.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { Loop, type NextStep } from './loop.ts'
import type { StoreTime } from './store-time.ts'

export interface RecoveryOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  readonly time: StoreTime
  readonly telemetry: Telemetry
  readonly chains: Chains
  readonly checkMs: number
  /** How long nodes may take to renew their leases once a store that was away is back. */
  readonly renewalMs: number
  onRecovered(): void
}

const BATCH = 500
/** A recovery that takes longer to reach the store than this was stuck, as the renewals of the nodes may have been. */
const STUCK_MS = 2_000

/** Takes work from nodes that are gone and gives it to those that live. */
export class Recovery extends Loop {
  readonly #options: RecoveryOptions
  #patientUntil = 0

  constructor(options: RecoveryOptions) {
    const { env, logger, checkMs } = options
    super({ name: 'recovery', env, logger, everyMs: checkMs, step: () => this.#check() })
    this.#options = options
  }

  override start(): void {
    const { env, renewalMs } = this.#options
    // This node may start because the store is back: those that live renew first.
    this.#patientUntil = env.monotonic() + renewalMs
    super.start()
  }

  async #check(): Promise<NextStep> {
    const { store, env, renewalMs } = this.#options
    if (this.failures > 0) {
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
  deps: Pick<RecoveryOptions, 'store' | 'time' | 'logger' | 'telemetry' | 'chains'>,
  silentForMs: number | null,
): Promise<number> {
  const { store, time, logger } = deps
  let count = 0
  for (;;) {
    const notAfter = time.now() + STUCK_MS
    const recovered = await store.leases.recover({ silentForMs, notAfter, limit: BATCH })
    for (const each of recovered) await tellRecovered(deps, each)
    count += recovered.length
    if (recovered.length < BATCH) break
  }
  if (count > 0) logger.warn('Released stale executions', { count })
  return count
}

async function tellRecovered(
  { store, telemetry, chains, logger }: Pick<RecoveryOptions, 'store' | 'telemetry' | 'chains' | 'logger'>,
  recovered: Recovered,
): Promise<void> {
  const { executionId, jobType, jobId, tenant, attempt, nodeId, hasEnded, isUnspent } = recovered
  telemetry.tell('execution.recovered', { executionId, jobType, jobId, attempt, nodeId, hasEnded, isUnspent })
  if (!hasEnded) return
  try {
    await chains.recover(recovered)
  } catch (cause) {
    logger.error('What runs after a failure could not be started', { executionId, jobType, error: cause })
  }
  const error = 'The node that ran it stopped renewing its lease.'
  telemetry.tell('execution.failed', {
    executionId,
    jobType,
    jobId,
    tenant,
    attempt,
    status: 'FAILED',
    error,
    durationMs: 0,
  })
  if (jobId !== null) await emitFaulted(store, telemetry, { executionId, jobId, error })
}
