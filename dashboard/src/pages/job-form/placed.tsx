import type { ComponentChildren } from 'preact'
import type { FieldName } from './check-values.ts'
import type { FormState } from './form-state.ts'

interface PlacedProps {
  readonly form: FormState
  readonly field: FieldName
  readonly children: ComponentChildren
}

/** Where a field stands: leaving it has it judged. */
export function Placed({ form, field, children }: PlacedProps) {
  return (
    <div
      data-field={field}
      onFocusOut={(event) => {
        const to = event.relatedTarget
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) form.touch(field)
      }}
    >
      {children}
    </div>
  )
}
