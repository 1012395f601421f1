import { type ErrorDetails, InvalidInputError, quote } from '../errors.ts'
import { nearest } from '../nearest.ts'

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

/** A whole number within bounds, or an error that names the option. */
export function requireInteger(value: unknown, name: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
  const bounds = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `${min}-${max}`
  throw invalidOption(value, name, `a whole number of ${bounds}`, '', { case: 'integer', min, max })
}

export function requireBoolean(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw invalidOption(value, name, 'true or false', '', { case: 'flag' })
}

const MAX_TEXT_LENGTH = 1_024

/** Text that is neither empty nor endless, or an error that names the option. */
export function requireText(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH) return value
  throw invalidOption(value, name, `text of 1-${MAX_TEXT_LENGTH} characters`, '', {
    case: 'text',
    max: MAX_TEXT_LENGTH,
  })
}

export function requireList<Item>(value: readonly Item[], name: string): readonly Item[] {
  const isList: boolean = Array.isArray(value)
  if (isList) return value
  throw invalidOption(value, name, 'a list', '', { case: 'list' })
}

/** One of a few values, or an error that lists them. */
export function requireOneOf<T extends string | number>(value: unknown, name: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === value)
  if (found !== undefined) return found
  const guess = typeof value === 'string' ? nearest(value, accepted.map(String)) : undefined
  throw invalidOption(
    value,
    name,
    `one of ${accepted.join(', ')}`,
    guess === undefined ? '' : ` Did you mean "${guess}"?`,
    { case: 'oneOf', values: accepted, suggestion: guess },
  )
}

/** The error for an option: its name, what was received and what is accepted. */
export function invalidOption(
  received: unknown,
  name: string,
  accepted: string,
  hint = '',
  details: ErrorDetails = {},
): InvalidInputError {
  const message = `${name} must be ${accepted}, got ${quote(received)}.${hint}`
  return new InvalidInputError('option.invalid', message, { name, received, accepted, ...details })
}

/** Options of which each is known; an unknown one is refused with the nearest known name. */
export function requireOptions<Options extends object>(
  options: Options,
  thing: string,
  keys: readonly (keyof Options & string)[],
): Options {
  return requireFields(options, thing, keys) as Options
}

/** An object of which each field is known. */
export function requireFields(value: unknown, thing: string, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidFields(`${thing} must be an object, got ${quote(value)}.`, { case: 'object', thing, received: value })
  }
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue
    const guess = nearest(key, keys)
    throw invalidFields(
      `${thing} has no field ${quote(key)}; its fields are ${keys.join(', ')}.${guess ? ` Did you mean "${guess}"?` : ''}`,
      { case: 'unknown', thing, received: key, accepted: keys, suggestion: guess },
    )
  }
  return value as Record<string, unknown>
}

/** The error for an object whose fields are not what they should be. */
export function invalidFields(message: string, details: Record<string, unknown>): InvalidInputError {
  return new InvalidInputError('fields.invalid', message, details)
}
