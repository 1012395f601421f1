import { requirePermission } from '../../access/principal.ts'
import { requireDashboard } from '../administration/flags.ts'
import { openAlerts } from '../alerts/list-alerts.ts'
import { readTenant } from '../jobs/commands/run-job.ts'
import { successRate } from '../jobs/questions/describe-statistics.ts'
import { readFigures, USUAL_HOURS, viewOfKpis, viewOfPunctuality } from '../kpis/read-kpis.ts'
import type { DashboardView } from '../overview-answers.ts'
import type { LanguageQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'

const SHOWN_ALERTS = 50

/** What happens now, and how the last day went. */
export async function readDashboard(scope: Scope, { language = 'en' }: LanguageQuery = {}): Promise<DashboardView> {
  requirePermission(scope.principal, 'jobs:viewDashboard')
  await requireDashboard(scope)
  const { tenant, store, engineStore } = scope
  const [counts, oldestAt, jobs, figures, own, nodes, alerts] = await Promise.all([
    store.executions.count(tenant),
    store.executions.oldestQueuedAt(tenant),
    store.jobs.count(tenant),
    readFigures(scope, USUAL_HOURS),
    readTenant(scope),
    engineStore.nodes.list(),
    openAlerts(scope, language, SHOWN_ALERTS),
  ])
  const { succeeded, failed, timedOut, cancelled, retried, meanDurationMs, meanQueueMs } = figures.measures
  const ended = succeeded + failed + timedOut + cancelled
  const alive = nodes.filter(({ isAlive }) => isAlive)
  return {
    running: counts.RUNNING,
    queued: counts.QUEUED,
    waiting: counts.WAITING,
    workers: { used: own.running, maximum: own.limit },
    queue: { oldestWaitMs: oldestAt === null ? null : Math.max(0, scope.now() - oldestAt) },
    jobs,
    last24Hours: {
      successRate: successRate(figures.measures),
      succeeded,
      failed,
      timedOut,
      cancelled,
      meanDurationMs,
      meanQueueMs,
      retryRate: ended === 0 ? null : retried / ended,
    },
    nodes: { alive: alive.length, slots: alive.reduce((sum, { slots }) => sum + slots, 0) },
    alerts,
    metrics: {
      executionsRunning: counts.RUNNING,
      workersUsed: own.running,
      executionsQueued: counts.QUEUED,
      successRate: successRate(figures.measures),
      meanDurationMs,
      consecutiveFailures: figures.measures.consecutiveFailures,
    },
    kpis: viewOfKpis(figures, USUAL_HOURS, language),
    punctuality: viewOfPunctuality(figures.measures, USUAL_HOURS),
  }
}
