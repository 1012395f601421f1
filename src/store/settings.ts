import type { AuditDraft } from '../access/audit.ts'
import type { NotificationEvent, NotificationKind } from './notifications.ts'
import type { TenantConcurrency } from './tenants.ts'

/** What a tenant has settled for itself. */
export interface TenantSettings {
  /** Who is told of failures. */
  readonly adminAddresses: readonly string[]
  /** What is told by mail. */
  readonly mailEvents: readonly NotificationKind[]
  /** For so long what happens is gathered into one mail; 0: each is told by itself, at once. */
  readonly digestMinutes: number
  readonly language: 'pt-BR' | 'en'
  /** How many of its executions may run at once; null: the default of the service. */
  readonly concurrency: TenantConcurrency
  /** Whether whoever scheduled a sensitive job may approve it himself. */
  readonly allowsSelfApproval: boolean
  /** Whether a cron expression may have a field of seconds. */
  readonly allowsSeconds: boolean
  readonly webhooks: readonly Webhook[]
  /** A loosening of an approval rule that a second Admin has not decided about yet. */
  readonly pending: PendingLoosening | null
}

/** An approval rule as an Admin wants it, where that asks less of people than the current one. */
export interface PendingLoosening {
  readonly allowsSelfApproval: true
  readonly requestedBy: string
  /** The people behind the request, the owner of an API key included; none of them can be the second Admin. */
  readonly persons: readonly string[]
  readonly requestedAt: number
}

export interface Webhook {
  /** Stays when its address changes. */
  readonly id: string
  readonly url: string
  /** What it is told; all there is where it names nothing. */
  readonly events: readonly NotificationKind[]
  /** What is sent to it is signed with this. */
  readonly secret: string
}

export interface SettingsStore {
  /** null: none were ever stored. */
  find(tenant: string): Promise<StoredSettings | null>
  /** Stores them if they still are of the version that was seen (0: none were stored), together with the tenant's concurrency, the entry and the event. False where they are not. */
  put(change: SettingsChange): Promise<boolean>
}

export interface StoredSettings {
  readonly settings: TenantSettings
  readonly version: number
}

export interface SettingsChange {
  readonly tenant: string
  readonly settings: TenantSettings
  readonly expectedVersion: number
  readonly audit?: AuditDraft | undefined
  readonly event?: NotificationEvent | undefined
}
