import type { Statement } from '../../driver/driver.ts'
import type { SettingsChange, SettingsStore, StoredSettings, TenantSettings } from '../../settings.ts'
import { concurrencyFrom, concurrencyValue } from '../nodes/tenants.ts'
import { type Parts, storableJson } from '../parts.ts'
import { postEvents } from './notifications.ts'
import { writeAudit } from './write-audit.ts'

const findSettings: Statement = {
  name: 'findSettings',
  text: `
select
  settings,
  version,
  (select concurrency from pontual.tenants where name = tenant_settings.tenant) as concurrency
from pontual.tenant_settings
where tenant = $1::text`,
}

const putSettings: Statement = {
  name: 'putSettings',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
added as (
  insert into pontual.tenant_settings (tenant, settings, version, updated_at)
  select $2::text, $3::jsonb, 1, now
  from clock
  where $4::int = 0
  on conflict do nothing
  returning 1
),
changed as (
  update pontual.tenant_settings
  set
    settings = $3::jsonb,
    version = $4::int + 1,
    updated_at = (select now from clock)
  where tenant = $2::text
    and version = $4::int
    and $4::int > 0
  returning 1
)
select exists (select from added) or exists (select from changed) as "isStored"`,
}

// To change a limit waits for all claims under way: only where there is something to change.
const limitTenant: Statement = {
  name: 'limitTenant',
  text: `
select pontual.limit_tenants(array[$2::text], array[$3::int]), pg_notify('pontual', $1::text)
where (select concurrency from pontual.tenants where name = $2::text) is distinct from $3::int`,
}

interface SettingsRow {
  readonly settings: Omit<TenantSettings, 'concurrency'>
  readonly version: number
  readonly concurrency: number | null
}

export function settingsStore(parts: Parts): SettingsStore {
  return {
    async find(tenant) {
      const [row] = await parts.driver.query<SettingsRow>(findSettings, [tenant])
      return row ? settingsFrom(row) : null
    },
    put: (change) => put(parts, change),
  }
}

function settingsFrom({ settings, version, concurrency }: SettingsRow): StoredSettings {
  return { settings: { ...settings, concurrency: concurrencyFrom(concurrency) }, version }
}

function put({ driver, testTime }: Parts, change: SettingsChange): Promise<boolean> {
  const { tenant, settings, expectedVersion, audit, event } = change
  const { concurrency, ...others } = settings
  return driver.transaction(async (transaction) => {
    const values = [testTime(), tenant, storableJson(others), expectedVersion]
    const [row] = await transaction.query<{ isStored: boolean }>(putSettings, values)
    if (!row?.isStored) return false
    await transaction.query(limitTenant, ['ready', tenant, concurrencyValue(concurrency)])
    if (event) await postEvents(transaction, [event])
    if (audit) await writeAudit(transaction, [{ ...audit, tenant }], testTime())
    return true
  })
}
