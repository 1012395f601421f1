import type { AuditOperation, AuditValues } from '../../access/audit.ts'
import { isSameJson } from '../../job/execution/payload.ts'
import type { NotificationEvent } from '../../store/notifications.ts'
import type { PendingLoosening, StoredSettings, TenantSettings } from '../../store/settings.ts'
import { ConflictError, StaleVersionError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'
import { changedSecrets, viewOfWebhook, type WebhookView } from './webhooks.ts'

/** A loosening of the approval rules that a second Admin has not decided about yet. */
interface PendingView {
  readonly allowsSelfApproval: true
  readonly requestedBy: string
  readonly requestedAt: string
}

export type SettingsView = Omit<TenantSettings, 'webhooks' | 'pending'> & {
  readonly webhooks: readonly WebhookView[]
  readonly pending: PendingView | null
  readonly version: number
}

/** The settings as a command wants them, and what is reported about the change. */
export interface SettingsDecision {
  readonly operation: AuditOperation
  readonly settings: TenantSettings
  readonly facts?: AuditValues | undefined
  readonly event?: NotificationEvent | undefined
}

const TRIES = 5

/** Reads the settings, decides and stores the result with its audit entry; decides again if another request changed them meanwhile. */
export async function storeSettings(
  scope: Scope,
  expectedVersion: number | null,
  decide: (before: TenantSettings) => SettingsDecision,
): Promise<SettingsView> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { settings: before, version } = await scope.settings()
    if (expectedVersion !== null && expectedVersion !== version) throw stale(version, expectedVersion)
    const decision = decide(before)
    const isStored = await putDecision(scope, { settings: before, version }, decision)
    if (isStored === null) return viewOfSettings({ settings: before, version })
    // The tenant's concurrency may have changed.
    if (isStored) scope.opened.changed()
    if (isStored) return viewOfSettings(await scope.settings())
  }
  throw new ConflictError('settings.contended', 'The settings were changed by others again and again; try again.')
}

/** Returns null if nothing differs, false if the settings are of another version by now. */
async function putDecision(
  { store, tenant, by }: Scope,
  { settings: before, version }: StoredSettings,
  { operation, settings, facts, event }: SettingsDecision,
): Promise<boolean | null> {
  const changed = (Object.keys(settings) as (keyof TenantSettings)[]).filter(
    (name) => !isSameJson(before[name], settings[name]),
  )
  if (changed.length === 0) return null
  const oldValues = picked(before, changed)
  const newValues = {
    ...picked(settings, changed),
    ...changedSecrets(before.webhooks, settings.webhooks),
    ...facts,
  }
  const audit = { operation, userId: by.userId, jobId: null, executionId: null, oldValues, newValues }
  return await store.settings.put({ tenant, settings, expectedVersion: version, audit, event })
}

function picked(settings: TenantSettings, names: readonly (keyof TenantSettings)[]): AuditValues {
  const { version: _version, ...shown } = viewOfSettings({ settings, version: 0 })
  return Object.fromEntries(names.map((name) => [name, shown[name]]))
}

export function viewOfSettings({ settings, version }: StoredSettings): SettingsView {
  const { webhooks, pending } = settings
  return { ...settings, webhooks: webhooks.map(viewOfWebhook), pending: pending && viewOfPending(pending), version }
}

function viewOfPending({ allowsSelfApproval, requestedBy, requestedAt }: PendingLoosening): PendingView {
  return { allowsSelfApproval, requestedBy, requestedAt: wireInstant(requestedAt) }
}

function stale(version: number, expected: number): StaleVersionError {
  const message = `The settings were changed since: they are of version ${version}, not ${expected}. Read them again.`
  return new StaleVersionError('stale_version', message, { kind: 'settings', version, expected })
}
