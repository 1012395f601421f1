import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  /** What is wrong with it, in words. */
  readonly problem?: string | undefined
  readonly isRequired?: boolean
  /** The control gets these; it is described by hint and problem. */
  readonly children: (control: ControlProps) => ComponentChildren
}

interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
  readonly 'aria-required': boolean | undefined
}

/** A control with its label, a hint and what is wrong with it. */
export function Field({ label, hint, problem, isRequired, children }: FieldProps) {
  const id = useId()
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`]
  const control: ControlProps = {
    id,
    'aria-describedby': described.filter((each) => each !== '').join(' ') || undefined,
    'aria-invalid': problem !== undefined,
    'aria-required': isRequired,
  }
  return (
    <div class={`field ${problem === undefined ? '' : 'invalid'}`}>
      <label for={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {children(control)}
      {hint !== undefined && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {problem !== undefined && (
        <div class="field-problem" id={`${id}-problem`}>
          {problem}
        </div>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'number' | 'password' | 'search' | 'email' | 'datetime-local' | 'date' | 'time' | 'url'
  readonly isMono?: boolean
  /** Lines; more than one makes it a text area. */
  readonly lines?: number
  readonly more?: Partial<JSX.InputHTMLAttributes<HTMLInputElement>>
}

export function TextField({ value, onInput, type = 'text', isMono, lines = 1, more, ...field }: TextFieldProps) {
  const shown = isMono ? 'mono' : undefined
  return (
    <Field {...field}>
      {(control) =>
        lines > 1 ? (
          <textarea
            {...control}
            class={shown}
            rows={lines}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            {...more}
            class={shown}
            type={type}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}

interface SelectFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly { readonly value: string; readonly name: string }[]
}

export function SelectField({ value, onChange, options, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckFieldProps {
  readonly label: string
  readonly hint?: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
}

export function CheckField({ label, hint, isChecked, onChange, isDisabled = false }: CheckFieldProps) {
  const id = useId()
  return (
    <div class="check-field">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && (
          <div class="hint" id={`${id}-hint`}>
            {hint}
          </div>
        )}
      </div>
    </div>
  )
}
