/** What may stand in the audit log. Stored: a name is for ever. */
export const AUDIT_OPERATIONS = [
  'JOBS_JOB_CREATE',
  'JOBS_JOB_UPDATE',
  'JOBS_JOB_DELETE',
  'JOBS_JOB_EXECUTE',
  'JOBS_JOB_FAIL',
  'JOBS_JOB_CANCEL',
  'JOBS_JOB_PAUSE',
  'JOBS_JOB_RESUME',
  'JOBS_JOB_APPROVE',
  'JOBS_JOB_REJECT',
  'JOBS_JOB_SIGNAL',
  'JOBS_JOB_RESTART',
  'JOBS_JOB_REVEAL',
  'JOBS_EXECUTION_ERASE',
  'JOBS_SETTINGS_UPDATE',
  'JOBS_SETTINGS_APPROVE',
  'JOBS_SETTINGS_REJECT',
  'JOBS_ALERT_UPDATE',
  'JOBS_FLAG_UPDATE',
  'JOBS_CALENDAR_UPDATE',
  'JOBS_CALENDAR_DELETE',
  'JOBS_APIKEY_CREATE',
  'JOBS_APIKEY_DELETE',
] as const

export type AuditOperation = (typeof AUDIT_OPERATIONS)[number]

/** Fields of something before or after a change, by their names on the wire. */
export type AuditValues = Readonly<Record<string, unknown>>

/** Something that is going to stand in the audit log; where it stands and its time are the store's. */
export interface AuditDraft {
  readonly operation: AuditOperation
  /** null: Pontual itself. */
  readonly userId: string | null
  readonly jobId: string | null
  readonly executionId: string | null
  readonly oldValues: AuditValues | null
  readonly newValues: AuditValues | null
}

/** Who did what to what. Entries of a tenant form a chain: each holds the hash of the one before it. */
export interface AuditEntry extends Omit<AuditDraft, 'oldValues' | 'newValues'> {
  readonly tenant: string
  /** 1 for a tenant's first, without gaps. */
  readonly sequence: number
  readonly at: number
  /** JSON text, as it was hashed. */
  readonly oldValues: string | null
  readonly newValues: string | null
  /** SHA-256, in hexadecimal; of the first entry's predecessor: 64 zeros. */
  readonly previousHash: string
  readonly hash: string
}

/** The last word of an operation: `UPDATE` of `JOBS_JOB_UPDATE`. */
export function operationType(operation: AuditOperation): string {
  return operation.slice(operation.lastIndexOf('_') + 1)
}

/**
 * What is hashed of an entry: the hash before it, and then each field with its length, so that no two entries read the same. The same text is made in the
 * database.
 */
export function auditText(entry: Omit<AuditEntry, 'hash'>): string {
  const { tenant, sequence, at, operation, userId, jobId, executionId, oldValues, newValues, previousHash } = entry
  const fields = [tenant, String(sequence), String(at), operation, userId, jobId, executionId, oldValues, newValues]
  return [previousHash, ...fields.map(field)].join('\n')
}

/** A field that is null differs from one that is empty. Lengths count code points, as PostgreSQL does. */
function field(text: string | null): string {
  return text === null ? '-' : `${Array.from(text).length}:${text}`
}
