import { InvalidInputError, PontualError } from '../../errors.ts'
import { NonRetryableError, TimeoutError } from '../../job/execution/failure.ts'
import { InvalidPayloadError } from '../../job/type/standard-schema.ts'
import {
  ActivityFailedError,
  ActivityTimeoutError,
  CancelledError,
  ChildFailedError,
  CompensationFailedError,
  ForgottenAwaitError,
  MisplacedCallError,
  RunTimeoutError,
  UnstorableValueError,
} from '../errors.ts'
import type { ErrorRecord } from './tags.ts'

/** Errors that are of their class again when they are read. Any other is of the nearest of these, and has its name. */
const CLASSES: readonly { readonly name: string; readonly prototype: Error }[] = [
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  PontualError,
  InvalidInputError,
  InvalidPayloadError,
  NonRetryableError,
  TimeoutError,
  ActivityFailedError,
  ActivityTimeoutError,
  CancelledError,
  ChildFailedError,
  CompensationFailedError,
  ForgottenAwaitError,
  MisplacedCallError,
  RunTimeoutError,
  UnstorableValueError,
]

const nameOf = new Map<unknown, string>(CLASSES.map(({ name, prototype }) => [prototype, name]))

const prototypeOf = new Map<unknown, Error>(CLASSES.map(({ name, prototype }) => [name, prototype]))

/** The name of the nearest class that is known. */
function classNameOf(error: Error): string {
  for (let prototype: unknown = Object.getPrototypeOf(error); prototype; prototype = Object.getPrototypeOf(prototype)) {
    const name = nameOf.get(prototype)
    if (name !== undefined) return name
  }
  return 'Error'
}

/** What an error of that class inherits from. */
export function errorPrototype(type: unknown): Error {
  return prototypeOf.get(type) ?? Error.prototype
}

/** Long enough for whoever reads it, short enough to be stored with anything. */
const MAX_TEXT = 16_384
const MAX_STACK = 8_192
/** Of one field that somebody hung on an error. */
const MAX_FIELD = 16_384
const MAX_NESTED = 131_072
/** Causes of causes. */
const MAX_CAUSES = 10
const MAX_ERRORS = 100

/** What an error has of its own that is not one of its fields; a name is, where it shows among them. */
const NO_FIELDS: ReadonlySet<string> = new Set(['message', 'stack', 'code', 'cause', 'errors'])

export interface Attempting {
  attempt(place: string, value: unknown, maxLength: number): { readonly content: unknown } | null
}

/** An error as it is kept. Never throws: what cannot be read or stored is left out. Without `nested`: only what every error has. */
export function recordOf(error: Error, nested: Attempting | null, depth: number): ErrorRecord {
  const stack = read(error, 'stack')
  const code = read(error, 'code')
  return {
    type: typeOf(error),
    name: textOf(read(error, 'name'), 'Error'),
    message: textOf(read(error, 'message'), 'An error without a readable message.'),
    ...(typeof stack === 'string' ? { stack: cut(stack, MAX_STACK) } : {}),
    ...(typeof code === 'string' ? { code: cut(code, MAX_TEXT) } : {}),
    ...(typeof code === 'number' && Number.isFinite(code) ? { code } : {}),
    ...(nested && depth <= MAX_CAUSES ? hangingOn(error, nested) : {}),
  }
}

function hangingOn(error: Error, nested: Attempting): Pick<ErrorRecord, 'cause' | 'errors' | 'fields'> {
  const cause = has(error, 'cause') ? nested.attempt('.cause', read(error, 'cause'), MAX_NESTED) : null
  const list = read(error, 'errors')
  const errors = Array.isArray(list) ? nested.attempt('.errors', list.slice(0, MAX_ERRORS), MAX_NESTED) : null
  const fields: [string, unknown][] = []
  for (const key of keysOf(error)) {
    if (NO_FIELDS.has(key)) continue
    const field = nested.attempt(`.${key}`, read(error, key), MAX_FIELD)
    if (field) fields.push([key, field.content])
  }
  return {
    ...(cause && { cause: cause.content }),
    ...(errors && { errors: errors.content as readonly unknown[] }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  }
}

function typeOf(error: Error): string {
  try {
    return classNameOf(error)
  } catch {
    return 'Error'
  }
}

function read(error: Error, key: string): unknown {
  try {
    return Reflect.get(error, key)
  } catch {
    return undefined
  }
}

function has(error: Error, key: string): boolean {
  try {
    return Object.hasOwn(error, key)
  } catch {
    return false
  }
}

function keysOf(error: Error): string[] {
  try {
    return Object.keys(error)
  } catch {
    return []
  }
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? cut(value, MAX_TEXT) : otherwise
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
