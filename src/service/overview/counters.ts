import { requirePermission } from '../../access/principal.ts'
import type { CountersView } from '../kpis/figure-views.ts'
import type { Scope } from '../scope.ts'

/** What happens now, in one question: whoever follows events asks it every second. */
export async function readCounters({ principal, tenant, store }: Scope): Promise<CountersView> {
  requirePermission(principal, 'jobs:read')
  const { RUNNING, QUEUED, WAITING } = await store.executions.count(tenant)
  return { running: RUNNING, queued: QUEUED, waiting: WAITING, workersUsed: RUNNING }
}
