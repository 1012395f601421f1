import type { App } from '../../engine/app/app.ts'
import type { Health } from '../../engine/app/health.ts'
import type { Pontual } from '../../pontual.ts'

/** How this process and what it belongs to are. */
export interface ServiceHealth extends Health {
  /** Nodes that live, in whatever process; null where the store does not answer. */
  readonly nodes: number | null
}

/**
 * The health of an application that is asked over HTTP. One that runs no node itself, as a process for the API alone, is well as long as some other does. What
 * a store says about itself is for the logs.
 */
export async function readHealth(app: Pontual): Promise<ServiceHealth> {
  const health = await app.health()
  if (app.isStopping) return { ...health, nodes: null }
  if (health.stale === null) return { ...health, nodes: null, reason: 'Storage does not answer.' }
  try {
    const opened = await app.opened()
    const nodes = await countAlive(opened)
    return { ...(opened.isStarted || nodes === 0 ? health : asOnlooker(health, health.stale)), nodes }
  } catch {
    return { ...health, status: 'unhealthy', reason: 'Storage does not answer.', nodes: null }
  }
}

async function countAlive({ store }: App): Promise<number> {
  return (await store.nodes.list()).filter(({ isAlive }) => isAlive).length
}

function asOnlooker(health: Health, stale: number): Health {
  if (stale === 0) return { ...health, status: 'healthy', reason: null }
  return { ...health, status: 'degraded', reason: `Executions held by nodes that are gone: ${stale}.` }
}
