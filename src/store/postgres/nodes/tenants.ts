import type { Statement } from '../../driver/driver.ts'
import type { LimitStore, TenantConcurrency, TenantLimitStore, TenantRecord } from '../../tenants.ts'
import type { Parts } from '../parts.ts'

const limitTenants: Statement = {
  name: 'limitTenants',
  text: `
select pontual.limit_tenants($2::text[], $3::int[]), pg_notify('pontual', $1::text)`,
}

const limitOthers: Statement = {
  name: 'limitOthers',
  text: `
select pontual.limit_other_tenants($2::int), pg_notify('pontual', $1::text)`,
}

const listTenants: Statement = {
  name: 'listTenants',
  text: `
with common as materialized (
  select (select value::int from pontual.settings where name = 'tenantConcurrency') as concurrency
),
running as materialized (
  select pontual.tenant_of(lane) as tenant, count(*)::int as running
  from pontual.leases
  group by 1
)
select
  tenants.name as tenant,
  tenants.concurrency,
  nullif(coalesce(tenants.concurrency, common.concurrency, -1), -1) as limit,
  coalesce(running.running, 0) as running
from pontual.tenants
cross join common
left join running on running.tenant = tenants.id
where $2::text is null
  or tenants.name > $2::text
order by tenants.name
limit $1::int`,
}

const findLargestLimit: Statement = {
  name: 'findLargestLimit',
  text: `
select nullif(greatest(max(concurrency), (select value::int from pontual.settings where name = 'tenantConcurrency')), -1) as limit
from pontual.tenants`,
}

const UNLIMITED = -1

export function tenantLimitStore(parts: Parts): TenantLimitStore {
  const { driver } = parts
  return {
    async limit(limits) {
      // The last word counts.
      const distinct = [...new Map(limits.map((each) => [each.tenant, each])).values()]
      if (distinct.length === 0) return
      await driver.query(limitTenants, [
        'ready',
        distinct.map(({ tenant }) => tenant),
        distinct.map(({ concurrency }) => concurrencyValue(concurrency)),
      ])
    },

    async list({ limit, after }) {
      const rows = await driver.query<TenantRecord & { readonly concurrency: number | null }>(listTenants, [
        Math.max(0, limit),
        after ?? null,
      ])
      return rows.map((row) => ({ ...row, concurrency: concurrencyFrom(row.concurrency) }))
    },
  }
}

export function limitStore(parts: Parts): LimitStore {
  const { driver } = parts
  return {
    ...tenantLimitStore(parts),
    async limitOthers(concurrency) {
      await driver.query(limitOthers, ['ready', concurrency])
    },

    async largestLimit() {
      const [row] = await driver.query<{ readonly limit: number | null }>(findLargestLimit)
      return row?.limit ?? null
    },
  }
}

export function concurrencyValue(concurrency: TenantConcurrency): number | null {
  return concurrency === 'unlimited' ? UNLIMITED : concurrency
}

export function concurrencyFrom(value: number | null): TenantConcurrency {
  return value === UNLIMITED ? 'unlimited' : value
}
