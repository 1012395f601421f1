import type { EnqueueOptions } from './executions.ts'

/**
 * The keys that what handlers take and give is sealed with, one or more for each tenant. Stored is what a key of the ring has made of them; the ring itself
 * is in no store.
 */
export interface DataKeyStore {
  /** All versions of the keys of tenants; those without any are left out. In a caller's transaction, as that sees them. */
  find(tenants: readonly string[], options?: EnqueueOptions): Promise<DataKey[]>
  /** Where a tenant has a key of that version, that one stays. In a caller's transaction they are there once that commits. */
  add(keys: readonly DataKey[], options?: EnqueueOptions): Promise<void>
  /** In the order of tenants and versions, of those that another key of the ring has wrapped than this one. */
  listOthers(keyId: string, limit: number): Promise<DataKey[]>
  /** Puts what another key of the ring has made of them in place of what was seen. Returns how many were as they were seen. */
  rewrap(changes: readonly Rewrapping[]): Promise<number>
  /** How many keys each key of the ring has wrapped, in the order of their ids. */
  count(): Promise<KeyUse[]>
}

export interface DataKey {
  readonly tenant: string
  /** 1 for the first. */
  readonly version: number
  /** The key of the ring that has wrapped it. */
  readonly keyId: string
  /** Base64. */
  readonly wrapped: string
}

interface Rewrapping {
  readonly seen: DataKey
  readonly keyId: string
  readonly wrapped: string
}

export interface KeyUse {
  readonly keyId: string
  readonly dataKeys: number
}
