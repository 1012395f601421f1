import { createHash } from 'node:crypto'
import { type AuditEntry, auditText } from '../access/audit.ts'

/** What stands before a tenant's first entry. */
export const NO_HASH = '0'.repeat(64)

/** The hash of an entry, reckoned from all that it holds. */
export function hashAuditEntry(entry: Omit<AuditEntry, 'hash'>): string {
  return createHash('sha256').update(auditText(entry)).digest('hex')
}
