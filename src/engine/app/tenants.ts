import { requireName } from '../../job/name.ts'
import type { EngineStore } from '../../store/store.ts'
import type { TenantConcurrency, TenantFilter, TenantRecord } from '../../store/tenants.ts'
import { requireInteger, requireOptions } from '../../time/require.ts'

/** What holds for one tenant. */
export interface TenantOptions {
  /** How many of its executions may run at once, over all nodes: a number, `unlimited`, or null for the default of all tenants. */
  readonly concurrency: TenantConcurrency
}

const MAX_CONCURRENCY = 100_000
const MAX_TENANTS = 1_000

export function requireConcurrency(value: unknown, name: string): number {
  return requireInteger(value, name, 0, MAX_CONCURRENCY)
}

/** Changes what holds for a tenant. What runs already goes on, and counts. */
export async function setTenant(store: EngineStore, name: string, options: TenantOptions): Promise<void> {
  const tenant = requireName(name, 'tenant')
  const { concurrency } = requireOptions(options, `Tenant "${tenant}"`, ['concurrency'])
  const isNumber = concurrency !== null && concurrency !== 'unlimited'
  await store.tenants.limit([
    { tenant, concurrency: isNumber ? requireConcurrency(concurrency, 'concurrency') : concurrency },
  ])
}

export async function listTenants(store: EngineStore, filter: Partial<TenantFilter>): Promise<TenantRecord[]> {
  const { limit = MAX_TENANTS, after } = requireOptions(filter, 'Tenant filter', ['limit', 'after'])
  return await store.tenants.list({ limit: requireInteger(limit, 'limit', 1, MAX_TENANTS), after })
}
