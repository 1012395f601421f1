import { JsonPart } from './json-part.tsx'
import { ListPart } from './list-part.tsx'
import { ObjectPart } from './object-part.tsx'
import { ScalarPart } from './scalar-part.tsx'
import { shapeOf } from './shape.ts'
import type { PartProps } from './surroundings.ts'
import { fits } from './value.ts'

/** One part of a value, by the control that its schema asks for. */
export function Part(given: PartProps) {
  const { around, schema, pointer, name, value, isRequired } = given
  const { shape, title, description, isNullable } = shapeOf(schema, around.root)
  // What has to be there, and may be null, is null where it is left empty.
  const onChange = (next: unknown) => given.onChange(next === undefined && isRequired && isNullable ? null : next)
  const props = { ...given, onChange }
  const label = title ?? name
  if (shape.kind === 'json' || !fits(value, shape)) {
    return (
      <div data-pointer={pointer}>
        <JsonPart
          label={label}
          hint={description ?? undefined}
          value={value}
          problem={around.problemAt(pointer)}
          isRequired={isRequired}
          onChange={onChange}
          onBroken={(isBroken) => around.markText(pointer, isBroken)}
        />
      </div>
    )
  }
  if (shape.kind === 'object') return <ObjectPart {...props} shape={shape} label={label} description={description} />
  if (shape.kind === 'list') return <ListPart {...props} shape={shape} label={label} description={description} />
  return <ScalarPart {...props} shape={shape} label={label} description={description} />
}
