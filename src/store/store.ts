import type { Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { AlertStore } from './alerts.ts'
import type { ArchiveStore } from './archive.ts'
import type { AuditStore } from './audit.ts'
import type { CacheStore } from './cache.ts'
import type { CalendarStore } from './calendars.ts'
import type { ContentStore } from './contents.ts'
import type { CredentialStore } from './credentials.ts'
import type { DataKeyStore } from './data-keys.ts'
import type { ExecutionStore } from './executions.ts'
import type { FlagStore, TenantSet } from './flags.ts'
import type { HistoryStore } from './histories.ts'
import type { JobStore } from './jobs.ts'
import type { LeaseStore } from './leases.ts'
import type { LogStore } from './logs.ts'
import type { MinuteStore } from './minutes.ts'
import type { NodeStore } from './nodes.ts'
import type { NotificationStore } from './notifications.ts'
import type { OccurrenceStore } from './occurrences.ts'
import type { RateStore } from './rates.ts'
import type { RequestStore } from './requests.ts'
import type { Sealing } from './sealing.ts'
import type { SettingsStore } from './settings.ts'
import type { TenantStore } from './tenants.ts'

/**
 * What keeps everything: one small interface per noun. Every verb is one statement, takes and gives arrays, and is atomic: between two
 * verbs anything may happen. Time is the store's, so that nodes with wrong clocks agree; answers that depend on it carry it as `now`.
 */
export interface Store {
  readonly jobs: JobStore
  readonly calendars: CalendarStore
  readonly occurrences: OccurrenceStore
  readonly executions: ExecutionStore
  readonly leases: LeaseStore
  readonly histories: HistoryStore
  readonly nodes: NodeStore
  readonly minutes: MinuteStore
  readonly logs: LogStore
  readonly tenants: TenantStore
  readonly cache: CacheStore
  readonly rates: RateStore
  readonly audit: AuditStore
  readonly archive: ArchiveStore
  readonly settings: SettingsStore
  readonly flags: FlagStore
  readonly credentials: CredentialStore
  readonly requests: RequestStore
  readonly dataKeys: DataKeyStore
  readonly contents: ContentStore
  /** What keeps contents sealed; null where they are stored as they are. */
  readonly sealing: Sealing | null
  readonly notifications: NotificationStore
  readonly alerts: AlertStore
  /**
   * The same store as one tenant sees it: whatever is asked of it, also without naming a tenant, only what is that tenant's is found, changed or made. Cheap
   * to make; `close` of it does nothing.
   */
  forTenant(tenant: string): Store
  /**
   * What the administrator of a database has to do, as SQL, before it keeps tenants apart by itself; until then `forTenant` does so by looking first. null
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
  open(surroundings: StoreSurroundings): Promise<Store>
}
