import { CheckField } from './field.tsx'

interface CheckListProps<Value extends string> {
  readonly legend: string
  readonly options: readonly { readonly value: Value; readonly name: string }[]
  readonly chosen: readonly Value[]
  readonly onChange: (chosen: readonly Value[]) => void
  readonly isDisabled?: boolean
}

/** Any of several. */
export function CheckList<Value extends string>({
  legend,
  options,
  chosen,
  onChange,
  isDisabled = false,
}: CheckListProps<Value>) {
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {options.map(({ value, name }) => (
        <CheckField
          key={value}
          label={name}
          isDisabled={isDisabled}
          isChecked={chosen.includes(value)}
          onChange={(isChecked) => onChange(isChecked ? [...chosen, value] : chosen.filter((each) => each !== value))}
        />
      ))}
    </fieldset>
  )
}
