import { quote } from '../errors.ts'
import { invalidFields } from './require.ts'

/** Stored or sent JSON may nest; anything deeper than this is an attack or a mistake. */
const MAX_DEPTH = 16

/** Which of several kinds of object this is, by its `type`. */
export function readType<Type extends string>(
  json: unknown,
  thing: string,
  types: readonly Type[],
  depth: number,
): Type {
  if (depth > MAX_DEPTH) {
    throw invalidFields(`${thing} must not nest deeper than ${MAX_DEPTH} levels.`, {
      case: 'depth',
      thing,
      max: MAX_DEPTH,
    })
  }
  if (typeof json === 'string') {
    throw invalidFields(`${thing} must be an object, got text: parse it first.`, {
      case: 'text',
      thing,
    })
  }
  const type =
    typeof json === 'object' && json !== null && 'type' in json && Object.hasOwn(json, 'type') ? json.type : undefined
  const found = types.find((each) => each === type)
  if (found) return found
  throw invalidFields(`${thing} must have a type that is one of ${types.join(', ')}, got ${quote(type)}.`, {
    case: 'type',
    thing,
    received: type,
    accepted: types,
  })
}
