import { createHash } from 'node:crypto'
import type { AuditDraft, AuditEntry, AuditOperation } from '../access/audit.ts'
import { auditText } from '../access/audit.ts'
import type { WhereToLook } from './archive.ts'

/** What stands before a tenant's first entry. */
export const NO_HASH = '0'.repeat(64)

/** The hash of an entry, reckoned from all that it holds. */
export function hashAuditEntry(entry: Omit<AuditEntry, 'hash'>): string {
  return createHash('sha256').update(auditText(entry)).digest('hex')
}

/**
 * The audit log: append-only, one chain of hashes per tenant. What changes a job carries its entry with it (`JobChange.audit`), and the end of an
 * execution that belongs to a job, or that a person or a key requested, writes one by itself: JOBS_JOB_EXECUTE, JOBS_JOB_FAIL or JOBS_JOB_CANCEL. Each is written in the transaction of what it tells of.
 */
export interface AuditStore {
  /** From now on everything is recorded; until it is called, nothing is, and entries that come with changes are dropped. To be called again changes nothing. */
  enable(): Promise<void>
  isEnabled(): Promise<boolean>
  /** Entries for what is not stored elsewhere, such as a request to a durable execution. */
  append(entries: readonly NewAuditEntry[]): Promise<void>
  /** The newest first, unless `isAscending`. */
  list(filter: AuditFilter): Promise<AuditEntry[]>
  /** Where the chain of each tenant ends, in the order of tenants; of all tenants, or of one. */
  heads(tenant?: string): Promise<AuditHead[]>
  /** The last entry of a tenant that is gone, since it was kept for as long as it had to be: its chain begins behind it. null where all are there. */
  anchor(tenant: string): Promise<AuditHead | null>
}

export interface NewAuditEntry extends AuditDraft {
  readonly tenant: string
}

export interface AuditFilter extends WhereToLook {
  readonly tenant: string
  readonly operations?: readonly AuditOperation[] | undefined
  readonly userId?: string | undefined
  readonly jobId?: string | undefined
  readonly executionId?: string | undefined
  /** At or after, and before. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly limit: number
  /** Continue from this sequence, exclusively, in the direction asked for. */
  readonly after?: number | undefined
  readonly isAscending?: boolean | undefined
}

export interface AuditHead {
  readonly tenant: string
  readonly sequence: number
  readonly hash: string
}
