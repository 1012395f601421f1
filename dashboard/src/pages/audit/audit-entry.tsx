import type { AuditEntryView } from '../../api/wire.ts'
import { number } from '../../language/format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { auditTexts } from './texts.ts'

/** The fields that an entry tells about, those of before and after together. */
export function changedFields({ oldValues, newValues }: Pick<AuditEntryView, 'oldValues' | 'newValues'>): string[] {
  return [...new Set([...Object.keys(fieldsOf(oldValues)), ...Object.keys(fieldsOf(newValues))])]
}

function fieldsOf(values: unknown): Readonly<Record<string, unknown>> {
  return typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {}
}

/** One entry with what was before and after it. */
export function AuditEntry({ entry, onClose }: { readonly entry: AuditEntryView; readonly onClose: () => void }) {
  const texts = auditTexts.value
  const [before, after] = [fieldsOf(entry.oldValues), fieldsOf(entry.newValues)]
  return (
    <Dialog title={texts.entry(number(entry.sequence))} size="large" onClose={onClose}>
      <Facts
        facts={[
          [texts.operation, <code key="operation">{entry.operation}</code>],
          [texts.when, <Time key="when" at={entry.timestamp} />],
          [texts.user, entry.userId ?? texts.system],
          [texts.job, entry.jobName ?? '–'],
          [texts.jobId, entry.jobId ?? '–'],
          [texts.executionId, entry.executionId ?? '–'],
        ]}
      />
      <Table
        label={texts.changes}
        rows={changedFields(entry)}
        rowKey={(field) => field}
        columns={[
          { key: 'field', title: texts.field, cell: (field) => <code>{field}</code> },
          { key: 'before', title: texts.before, cell: (field) => <ValueText value={before[field]} /> },
          { key: 'after', title: texts.after, cell: (field) => <ValueText value={after[field]} /> },
        ]}
      />
      <Facts
        facts={[
          [
            texts.hash,
            <code key="hash" class="hash">
              {entry.hash}
            </code>,
          ],
          [
            texts.previousHash,
            <code key="previous" class="hash">
              {entry.previousHash}
            </code>,
          ],
        ]}
      />
    </Dialog>
  )
}

function ValueText({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="muted">–</span>
  return <code class="hash">{JSON.stringify(value)}</code>
}
