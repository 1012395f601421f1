import { InvalidInputError, quote } from '../errors.ts'
import { nearest } from '../nearest.ts'

/** Stored or sent JSON may nest; anything deeper than this is an attack or a mistake. */
const MAX_DEPTH = 16

/** The fields of a JSON object that is read strictly: what is not known is refused, with the nearest known name. */
export function readFields<Key extends string>(
  json: unknown,
  thing: string,
  keys: readonly Key[],
): Partial<Record<Key, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalidJson(`${thing} must be an object, got ${quote(json)}.`, { thing, received: json })
  }
  for (const key of Object.keys(json)) {
    if (keys.some((known) => known === key)) continue
    const guess = nearest(key, keys)
    throw invalidJson(
      `${thing} has no field ${quote(key)}; its fields are ${keys.join(', ')}.${guess ? ` Did you mean "${guess}"?` : ''}`,
      { thing, received: key, accepted: keys, suggestion: guess },
    )
  }
  return json
}

/** Which of several kinds of object this is, by its `type`. */
export function readType<Type extends string>(
  json: unknown,
  thing: string,
  types: readonly Type[],
  depth: number,
): Type {
  if (depth > MAX_DEPTH) throw invalidJson(`${thing} must not nest deeper than ${MAX_DEPTH} levels.`, { thing })
  const type = typeof json === 'object' && json !== null && 'type' in json ? json.type : undefined
  const found = types.find((each) => each === type)
  if (found) return found
  throw invalidJson(`${thing} must have a type that is one of ${types.join(', ')}, got ${quote(type)}.`, {
    thing,
    received: type,
    accepted: types,
  })
}

function invalidJson(message: string, details: Record<string, unknown>): InvalidInputError {
  return new InvalidInputError('json.invalid', message, details)
}
