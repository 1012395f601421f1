import type { SettingsChange, SettingsStore } from '../../settings.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export function settingsStore(session: Session): SettingsStore {
  return {
    find: (tenant) =>
      session.statement((tables) => {
        const row = tables.service.settings.get(tenant)
        if (!row) return null
        return { settings: { ...row.settings, concurrency: tables.tenants.own(tenant) }, version: row.version }
      }),
    put: (change) => session.statement((tables, now) => put(tables, change, now)),
  }
}

function put(tables: Tables, change: SettingsChange, now: number): boolean {
  const {
    tenant,
    settings: { concurrency, ...settings },
    expectedVersion,
    audit,
    event,
  } = change
  if ((tables.service.settings.get(tenant)?.version ?? 0) !== expectedVersion) return false
  tables.service.settings.put(frozenCopy({ tenant, settings, version: expectedVersion + 1 }))
  if (event) tables.service.notifications.post([event])
  if (audit) tables.audit.write({ ...audit, tenant }, now)
  if (concurrency === tables.tenants.own(tenant)) return true
  tables.tenants.meet([tenant])
  tables.tenants.limit(tenant, concurrency)
  tables.hint('ready')
  return true
}
