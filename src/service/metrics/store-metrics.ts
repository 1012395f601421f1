import { DAY_MS } from '../../duration.ts'
import type { App } from '../../engine/app/app.ts'
import type { NodeRecord } from '../../store/nodes.ts'
import type { Connections } from '../../store/store.ts'
import { successRate } from '../jobs/questions/describe-statistics.ts'
import { isMet, KPI_KEYS, KPIS, type KpiFigures, type KpiKey, nextMinute } from '../kpis/kpi.ts'
import { gauge, gaugeBy, type MetricFamily } from './family.ts'

const MEASURED = 100_000

/** Of so many tenants it is told how many of their executions run. */
const MOST_TENANTS = 100

const LISTED_TENANTS = 1_000

/** What metrics of a store are made of: of a tenant, or of all of them (null). */
export async function readStoreFigures(opened: App, tenant: string | null): Promise<StoreFigures> {
  const store = tenant === null ? opened.store : opened.store.forTenant(tenant)
  const until = opened.deps.time.now()
  const since = until - DAY_MS
  const [measures, minutes, counts, tenants, nodes, notifications, recoveries] = await Promise.all([
    store.executions.measure({ tenant, since, limit: MEASURED }),
    store.minutes.count(nextMinute(since)),
    tenant === null ? store.executions.count() : store.executions.count(tenant),
    store.tenants.list({ limit: LISTED_TENANTS }),
    store.nodes.list(),
    store.notifications.summary(tenant, since),
    store.alerts.recoveries(tenant, since),
  ])
  const slots = nodes.filter(({ isAlive }) => isAlive).reduce((sum, node) => sum + node.slots, 0)
  const limit = tenant === null ? null : (tenants.find((each) => each.tenant === tenant)?.limit ?? null)
  return {
    since,
    until,
    measures,
    minutes,
    counts,
    nodes,
    notifications,
    workers: limit ?? slots,
    meanRecoveryMs: recoveries.meanMs,
    tenants: tenants.toSorted((a, b) => b.running - a.running).slice(0, MOST_TENANTS),
  }
}

/** What metrics of a store are made of: of a tenant, or of all of them. */
export interface StoreFigures extends KpiFigures {
  readonly counts: Readonly<Record<'QUEUED' | 'WAITING' | 'RUNNING' | 'DIVERGED', number>>
  /** Those of whom it is told, and how many of each run and may. */
  readonly tenants: readonly { readonly tenant: string; readonly running: number; readonly limit: number | null }[]
  readonly nodes: readonly NodeRecord[]
}

/** The six metrics of what happens, the KPIs and punctuality, of the last 24 hours. */
export function familiesOfStore(figures: StoreFigures): readonly MetricFamily[] {
  const { counts, measures, tenants, nodes } = figures
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const { lateness } = measures
  return [
    gauge('pontual_executions_running', 'Executions that run now.', counts.RUNNING),
    gaugeBy(
      'pontual_workers_used',
      'Executions that run now, by tenant; the tenants with the most.',
      'tenant',
      tenants.map(({ tenant, running }) => [tenant, running]),
    ),
    gaugeBy(
      'pontual_workers_maximum',
      'Executions that may run at once, by tenant; those without a limit are left out.',
      'tenant',
      tenants.map(({ tenant, limit }) => [tenant, limit]),
    ),
    gauge('pontual_executions_queued', 'Executions that wait for a worker, or for their time.', counts.QUEUED),
    gauge('pontual_executions_waiting', 'Executions that wait for others, or for something to come.', counts.WAITING),
    gauge(
      'pontual_success_ratio',
      'Executions that succeeded, of those that ended within 24 hours.',
      successRate(measures),
    ),
    gauge(
      'pontual_mean_duration_seconds',
      'How long executions took that ended within 24 hours.',
      seconds(measures.meanDurationMs),
    ),
    gauge(
      'pontual_consecutive_failures',
      'Executions that failed since the last that succeeded, within 24 hours.',
      measures.consecutiveFailures,
    ),
    gauge('pontual_nodes_alive', 'Nodes that live.', alive.length),
    gauge(
      'pontual_slots',
      'Executions that the nodes that live can run at once.',
      alive.reduce((sum, { slots }) => sum + slots, 0),
    ),
    gaugeBy('pontual_lateness_seconds', 'How late occurrences started that ended within 24 hours.', 'quantile', [
      ['0.5', seconds(lateness.p50Ms)],
      ['0.95', seconds(lateness.p95Ms)],
      ['0.99', seconds(lateness.p99Ms)],
      ['1', seconds(lateness.maxMs)],
    ]),
    ...familiesOfKpis(figures),
  ]
}

function familiesOfKpis(figures: KpiFigures): readonly MetricFamily[] {
  const values = KPI_KEYS.map((key) => [key, KPIS[key].measure(figures)] as const)
  const bounds = (of: (key: KpiKey) => number | undefined) => KPI_KEYS.map((key) => [key, of(key) ?? null] as const)
  return [
    gaugeBy(
      'pontual_kpi',
      'KPIs of the last 24 hours, in percent, seconds or minutes as docs/how-to/operate.md says.',
      'kpi',
      values,
    ),
    gaugeBy(
      'pontual_kpi_target_min',
      'What a KPI should be at least.',
      'kpi',
      bounds((key) => KPIS[key].target.min),
    ),
    gaugeBy(
      'pontual_kpi_target_max',
      'What a KPI should be at most.',
      'kpi',
      bounds((key) => KPIS[key].target.max),
    ),
    gaugeBy(
      'pontual_kpi_met',
      '1 where a KPI is as it should be, 0 where it is not.',
      'kpi',
      values.map(([key, value]) => [key, asNumber(isMet(value, KPIS[key].target))]),
    ),
  ]
}

export function familiesOfConnections(connections: Omit<Connections, 'isPooled'> | null): readonly MetricFamily[] {
  if (connections === null) return []
  const { most, open, idle, waiting } = connections
  return [
    gaugeBy('pontual_store_connections', 'Connections to the database, and who waits for one.', 'state', [
      ['open', open],
      ['idle', idle],
      ['waiting', waiting],
    ]),
    gauge('pontual_store_connections_maximum', 'Connections to the database that this process opens at most.', most),
  ]
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1_000
}

function asNumber(is: boolean | null): number | null {
  return is === null ? null : Number(is)
}

/** The same families, of a store in which there is nothing. */
export function emptyFamilies(): readonly MetricFamily[] {
  return [...familiesOfStore(NOTHING), ...familiesOfConnections({ most: 0, open: 0, idle: 0, waiting: 0 })]
}

const NOTHING: StoreFigures = {
  since: 0,
  until: 0,
  measures: {
    now: 0,
    measuredSince: 0,
    succeeded: 0,
    failed: 0,
    timedOut: 0,
    cancelled: 0,
    retried: 0,
    consecutiveFailures: 0,
    meanDurationMs: null,
    meanQueueMs: null,
    busyMs: 0,
    lateness: { count: 0, onTime: 0, p50Ms: null, p95Ms: null, p99Ms: null, maxMs: null },
  },
  workers: null,
  meanRecoveryMs: null,
  minutes: { now: 0, firstAt: null, marked: 0 },
  notifications: { failures: 0, told: 0, suppressed: 0 },
  counts: { QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 },
  tenants: [],
  nodes: [],
}
