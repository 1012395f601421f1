import { AUDIT_OPERATIONS } from '../../../../src/access/audit.ts'
import { viewerZone } from '../../language/zone.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import { auditTexts } from './texts.ts'

/** Filters that go to the server as they stand in the address. */
export const FILTERS = ['operation', 'userId', 'jobId', 'executionId'] as const

interface AuditFiltersProps {
  readonly parameters: URLSearchParams
  readonly onChange: (values: Readonly<Record<string, string | null>>) => void
}

/** What narrows the log down. */
export function AuditFilters({ parameters, onChange }: AuditFiltersProps) {
  const texts = auditTexts.value
  const text = (name: (typeof FILTERS)[number], label: string) => (
    <TextField
      label={label}
      value={parameters.get(name) ?? ''}
      onInput={(value) => onChange({ [name]: value.trim() })}
    />
  )
  const date = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="datetime-local"
      hint={texts.zone(viewerZone.value)}
      value={parameters.get(name) ?? ''}
      onInput={(value) => onChange({ [name]: value })}
    />
  )
  const isFiltered = [...FILTERS, 'from', 'to', 'archived'].some((name) => parameters.has(name))
  return (
    <search class="section audit-filters">
      <SelectField
        label={texts.operation}
        value={parameters.get('operation') ?? ''}
        options={[{ value: '', name: texts.all }, ...AUDIT_OPERATIONS.map((value) => ({ value, name: value }))]}
        onChange={(value) => onChange({ operation: value })}
      />
      {text('userId', texts.user)}
      {text('jobId', texts.jobId)}
      {text('executionId', texts.executionId)}
      {date('from', texts.from)}
      {date('to', texts.to)}
      <CheckField
        label={texts.archived}
        isChecked={parameters.get('archived') === 'true'}
        onChange={(isChecked) => onChange({ archived: isChecked ? 'true' : null })}
      />
      {isFiltered && (
        <Button
          tone="quiet"
          icon="close"
          onClick={() =>
            onChange({
              ...Object.fromEntries(FILTERS.map((name) => [name, null])),
              from: null,
              to: null,
              archived: null,
            })
          }
        >
          {texts.clear}
        </Button>
      )}
    </search>
  )
}
