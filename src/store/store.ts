import type { Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { AlertStore, TenantAlertStore } from './alerts.ts'
import type { ArchiveStore } from './archive.ts'
import type { AuditStore } from './audit.ts'
import type { CacheStore } from './cache.ts'
import type { CalendarStore } from './calendars.ts'
import type { ContentStore, TenantContentStore } from './contents.ts'
import type { CredentialStore } from './credentials.ts'
import type { DataKeyStore } from './data-keys.ts'
import type { ExecutionStore } from './executions.ts'
import type { FlagStore, TenantFlagStore, TenantSet } from './flags.ts'
import type { HistoryStore, TenantHistoryStore } from './histories.ts'
import type { JobStore } from './jobs.ts'
import type { LeaseStore } from './leases.ts'
import type { LogStore, TenantLogStore } from './logs.ts'
import type { MinuteStore, TenantMinuteStore } from './minutes.ts'
import type { NodeStore, TenantNodeStore } from './nodes.ts'
import type { NotificationStore, TenantNotificationStore } from './notifications.ts'
import type { OccurrenceStore } from './occurrences.ts'
import type { RateStore } from './rates.ts'
import type { RequestStore } from './requests.ts'
import type { Sealing } from './sealing.ts'
import type { SettingsStore } from './settings.ts'
import type { LimitStore, TenantLimitStore } from './tenants.ts'

/**
 * The part of a store that belongs to one tenant: every verb, also one that names no tenant, finds, changes and creates only data of that tenant. It has no
 * verb that only a node may call.
 */
export interface TenantStore {
  readonly jobs: JobStore
  readonly calendars: CalendarStore
  readonly occurrences: OccurrenceStore
  readonly executions: ExecutionStore
  readonly histories: TenantHistoryStore
  readonly logs: TenantLogStore
  readonly nodes: TenantNodeStore
  readonly minutes: TenantMinuteStore
  readonly tenants: TenantLimitStore
  readonly cache: CacheStore
  readonly audit: AuditStore
  readonly settings: SettingsStore
  readonly flags: TenantFlagStore
  readonly credentials: CredentialStore
  readonly requests: RequestStore
  readonly contents: TenantContentStore
  readonly notifications: TenantNotificationStore
  readonly alerts: TenantAlertStore
}

/**
 * A store as the engine uses it: one small interface per noun, for all tenants. Every verb is one statement, takes and returns arrays, and is atomic; anything
 * may happen between two verbs. Time is the store's, so that nodes with wrong clocks agree; results that depend on it carry it as `now`.
 */
export interface EngineStore extends TenantStore {
  readonly histories: HistoryStore
  readonly logs: LogStore
  readonly nodes: NodeStore
  readonly minutes: MinuteStore
  readonly tenants: LimitStore
  readonly flags: FlagStore
  readonly contents: ContentStore
  readonly notifications: NotificationStore
  readonly alerts: AlertStore
  readonly leases: LeaseStore
  readonly rates: RateStore
  readonly archive: ArchiveStore
  readonly dataKeys: DataKeyStore
  /** Encrypts what is stored; null if contents are stored as they are. */
  readonly sealing: Sealing | null
  /** The part of this store that belongs to one tenant. Cheap to create; there is nothing to close. */
  forTenant(tenant: string): TenantStore
  /**
   * What the administrator of a database has to do, as SQL, before it keeps tenants apart by itself; until then `forTenant` does so by reading rows first. null
   * where there is nothing to do.
   */
  readonly isolationRemedy: string | null
  /** Whether there is such a thing, of whatever tenant: the only question that may look over the fence. */
  exists(kind: 'job' | 'execution' | 'apiKey', id: string): Promise<boolean>
  /** What there is to do, and when; cheap enough to be asked every second. */
  pulse(): Promise<Pulse>
  /** Calls when another node may have made work. Only a hint: it may be late, doubled, or never come. Returns how to stop. */
  listen(onHint: (hint: Hint) => void): () => void
  /** Keeps storage in shape: makes room for the months to come, removes cached results, rates, sessions and requests that are over. To be called now and then. */
  maintain(): Promise<void>
  /** How many connections to a server there are, and how many wait for one; null where the store has none. */
  connections(): Connections | null
  /** Waits for what is under way and lets go of every connection. */
  close(): Promise<void>
}

/**
 * `ready`: something may be claimed. `jobs`: something may be due earlier than thought. `cancelled`: a running execution was ended. `news`: something has come
 * for a durable execution that someone holds.
 */
export type Hint = 'ready' | 'jobs' | 'cancelled' | 'news'

export interface Pulse {
  readonly now: number
  /** When the next job that fires by itself is due. */
  readonly nextFireAt: number | null
  /** When the next delayed execution is due. */
  readonly nextDueAt: number | null
  /** Whether anything waits to be claimed, by whatever node. */
  readonly hasReady: boolean
  /** Whose failed attempts are not tried again. */
  readonly withoutRetries: TenantSet
}

/** Connections of this process to a server. */
export interface Connections {
  /** How many there may be: those of both pools, the one that listens and the one that renews the node's lease. */
  readonly most: number
  /** A pooler is in front of the server, so they are not the server's own. */
  readonly isPooled: boolean
  readonly open: number
  readonly idle: number
  /** Who waits for one. */
  readonly waiting: number
}

/** What a store is given when it is opened. */
export interface StoreSurroundings {
  readonly env: Env
  readonly logger: Logger
  /** The time that rules in place of the store's own; a test hands in its own. */
  readonly now?: (() => number) | undefined
}

/** What `memory()`, `postgres(…)` and `pglite(…)` give: a store that is opened by whoever uses it. */
export interface StoreSource {
  /** Such as `memory`, `postgres` or `pglite`. */
  readonly kind: string
  open(surroundings: StoreSurroundings): Promise<EngineStore>
}
