import type { NewAuditEntry } from '../../audit.ts'
import type { Queryable } from '../../driver/driver.ts'
import { type Columns, type FieldOf, named, RowList } from '../named-statement.ts'
import { storable } from '../parts.ts'

/** Entries of the audit log, as values of a statement. */
export const ENTRY_COLUMNS: Columns<NewAuditEntry> = {
  tenant: ['text', ({ tenant }) => tenant],
  operation: ['text', ({ operation }) => operation],
  user_id: ['text', ({ userId }) => storable(userId)],
  job_id: ['uuid', ({ jobId }) => jobId],
  execution_id: ['uuid', ({ executionId }) => executionId],
  old_values: ['text', ({ oldValues }) => oldValues && JSON.stringify(oldValues)],
  new_values: ['text', ({ newValues }) => newValues && JSON.stringify(newValues)],
}

const ENTRY = new RowList<'entry', NewAuditEntry>('entry', ENTRY_COLUMNS)

const appendAudit = named<FieldOf<typeof ENTRY> & { readonly testTime: number | null }>(
  'appendAudit',
  `
select pontual.write_audit(
  $entry.tenant::text[],
  array_fill(pontual.clock($testTime::float8), array[cardinality($entry.tenant::text[])]),
  $entry.operation::text[],
  $entry.user_id::text[],
  $entry.job_id::uuid[],
  $entry.execution_id::uuid[],
  $entry.old_values::text[],
  $entry.new_values::text[]
)`,
)

/** Writes entries to the log, if it is on. Within a transaction it comes last: from then on others of the same tenants wait. */
export async function writeAudit(
  database: Queryable,
  entries: readonly NewAuditEntry[],
  testTime: number | null,
): Promise<void> {
  if (entries.length > 0) await database.query(appendAudit, appendAudit.values({ testTime, ...ENTRY.of(entries) }))
}
