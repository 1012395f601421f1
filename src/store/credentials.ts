import type { AuditDraft } from '../access/audit.ts'
import type { Permission } from '../access/permission.ts'
import type { PrincipalSource } from '../access/principal.ts'
import type { Profile } from '../access/profile.ts'

/** Keys and sessions. What is secret about them is known by its SHA-256 only. */
export interface CredentialStore {
  /** The key with this hash, of whatever tenant; null where there is none. One that is revoked or over is given too. */
  findKey(secretHash: string): Promise<ApiKey | null>
  /** Keys of a tenant, the newest first, also revoked ones. */
  listKeys(tenant: string): Promise<ApiKey[]>
  addKey(key: NewApiKey, audit?: AuditDraft): Promise<void>
  /** False where the tenant has no such key, or it was revoked before. */
  revokeKey(tenant: string, id: string, audit?: AuditDraft): Promise<boolean>
  /** Notes that keys were used now. */
  touchKeys(ids: readonly string[]): Promise<void>
  /** The session with this hash, if it is not over. */
  findSession(secretHash: string): Promise<Session | null>
  addSession(session: NewSession): Promise<void>
  /** Ends sessions; unknown ones are left out. */
  removeSessions(secretHashes: readonly string[]): Promise<void>
}

export interface NewApiKey {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly secretHash: string
  readonly profile: Profile
  readonly permissions: readonly Permission[]
  /** The person who made it, and who it counts as for approvals. */
  readonly ownerId: string
  readonly expiresAt: number | null
}

export interface ApiKey extends NewApiKey {
  readonly createdAt: number
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

export interface NewSession {
  readonly secretHash: string
  readonly tenant: string
  readonly userId: string
  readonly ownerId: string | null
  readonly profile: Profile
  readonly permissions: readonly Permission[]
  /** What it was exchanged for: where that was a key, its end ends the session too. */
  readonly source: PrincipalSource
  readonly keyId: string | null
  readonly expiresAt: number
}

export interface Session extends NewSession {
  readonly createdAt: number
}
