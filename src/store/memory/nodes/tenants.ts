import type { LimitStore } from '../../tenants.ts'
import { compareText } from '../schema/compare.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export function limitStore(session: Session): LimitStore {
  return {
    limit: (limits) =>
      session.statement((tables) => {
        tables.tenants.meet(limits.map(({ tenant }) => tenant))
        for (const { tenant, concurrency } of limits) tables.tenants.limit(tenant, concurrency)
        if (limits.length > 0) tables.hint('ready')
      }),
    limitOthers: (concurrency) =>
      session.statement((tables) => {
        tables.tenants.common = concurrency
        tables.hint('ready')
      }),
    largestLimit: () =>
      session.statement(({ tenants }) => {
        const limits = [tenants.common, ...[...tenants.names].map((name) => tenants.limitOf(name))]
        const known = limits.filter((each) => each !== null)
        return known.length === 0 ? null : Math.max(...known)
      }),
    list: ({ limit, after }) =>
      session.statement((tables) =>
        [...tables.tenants.names]
          .filter((name) => after === undefined || compareText(name, after) > 0)
          .toSorted(compareText)
          .slice(0, Math.max(0, limit))
          .map((tenant) => ({
            tenant,
            concurrency: tables.tenants.own(tenant),
            limit: tables.tenants.limitOf(tenant),
            running: runningOf(tables, tenant),
          })),
      ),
  }
}

/** How many more of a tenant may run: none while it is suspended. */
export function roomOf(tables: Tables, tenant: string): number {
  if (!tables.flags.isOn(tenant, 'JOBS_SCHEDULING')) return 0
  const limit = tables.tenants.limitOf(tenant)
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - runningOf(tables, tenant))
}

function runningOf(tables: Tables, tenant: string): number {
  return tables.leasesByTenant.group(tenant)?.size ?? 0
}
