import type { Env } from '../../clock.ts'
import type { PunctualityReport } from '../running/punctuality.ts'

/** `degraded`: nodes have died with work that nobody has taken yet. `unhealthy`: the store does not answer, or the scheduler does not run. */
export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy'

/** Whether all is well with a node, and the figures that say so. */
export interface Health {
  readonly status: HealthStatus
  /** Why it is not healthy, in words; null when it is. */
  readonly reason: string | null
  readonly isRunning: boolean
  /** Executions held by nodes that are gone; null when the store does not answer. */
  readonly stale: number | null
  /** How long the store took to answer; null when it did not. */
  readonly storageLatencyMs: number | null
  readonly slots: number
  readonly running: number
  /** How far the store's clock is ahead of this machine's. */
  readonly clockOffsetMs: number
  readonly punctuality: PunctualityReport
}

const STOPPING = 'The node is stopping.'

/** What is known without asking the store. */
export type KnownHealth = Omit<Health, 'status' | 'reason' | 'stale' | 'storageLatencyMs'> & {
  readonly isStopping: boolean
}

export async function checkHealth(
  env: Env,
  countStale: () => Promise<number>,
  { isStopping, ...known }: KnownHealth,
): Promise<Health> {
  if (isStopping) return { ...known, status: 'unhealthy', reason: STOPPING, stale: null, storageLatencyMs: null }
  const askedAt = env.monotonic()
  try {
    const stale = await countStale()
    const measured = { stale, storageLatencyMs: Math.round((env.monotonic() - askedAt) * 100) / 100 }
    if (!known.isRunning) return { ...known, ...measured, status: 'unhealthy', reason: 'The scheduler does not run.' }
    if (stale === 0) return { ...known, ...measured, status: 'healthy', reason: null }
    const reason = `Executions held by nodes that are gone: ${stale}.`
    return { ...known, ...measured, status: 'degraded', reason }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ...known, status: 'unhealthy', reason, stale: null, storageLatencyMs: null }
  }
}

/** The health of an application that could not open its store. */
export function unopened(slots: number, error: unknown, punctuality: PunctualityReport): Health {
  return {
    status: 'unhealthy',
    reason: error instanceof Error ? error.message : String(error),
    isRunning: false,
    stale: null,
    storageLatencyMs: null,
    slots,
    running: 0,
    clockOffsetMs: 0,
    punctuality,
  }
}
