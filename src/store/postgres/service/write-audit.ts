import type { NewAuditEntry } from '../../audit.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import { storable } from '../parts.ts'

const appendAudit: Statement = {
  name: 'appendAudit',
  text: `
select pontual.write_audit(
  $2::text[],
  array_fill(pontual.clock($1::float8), array[cardinality($2::text[])]),
  $3::text[],
  $4::text[],
  $5::uuid[],
  $6::uuid[],
  $7::text[],
  $8::text[]
)`,
}

/** Writes entries to the log, if it is on. Within a transaction it comes last: from then on others of the same tenants wait. */
export async function writeAudit(
  database: Queryable,
  entries: readonly NewAuditEntry[],
  testTime: number | null,
): Promise<void> {
  if (entries.length > 0) await database.query(appendAudit, [testTime, ...auditValues(entries)])
}

/** Entries as a statement takes them: seven lists. */
export function auditValues(entries: readonly NewAuditEntry[]): unknown[] {
  return [
    entries.map(({ tenant }) => tenant),
    entries.map(({ operation }) => operation),
    entries.map(({ userId }) => storable(userId)),
    entries.map(({ jobId }) => jobId),
    entries.map(({ executionId }) => executionId),
    entries.map(({ oldValues }) => oldValues && JSON.stringify(oldValues)),
    entries.map(({ newValues }) => newValues && JSON.stringify(newValues)),
  ]
}
