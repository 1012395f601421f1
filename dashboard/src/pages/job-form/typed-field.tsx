import { JOB_FIELDS } from '../../../../src/job/job-fields.ts'
import { jobFieldHint, jobFieldName } from '../../language/job-fields.ts'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import type { FormState } from './form-state.ts'
import type { TYPED_NAMES } from './form-values.ts'
import { Placed } from './placed.tsx'

interface TypedFieldProps {
  readonly form: FormState
  readonly field: (typeof TYPED_NAMES)[number]
  readonly isRequired?: boolean
  /** Default: the hint of the field. */
  readonly hint?: string
}

/** The control of a field, by what its declaration accepts. */
export function TypedField({ form, field, isRequired = false, hint = jobFieldHint(field) }: TypedFieldProps) {
  const { accepts } = JOB_FIELDS[field]
  const label = jobFieldName(field)
  const about = { label, ...(hint !== undefined && { hint }), ...(isRequired && { isRequired }) }
  const value = form.values[field]
  const set = (typed: string | boolean) => form.set({ [field]: typed })
  if (typeof value === 'boolean') return <CheckField {...about} isChecked={value} onChange={set} />
  if (accepts.kind === 'word') {
    const options = accepts.words.map((word) => ({ value: word, name: word }))
    return <SelectField {...about} value={value} problem={form.problemOf(field)} options={options} onChange={set} />
  }
  return (
    <Placed form={form} field={field}>
      <TextField
        {...about}
        lines={accepts.kind === 'text' && accepts.hasLines ? 3 : 1}
        value={value}
        problem={form.problemOf(field)}
        onInput={set}
        more={{
          name: field,
          autocomplete: 'off',
          ...(accepts.kind === 'text' && { maxLength: accepts.max }),
          ...(accepts.kind === 'integer' && { inputMode: 'numeric' as const }),
        }}
      />
    </Placed>
  )
}
