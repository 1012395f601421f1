import { requirePermission } from '../../access/principal.ts'
import { DAY_MS } from '../../duration.ts'
import { requireDashboard } from '../administration/flags.ts'
import { openAlerts } from '../alerts/list-alerts.ts'
import { readTenant } from '../jobs/commands/run-job.ts'
import { successRate } from '../jobs/questions/describe-statistics.ts'
import type { CountersView } from '../kpis/figure-views.ts'
import { readFigures, USUAL_HOURS, viewOfKpis, viewOfPunctuality } from '../kpis/read-kpis.ts'
import type { DashboardView, ManifestView, WorkersView } from '../overview-answers.ts'
import type { LanguageQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'

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

/** What happens now, in one question: whoever follows events asks it every second. */
export async function readCounters({ principal, tenant, store }: Scope): Promise<CountersView> {
  requirePermission(principal, 'jobs:read')
  const { RUNNING, QUEUED, WAITING } = await store.executions.count(tenant)
  return { running: RUNNING, queued: QUEUED, waiting: WAITING, workersUsed: RUNNING }
}

/** The nodes that run executions, what of the tenant waits for them, and how many of it may run at once. */
export async function readWorkers(scope: Scope): Promise<WorkersView> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, engineStore } = scope
  const [nodes, counts, queues, { running, limit }] = await Promise.all([
    engineStore.nodes.list(),
    store.executions.count(tenant),
    store.executions.queues(tenant),
    readTenant(scope),
  ])
  return {
    nodes: nodes.map((node) => ({
      id: node.id,
      name: node.name,
      slots: node.slots,
      connections: node.connections,
      running: node.running,
      queues: node.queues,
      isAlive: node.isAlive,
      startedAt: wireInstant(node.startedAt),
      renewedAt: wireInstant(node.renewedAt),
    })),
    running,
    queued: counts.QUEUED,
    queues,
    cap: limit,
  }
}

const COUNTED = 100_000

/** The record by which a portal registers the feature, as it was agreed with it: its words are in its own language. */
const RECORD = {
  rfId: 'RF-112',
  nome: 'Jobs e Tarefas Agendadas',
  categoria: 'Automação e Background',
  descricao: 'Sistema de agendamento, execução e monitoramento de jobs em background',
  icone: 'schedule',
  rota: '/jobs',
  permissaoRequerida: 'jobs:read',
  isSystemFeature: true,
  dependencias: ['RF-004', 'RF-013', 'RF-066'],
  tags: ['jobs', 'scheduling', 'background', 'automation', 'hangfire'],
  menu: {
    modulo: 'Service Desk',
    submenu: 'Automação',
    item: 'Jobs e Tarefas Agendadas',
    ordem: 40,
    visivelSe: 'jobs:read',
  },
} as const satisfies Omit<ManifestView, 'metricas' | 'habilitadoPorPadrao'>

/** The record with figures of now: the rate of success is that of the last day, in percent. */
export async function readManifest(scope: Scope): Promise<ManifestView> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store } = scope
  const [defaults, jobs, statistics, own] = await Promise.all([
    store.flags.read(null),
    store.jobs.count(tenant),
    store.executions.statistics({ tenant, since: scope.now() - DAY_MS, limit: COUNTED }),
    readTenant(scope),
  ])
  const percent = Math.round((successRate(statistics) ?? 0) * 1_000) / 10
  return {
    ...RECORD,
    habilitadoPorPadrao: defaults.JOBS_SCHEDULING.isEnabled,
    metricas: {
      jobsAtivos: (jobs.ACTIVE ?? 0) + (jobs.APPROVED ?? 0),
      taxaSucesso: percent,
      workersUtilizados: own.running,
    },
  }
}
