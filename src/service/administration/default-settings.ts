import type { StoredSettings, TenantSettings } from '../../store/settings.ts'
import type { EngineStore } from '../../store/store.ts'

/** What holds for a tenant that has settled nothing. */
export const DEFAULT_SETTINGS: TenantSettings = Object.freeze({
  adminAddresses: Object.freeze([]),
  mailEvents: Object.freeze([
    'job.failed',
    'alert.opened',
    'alert.closed',
    'scheduler.unavailable',
    'schedule.refused',
  ] as const),
  digestMinutes: 0,
  language: 'pt-BR',
  concurrency: null,
  allowsSelfApproval: false,
  allowsSeconds: false,
  webhooks: Object.freeze([]),
  pending: null,
})

/** What holds for a tenant; what it has not settled is as for all. */
export async function settingsOf({ settings }: Pick<EngineStore, 'settings'>, tenant: string): Promise<StoredSettings> {
  const found = await settings.find(tenant)
  if (!found) return { settings: DEFAULT_SETTINGS, version: 0 }
  return { settings: { ...DEFAULT_SETTINGS, ...found.settings }, version: found.version }
}
