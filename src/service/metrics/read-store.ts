import { DAY_MS } from '../../duration.ts'
import type { App } from '../../engine/app/app.ts'
import { nextMinute } from '../kpis/kpi.ts'
import type { StoreFigures } from './store-metrics.ts'

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
