import { CheckField, Field, SelectField } from '../field.tsx'
import type { Shape } from './shape.ts'
import type { PartProps } from './surroundings.ts'
import { schemaFormTexts } from './texts.ts'

type ScalarShape = Exclude<Shape, { kind: 'object' | 'list' | 'json' }>

interface ScalarPartProps extends PartProps {
  readonly shape: ScalarShape
  readonly label: string
  readonly description: string | null
}

/** A text, a number, a date or a choice. What is left empty is not given. */
export function ScalarPart(props: ScalarPartProps) {
  const { around, pointer, schema, label, shape, value, isRequired, onChange } = props
  const problem = around.problemAt(pointer)
  const hint = hintOf(props)
  const field = { label, problem, isRequired, ...(hint === '' ? {} : { hint }) }
  const texts = schemaFormTexts.value
  if (shape.kind === 'boolean' && isRequired && !('default' in schema)) {
    return (
      <div data-pointer={pointer}>
        <CheckField label={label} {...(hint === '' ? {} : { hint })} isChecked={value === true} onChange={onChange} />
      </div>
    )
  }
  if (shape.kind === 'boolean' || shape.kind === 'choice') {
    const choices = shape.kind === 'boolean' ? [true, false] : shape.choices
    return (
      <div data-pointer={pointer}>
        <SelectField
          {...field}
          value={value === undefined ? '' : String(choices.indexOf(value as never))}
          options={[
            { value: '', name: texts.none },
            ...choices.map((choice, at) => ({ value: String(at), name: nameOf(choice) })),
          ]}
          onChange={(chosen) => onChange(chosen === '' ? undefined : choices[Number(chosen)])}
        />
      </div>
    )
  }
  return (
    <div data-pointer={pointer}>
      <Field {...field}>
        {(control) =>
          shape.kind === 'text' && shape.isLong ? (
            <textarea
              {...control}
              rows={4}
              value={writtenAs(shape, value)}
              onInput={(event) => onChange(event.currentTarget.value || undefined)}
            />
          ) : (
            <input
              {...control}
              {...inputOf(shape)}
              value={writtenAs(shape, value)}
              onInput={(event) => onChange(readAs(shape, event.currentTarget))}
            />
          )
        }
      </Field>
    </div>
  )
}

function hintOf({ schema, shape, description }: ScalarPartProps): string {
  const texts = schemaFormTexts.value
  const parts = [
    description ?? '',
    shape.kind === 'moment' && shape.format === 'date-time' ? texts.utc : '',
    'default' in schema ? texts.byDefault(nameOf(schema['default'])) : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function nameOf(value: unknown): string {
  const texts = schemaFormTexts.value
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function inputOf(shape: ScalarShape) {
  if (shape.kind === 'number') {
    return {
      type: 'number',
      inputMode: shape.isInteger ? 'numeric' : 'decimal',
      step: shape.isInteger ? 1 : 'any',
      ...(shape.minimum === null ? {} : { min: shape.minimum }),
      ...(shape.maximum === null ? {} : { max: shape.maximum }),
    } as const
  }
  if (shape.kind !== 'moment') return { type: 'text', spellcheck: false } as const
  return shape.format === 'date-time'
    ? ({ type: 'datetime-local', step: 1 } as const)
    : ({ type: shape.format, step: shape.format === 'time' ? 1 : undefined } as const)
}

/** Instants are written and read in UTC: a control for dates knows no zone. */
function writtenAs(shape: ScalarShape, value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return ''
  if (shape.kind !== 'moment' || shape.format !== 'date-time') return value
  const at = Date.parse(value)
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19)
}

function readAs(shape: ScalarShape, input: HTMLInputElement): unknown {
  const text = input.value
  if (text === '') return undefined
  if (shape.kind === 'number') return Number.isNaN(input.valueAsNumber) ? undefined : input.valueAsNumber
  if (shape.kind !== 'moment' || shape.format !== 'date-time') return text
  const at = Date.parse(`${text}Z`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
