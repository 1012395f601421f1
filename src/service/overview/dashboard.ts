import { requirePermission } from '../../access/principal.ts'
import type { DashboardView } from '../answers.ts'
import { successRate } from '../jobs/describe-statistics.ts'
import { readTenant } from '../jobs/run-job.ts'
import type { Scope } from '../scope.ts'

const DAY_MS = 86_400_000
/** A day of a busy tenant may have more; then the newest tell. */
const COUNTED = 100_000

/** What happens now, and how the last day went. */
export async function readDashboard(scope: Scope): Promise<DashboardView> {
  requirePermission(scope.principal, 'jobs:viewDashboard')
  const { tenant, store, opened } = scope
  const [counts, jobs, statistics, own, nodes] = await Promise.all([
    store.executions.count(tenant),
    store.jobs.count(tenant),
    store.executions.statistics({ tenant, since: scope.now() - DAY_MS, limit: COUNTED }),
    readTenant(scope),
    opened.store.nodes.list(),
  ])
  const { succeeded, failed, timedOut, cancelled, retried, meanDurationMs, meanQueueMs } = statistics
  const ended = succeeded + failed + timedOut + cancelled
  const alive = nodes.filter(({ isAlive }) => isAlive)
  return {
    running: counts.RUNNING,
    queued: counts.QUEUED,
    waiting: counts.WAITING,
    workers: { used: own.running, maximum: own.limit },
    jobs,
    last24Hours: {
      successRate: successRate(statistics),
      succeeded,
      failed,
      timedOut,
      cancelled,
      meanDurationMs,
      meanQueueMs,
      retryRate: ended === 0 ? null : retried / ended,
    },
    nodes: { alive: alive.length, slots: alive.reduce((sum, { slots }) => sum + slots, 0) },
  }
}
