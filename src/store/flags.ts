import type { AuditDraft } from '../access/audit.ts'
import type { Flag, Flags } from '../access/flag.ts'

/** What is switched off, and for whom. From the moment a verb has answered, nothing of a tenant that is suspended is claimed, by whatever node. */
export interface TenantFlagStore {
  /** All flags as they hold for a tenant; null: for one of which nothing is said. */
  read(tenant: string | null): Promise<Flags>
  /** Switches flags for a tenant, together with the entry. */
  put(change: FlagChange): Promise<void>
}

export interface FlagStore extends TenantFlagStore {
  /** Switches flags for all tenants that say nothing of their own. */
  putDefaults(flags: readonly FlagValue[]): Promise<void>
  /** Keeps what a provider answered for tenants, until it answers anew. */
  provide(answers: readonly ProvidedFlag[]): Promise<void>
}

export interface FlagValue {
  readonly flag: Flag
  /** null: nothing is said of it, so that what stands behind holds. */
  readonly isEnabled: boolean | null
}

interface FlagChange {
  readonly tenant: string
  readonly flags: readonly FlagValue[]
  readonly audit?: AuditDraft | undefined
}

export interface ProvidedFlag extends FlagValue {
  readonly tenant: string
}

/** Tenants, as those that are named or all but those. */
export interface TenantSet {
  readonly isAllBut: boolean
  readonly names: readonly string[]
}

export function isAmong(tenant: string, { isAllBut, names }: TenantSet): boolean {
  return names.includes(tenant) !== isAllBut
}
