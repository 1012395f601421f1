import { Button } from '../button.tsx'
import type { Shape } from './shape.ts'
import type { PartProps } from './surroundings.ts'
import { schemaFormTexts } from './texts.ts'
import { beginning, fieldsOf, pointerInto, unnamedFields, withField } from './value.ts'

interface ObjectPartProps extends PartProps {
  readonly shape: Extract<Shape, { kind: 'object' }>
  readonly label: string
  readonly description: string | null
}

/** The fields of an object; one that may be absent is there once it is added. */
export function ObjectPart(props: ObjectPartProps) {
  const { around, schema, pointer, label, description, shape, value, isRequired, onChange } = props
  const texts = schemaFormTexts.value
  const { Part } = around
  const isRoot = pointer === ''
  const isThere = isRoot || isRequired || (value !== undefined && value !== null)
  const problem = around.problemAt(pointer)
  const unnamed = unnamedFields(value, shape)
  return (
    <fieldset class="schema-part" data-pointer={pointer}>
      <legend class={isRoot ? 'visually-hidden' : undefined}>{label}</legend>
      {description !== null && <p class="hint">{description}</p>}
      {problem !== undefined && <p class="field-problem">{problem}</p>}
      {isThere ? (
        shape.fields.map((field) => (
          <Part
            key={field.name}
            around={around}
            schema={field.schema}
            pointer={pointerInto(pointer, field.name)}
            name={field.name}
            value={fieldsOf(value)[field.name]}
            isRequired={field.isRequired}
            onChange={(changed) => onChange(withField(value, field.name, changed))}
          />
        ))
      ) : (
        <Button isSmall icon="plus" onClick={() => onChange(beginning(schema, around.root) ?? {})}>
          {texts.addNamed(label)}
        </Button>
      )}
      {unnamed.length > 0 && <p class="hint">{texts.unnamed(unnamed.join(', '))}</p>}
      {isThere && !isRoot && !isRequired && (
        <Button isSmall icon="trash" onClick={() => onChange(undefined)}>
          {texts.remove(label)}
        </Button>
      )}
    </fieldset>
  )
}
