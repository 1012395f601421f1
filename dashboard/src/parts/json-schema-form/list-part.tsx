import { Button } from '../button.tsx'
import type { Shape } from './shape.ts'
import type { PartProps } from './surroundings.ts'
import { schemaFormTexts } from './texts.ts'
import { beginning, itemsOf, pointerInto } from './value.ts'

interface ListPartProps extends PartProps {
  readonly shape: Extract<Shape, { kind: 'list' }>
  readonly label: string
  readonly description: string | null
}

/** The items of a list, each with a way to take it out. An item that is still empty stands as null. */
export function ListPart({ around, pointer, label, description, shape, value, isRequired, onChange }: ListPartProps) {
  const texts = schemaFormTexts.value
  const { Part } = around
  const items = itemsOf(value)
  const problem = around.problemAt(pointer)
  const set = (next: readonly unknown[]) => onChange(next.length === 0 && !isRequired ? undefined : next)
  return (
    <fieldset class="schema-part" data-pointer={pointer}>
      <legend>{label}</legend>
      {description !== null && <p class="hint">{description}</p>}
      {items.map((item, at) => (
        <div class="schema-item" key={at}>
          <Part
            around={around}
            schema={shape.item}
            pointer={pointerInto(pointer, at)}
            name={texts.item(label, at + 1)}
            value={item ?? undefined}
            isRequired
            onChange={(changed) => set(items.map((each, other) => (other === at ? (changed ?? null) : each)))}
          />
          <Button
            isSmall
            tone="quiet"
            icon="trash"
            label={texts.remove(texts.item(label, at + 1))}
            onClick={() => set(items.filter((_, other) => other !== at))}
          />
        </div>
      ))}
      {problem !== undefined && <p class="field-problem">{problem}</p>}
      <div>
        <Button isSmall icon="plus" onClick={() => set([...items, beginning(shape.item, around.root) ?? null])}>
          {texts.addNamed(label)}
        </Button>
      </div>
    </fieldset>
  )
}
