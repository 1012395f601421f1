import { InvalidInputError, quote } from '../errors.ts'

/** Stored or sent JSON may nest; anything deeper than this is an attack or a mistake. */
const MAX_DEPTH = 16

/** Which of several kinds of object this is, by its `type`. */
export function readType<Type extends string>(
  json: unknown,
  thing: string,
  types: readonly Type[],
  depth: number,
): Type {
  if (depth > MAX_DEPTH) throw invalidJson(`${thing} must not nest deeper than ${MAX_DEPTH} levels.`, { thing })
  if (typeof json === 'string') throw invalidJson(`${thing} must be an object, got text: parse it first.`, { thing })
  const type =
    typeof json === 'object' && json !== null && 'type' in json && Object.hasOwn(json, 'type') ? json.type : undefined
  const found = types.find((each) => each === type)
  if (found) return found
  throw invalidJson(`${thing} must have a type that is one of ${types.join(', ')}, got ${quote(type)}.`, {
    thing,
    received: type,
    accepted: types,
  })
}

function invalidJson(message: string, details: Record<string, unknown>): InvalidInputError {
  return new InvalidInputError('fields.invalid', message, details)
}
