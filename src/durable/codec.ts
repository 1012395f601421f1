import { InvalidInputError } from '../errors.ts'

/** A value cannot be stored: what it is, and where in it. */
export class UnstorableValueError extends InvalidInputError {}

export function encodeValue(value: unknown, _thing: string): string | null {
  if (value instanceof Error) return JSON.stringify({ $error: { name: value.name, message: value.message } })
  return value === undefined ? null : JSON.stringify(value)
}

export function decodeValue(text: string | null): unknown {
  const value: unknown = text === null ? undefined : JSON.parse(text)
  const error = (value as { $error?: { name: string; message: string } } | null | undefined)?.$error
  return error ? Object.assign(new Error(error.message), { name: error.name }) : value
}
